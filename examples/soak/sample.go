package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"
)

// What is measured, and in which state: always at rest, with the garbage collected and
// the history of the store compacted.
const (
	here      = "soak"                       // all the time
	freshRun  = "server soon after a start"  // during the storm
	steadyRun = "server that is left to run" // after it
)

// growing are the series by their names.
type growing struct {
	all    []*series
	byName map[string]*series
	server string // which of the server's states this is; empty while it is not measured
	// sampled is the process that was measured last.
	sampled int
}

func (g *growing) add(name, unit string, slack, value float64) {
	if g.byName == nil {
		g.byName = map[string]*series{}
	}
	s := g.byName[name]
	if s == nil {
		s = &series{name: name, unit: unit, slack: slack}
		g.byName[name], g.all = s, append(g.all, s)
	}
	s.values = append(s.values, value)
}

// slacks: what a heap is fragmented by, and a connection that is just being closed.
const (
	memorySlack = 2 // MiB
	countSlack  = 3
)

// measureServer says which state the server is in from now on.
func (s *soak) measureServer(state string) {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.growing.server = state
}

// sample is called at rest.
func (s *soak) sample(ctx context.Context) error {
	g := &s.growing
	pid := s.server.Pid()
	if g.server == "" || g.server == freshRun && pid == g.sampled {
		return nil // a server grows for some time after its start; each is looked at once
	}
	err := s.sampleAll(ctx, pid)
	if errors.Is(err, errNotLinux) {
		return nil // the report says so
	}
	return err
}

func (s *soak) sampleAll(ctx context.Context, pid int) error {
	u, err := settled(os.Getpid(), collectHere)
	if err != nil {
		return err
	}
	g := &s.growing
	g.add(here+": anonymous memory", "MiB", memorySlack, u.anonymous)
	g.add(here+": file descriptors", "", countSlack, u.files)
	g.add(here+": goroutines", "", countSlack, float64(runtime.NumGoroutine()))

	if !s.server.collects {
		return nil
	}
	if u, err = settled(pid, collectThere(pid)); err != nil {
		return err
	}
	g.add(g.server+": anonymous memory", "MiB", memorySlack, u.anonymous)
	g.add(g.server+": resident memory", "MiB", memorySlack, u.resident)
	g.add(g.server+": file descriptors", "", countSlack, u.files)
	if g.sampled = pid; g.server == steadyRun {
		before := u.cpu
		if err := s.burst(ctx); err != nil {
			return err
		}
		if u, err = measure(pid); err != nil {
			return err
		}
		g.add(g.server+": CPU of the same 300 requests", "ms", 0, float64((u.cpu - before).Milliseconds()))
	}
	status, err := s.etcd.Status(ctx, s.etcd.Endpoints()[0])
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	g.add("store: bytes in use", "MiB", memorySlack, float64(status.DbSizeInUse)/(1<<20))
	return nil
}

// burst asks for the same things each time. What the server needs for that is measured in
// its CPU time: how long it takes depends on who else is on the machine.
func (s *soak) burst(ctx context.Context) error {
	var group errgroup.Group
	group.SetLimit(8)
	for i := range 300 {
		group.Go(func() error {
			switch {
			case i%10 == 0:
				return s.api.List(ctx, &imagev1.ImageList{})
			case i%10 == 1:
				is := object("burst", &stream{tags: map[string]tag{"a": {from: "DockerImage registry.example.com/team/app:1"}}})
				return s.api.Create(ctx, is, client.DryRunAll)
			default:
				return s.api.Get(ctx, client.ObjectKey{Name: namespace}, &corev1.Namespace{})
			}
		})
	}
	return group.Wait()
}
