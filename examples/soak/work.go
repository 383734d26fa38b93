package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
)

// work has everything done at once: in the first half the server is killed, stopped and
// rolled out again and again; in the second it is left to run, so that it can be seen
// whether it grows.
func (s *soak) work(ctx context.Context) error {
	interrupted := ctx
	ctx, end := context.WithCancel(ctx)
	s.mu.Lock()
	s.enough = end
	s.mu.Unlock()
	var group sync.WaitGroup
	defer func() {
		end()
		group.Wait()
	}()

	group.Go(func() { s.watch(ctx, end) })
	for i := range plainWriters {
		w := s.writer(uint64(100 + i))
		for n := range plainStreams {
			w.streams = append(w.streams, fmt.Sprintf("w%d-%d", i, n))
		}
		group.Go(func() { s.loop(interrupted, ctx, w.write) })
	}
	for i, c := range s.catalogs {
		w := s.writer(uint64(200 + i))
		w.streams = []string{fmt.Sprintf("i%d", i)}
		importing := &importingWriter{writer: w, catalog: c, leads: map[string]int{}}
		group.Go(func() { s.loop(interrupted, ctx, importing.write) })
	}
	group.Go(func() { s.auditAlways(ctx, s.random(300)) })
	group.Go(func() { s.checkAlways(ctx) })

	s.meter.begin("warm-up", time.Now())
	storm, over := context.WithCancel(ctx)
	defer over()
	var storming sync.WaitGroup
	storming.Go(func() { s.kill(ctx, storm, s.random(400)) })
	for i, c := range s.chores {
		until, tending := ctx, &group
		if _, ok := c.(*chain); ok {
			until, tending = storm, &storming // since it starts the server anew
		}
		tending.Go(func() { s.tend(ctx, until, c, s.random(uint64(500+i))) })
	}

	tenth := s.long / 10
	pause(ctx, tenth)
	s.meter.begin("storm", time.Now())
	s.measureServer(stormy)
	pause(ctx, 4*tenth)
	over()
	storming.Wait()
	s.measureServer("")
	s.meter.begin("calm: warm-up", time.Now())
	pause(ctx, tenth)
	s.measureServer(calm)
	for _, part := range []struct {
		name string
		long time.Duration
	}{{"first quarter", tenth}, {"second and third quarter", 2 * tenth}, {"last quarter", tenth}} {
		s.meter.begin("calm: "+part.name, time.Now())
		pause(ctx, part.long)
	}
	s.meter.begin("end", time.Now())
	end()
	group.Wait()
	if err := interrupted.Err(); err != nil {
		return err
	}
	// The last look is at a store to which nothing is on its way.
	s.checked(interrupted, "the end")
	return interrupted.Err()
}

func (s *soak) writer(who uint64) *writer {
	return &writer{random: s.random(who), api: s.api, oc: s.oc, journal: s.journal, modes: s.server.runs.modes, heard: s.hear}
}

// loop writes until it is time to end. The last write gets its answer all the same: the
// server would carry it out, while the last check looks.
func (s *soak) loop(ctx, until context.Context, write func(context.Context) error) {
	for until.Err() == nil {
		s.gate.RLock()
		err := write(ctx)
		s.gate.RUnlock()
		if err != nil {
			pause(until, 20*time.Millisecond)
		}
	}
}

// watch tells of a server that ends though nobody told it to.
func (s *soak) watch(ctx context.Context, end func()) {
	select {
	case <-ctx.Done():
	case err := <-s.server.Died():
		s.violate(violation{"the server ends only when it is told to", "apiserver", "process", "running", err.Error()})
		end()
	}
}

// kill ends the server by SIGKILL or SIGTERM at any moment, and starts it again, until
// the storm is over.
func (s *soak) kill(ctx, storm context.Context, random *rand.Rand) {
	for pause(storm, s.between(random)); storm.Err() == nil; pause(storm, s.between(random)) {
		how, end, meanwhile := "SIGKILL", s.server.Kill, func() error { return nil }
		switch random.IntN(4) {
		case 0:
			how, end = "SIGTERM", s.server.Stop
		case 1:
			how = "SIGKILL, and again during the start"
			after := time.Duration(random.Int64N(int64(time.Second)))
			meanwhile = func() error {
				_, err := s.server.killStart(ctx, after)
				return err
			}
		}
		if s.restart(ctx, how, end, "", meanwhile) == nil {
			s.checked(ctx, how)
		}
	}
}

// restart ends a run of the server and begins the next, with the same mode if none is
// given.
func (s *soak) restart(ctx context.Context, how string, end func() error, mode imagev1.ImportModeType, meanwhile func() error) error {
	began := time.Now()
	err := s.server.next(ctx, end, mode, meanwhile)
	if err != nil && ctx.Err() == nil {
		s.violate(violation{"the server ends when it is told to, and starts again", "apiserver", how, "ready", err.Error()})
	}
	s.mu.Lock()
	s.restarts[how]++
	s.mu.Unlock()
	s.meter.add("restart", time.Since(began), err)
	return err
}

// killStart starts a server and kills it after that time. It reports whether it was
// killed before it was ready.
func (s *testedServer) killStart(ctx context.Context, after time.Duration) (bool, error) {
	starting, cancel := context.WithTimeout(ctx, after)
	defer cancel()
	err := s.Restart(starting) // which kills what is not ready in time
	switch {
	case err == nil:
		return false, s.Kill()
	case errors.Is(err, context.DeadlineExceeded):
		return true, nil
	default:
		return false, err
	}
}

// checkAlways holds the invariants again and again, beside the checks after each kill.
func (s *soak) checkAlways(ctx context.Context) {
	for pause(ctx, s.checkEvery()); ctx.Err() == nil; pause(ctx, s.checkEvery()) {
		s.checked(ctx, "check")
	}
}

// checked holds the invariants, and that the server answers what is asked for that. A
// machine may stall for some seconds, in which etcd answers nobody.
func (s *soak) checked(ctx context.Context, when string) {
	var err error
	for began := time.Now(); time.Since(began) < time.Minute && ctx.Err() == nil; pause(ctx, time.Second) {
		if err = s.check(ctx); err == nil {
			return
		}
	}
	if ctx.Err() == nil {
		s.violate(violation{"the server answers within a minute", "apiserver", when, "an answer", err.Error()})
	}
}

// checkEvery gives the second half of ten minutes some fifty checks, and their samples.
func (s *soak) checkEvery() time.Duration { return max(s.long/120, 200*time.Millisecond) }
