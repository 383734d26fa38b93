package faults_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

var signals = []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL}

// TestSignalsLeaveNothing ends servers that have made a temporary directory at each phase
// of their start, of which the log tells only what follows on etcd's. One that is told to
// end removes its directory, and the next one that of one that was killed.
func TestSignalsLeaveNothing(t *testing.T) {
	t.Parallel()
	tmp := tempDir(t)
	after := map[string]func(*testing.T, *process){}
	for _, path := range []string{"lock", "token", "run/etcd.sock", "etcd", "etcd/member/snap/db"} {
		after[path] = func(t *testing.T, p *process) { p.makes(t, path) }
	}
	for _, n := range []int{1, 12, 30} {
		after[fmt.Sprint("line ", n)] = func(t *testing.T, p *process) { p.read(t, n) }
	}
	for _, phase := range slices.Sorted(maps.Keys(after)) {
		t.Run("after "+phase, func(t *testing.T) {
			p := startIn(t, tmp, "-v=2")
			after[phase](t, p)
			p.stop(t)
			p.nothingLeft(t)
			p = startIn(t, tmp, "-v=2")
			after[phase](t, p)
			p.signal(t, syscall.SIGKILL)
			p.wait(t)
			p = startIn(t, tmp, "-v=2")
			p.read(t, 1)
			p.stop(t)
			p.nothingLeft(t)
		})
	}
}

// TestSignals ends a server at each phase of its start, which its log tells: after so
// many lines, of which there are about 60 on data that is there. Each next start goes on
// with what the one before left.
func TestSignals(t *testing.T) {
	t.Parallel()
	dir, j := written(t, syscall.SIGKILL)
	end := func(t *testing.T, signal syscall.Signal, after func(*process)) {
		t.Helper()
		p := start(t, "--data-dir="+dir, "-v=2")
		after(p)
		p.signal(t, signal)
		p.wait(t)
		switch status := p.ProcessState.Sys().(syscall.WaitStatus); {
		case status.Signaled() && (signal == syscall.SIGKILL || status.Signal() == signal && len(p.output.String()) == 0):
			// The second: before the program had begun to listen to signals.
		case p.err != nil:
			t.Errorf("ended with %v\n%.4000s", p.err, p.output.String())
		}
	}
	lines := []int{1, 12, 20, 45}
	if all {
		lines = nil
		for n := range 80 {
			lines = append(lines, n+1)
		}
	}
	for i, n := range lines {
		for k, signal := range signals {
			if !all && k != i%len(signals) && k != (i+1)%len(signals) {
				continue
			}
			t.Run(fmt.Sprintf("%s after line %d", signal, n), func(t *testing.T) {
				end(t, signal, func(p *process) { p.read(t, n) })
			})
		}
	}
	for _, delay := range []time.Duration{0, 10 * time.Millisecond, 40 * time.Millisecond} {
		t.Run("SIGTERM after "+delay.String(), func(t *testing.T) {
			end(t, syscall.SIGTERM, func(*process) { time.Sleep(delay) })
		})
	}
	t.Run("under load", func(t *testing.T) {
		for round, signal := range signals {
			p := start(t, "--data-dir="+dir)
			c := p.client(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var group sync.WaitGroup
			enough, once := make(chan struct{}), sync.Once{}
			for writer := range 4 {
				group.Go(func() {
					for n := 0; ctx.Err() == nil; n++ {
						err := j.create(ctx, c, fmt.Sprintf("load-%d-%d-%d", round, writer, n), "x")
						if answered := apierrors.APIStatus(nil); errors.As(err, &answered) && ctx.Err() == nil && !apierrors.IsTooManyRequests(err) && !apierrors.IsServiceUnavailable(err) {
							t.Errorf("%s: answered with %v", signal, err)
						}
						if err != nil {
							return
						}
						if n == 10 {
							once.Do(func() { close(enough) })
						}
					}
				})
			}
			select {
			case <-enough:
			case <-time.After(6 * limit()):
				t.Error("not enough writes")
			}
			p.signal(t, signal)
			p.wait(t)
			if signal != syscall.SIGKILL && p.err != nil {
				t.Errorf("%s: ended with %v\n%.4000s", signal, p.err, p.output.String())
			}
			cancel()
			group.Wait()
		}
	})
	p := start(t, "--data-dir="+dir)
	j.check(t, p.client(t))
	p.stop(t)
}
