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
// the history of the store compacted. What is measured in one state is not compared with
// what is in another.
const (
	stormy = "in the storm" // while the server is started anew again and again
	calm   = "in the calm"  // while it is left to run
)

// growing are the series by their names.
type growing struct {
	all    []*series
	byName map[string]*series
	state  string // that the server is in; empty while nothing is measured
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

// What counts as the same though it is more than the share that may be.
const (
	memorySlack = 4   // MiB: Go's heap grows by chunks of that
	heapSlack   = 1   // MiB: what is on its way at that moment
	storeSlack  = 0.2 // MiB: what was written since the last check is not compacted
	countSlack  = 3   // a connection that is just being closed
)

// measureServer says which state the server is in from now on.
func (s *soak) measureServer(state string) {
	s.gate.Lock()
	defer s.gate.Unlock()
	s.growing.state = state
}

// sample is called at rest.
func (s *soak) sample(ctx context.Context) error {
	if s.growing.state == "" {
		return nil
	}
	pid := s.server.Pid()
	err := s.sampleAll(ctx, pid)
	if errors.Is(err, errNotLinux) {
		return nil // the report says so
	}
	return err
}

func (s *soak) sampleAll(ctx context.Context, pid int) error {
	var heap runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&heap)
	u, err := settled(os.Getpid(), collectHere)
	if err != nil {
		return err
	}
	g := &s.growing
	own, of := "soak, "+g.state, "server, "+g.state
	g.add(own+": anonymous memory", "MiB", memorySlack, u.anonymous)
	g.add(own+": live heap", "MiB", heapSlack, float64(heap.HeapAlloc)/(1<<20))
	g.add(own+": file descriptors", "", countSlack, u.files)
	g.add(own+": goroutines", "", countSlack, float64(runtime.NumGoroutine()))

	// A server grows for some time after its start: each is looked at once then.
	if !s.server.collects || g.state == stormy && pid == g.sampled {
		return nil
	}
	if u, err = settled(pid, collectThere(pid)); err != nil {
		return err
	}
	g.add(of+": anonymous memory", "MiB", memorySlack, u.anonymous)
	g.add(of+": resident memory", "MiB", memorySlack, u.resident)
	g.add(of+": file descriptors", "", countSlack, u.files)
	if g.sampled = pid; g.state == calm {
		before := u.cpu
		if err := s.burst(ctx); err != nil {
			return err
		}
		if u, err = measure(pid); err != nil {
			return err
		}
		g.add(of+": CPU of the same 300 requests", "ms", 0, float64((u.cpu - before).Milliseconds()))
	}
	status, err := s.etcd.Status(ctx, s.etcd.Endpoints()[0])
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	g.add("store, "+g.state+": bytes in use", "MiB", storeSlack, float64(status.DbSizeInUse)/(1<<20))
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
