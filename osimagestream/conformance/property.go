package conformance

import (
	"fmt"
	"regexp"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// property holds the implementation to inputs that rapid draws. Rapid runs
// against a recorder, so that the kit says what is wrong, and so that a deviation
// does not fail the test.
func (r *run[I]) property(p Property[I]) func(testing.TB) (*failure, bool) {
	return func(tb testing.TB) (*failure, bool) {
		impl := r.newImpl(tb)
		if p.Implemented != nil && !p.Implemented(impl) {
			return nil, false
		}
		var last *failure // of the smallest input, which rapid runs last
		rec := &recorder{name: tb.Name()}
		rec.run(func() {
			rapid.Check(rec, func(rt *rapid.T) {
				out := p.Call(rt, impl)
				if f := judge(func() Outcome { return out }); f != nil {
					last = f
					rt.Fatal("the rule does not hold")
				}
			})
		})
		if !rec.failed {
			return nil, true
		}
		if last == nil {
			last = &failure{panicked: rec.log}
		}
		if m := seedFlag.FindString(rec.log); m != "" {
			last.seed = m
		}
		return last, true
	}
}

// seedFlag is how rapid says which run to repeat.
var seedFlag = regexp.MustCompile(`-rapid\.seed=[0-9]+`)

// A recorder is the test that a property believes it is in.
type recorder struct {
	name   string
	log    string
	failed bool
}

// run calls f and returns when f ends, by FailNow too.
func (r *recorder) run(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return r.name }
func (r *recorder) Log(args ...any)           { r.log += fmt.Sprintln(args...) }
func (r *recorder) Logf(f string, a ...any)   { r.log += fmt.Sprintf(f, a...) + "\n" }
func (r *recorder) Error(args ...any)         { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(f string, a ...any) { r.Logf(f, a...); r.Fail() }
func (r *recorder) Fatal(args ...any)         { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(f string, a ...any) { r.Logf(f, a...); r.FailNow() }
func (r *recorder) Skip(args ...any)          { r.Log(args...); r.SkipNow() }
func (r *recorder) Skipf(f string, a ...any)  { r.Logf(f, a...); r.SkipNow() }
func (r *recorder) SkipNow()                  { runtime.Goexit() }
func (r *recorder) Fail()                     { r.failed = true }
func (r *recorder) FailNow()                  { r.failed = true; runtime.Goexit() }
func (r *recorder) Failed() bool              { return r.failed }

var _ rapid.TB = (*recorder)(nil)
