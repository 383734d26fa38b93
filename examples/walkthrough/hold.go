package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// A hold keeps jobs from going on, and makes some tries fail.
type hold struct {
	mu      sync.Mutex
	waiting []string
	fails   map[string]int // by architecture
	gate    chan struct{}
	open    sync.Once
}

// holdJobs holds what runs from now on.
func (c *buildCluster) holdJobs(fails map[string]int) *hold {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = &hold{fails: fails, gate: make(chan struct{})}
	return c.hold
}

func (h *hold) letGo() { h.open.Do(func() { close(h.gate) }) }

func (h *hold) running(context.Context) (any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(h.waiting)
	return strings.Join(h.waiting, " "), nil
}

func (c *buildCluster) before(ctx context.Context, job *batchv1.Job) error {
	c.mu.Lock()
	h := c.hold
	c.mu.Unlock()
	architecture := job.Annotations[buildplan.AnnotationArchitecture]
	h.mu.Lock()
	h.waiting = append(h.waiting, architecture)
	fail := h.fails[architecture] > 0
	if fail {
		h.fails[architecture]--
	}
	h.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-h.gate:
	}
	if fail {
		return fmt.Errorf("no package for %s", architecture)
	}
	return nil
}
