package controller_test

import (
	"testing"
	"time"

	"k8s.io/client-go/util/flowcontrol"

	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// TestSchedule pushes while time passes.
func TestSchedule(t *testing.T) {
	t.Parallel()
	e := start(t, legacy)
	push := func(content string) string {
		image := testimages.Image(t, "amd64", content)
		testimages.Push(t, e.host+"/x/y:v1", image)
		return testimages.Digest(t, image)
	}
	first := push("1")
	digest := e.host + "/x/y@" + first
	unknown := e.host + "/x/y@" + testimages.Digest(t, testimages.Image(t, "amd64", "late"))
	expect := func(t *testing.T, name, wantSent string, wantAgain time.Duration) {
		t.Helper()
		if sent, again := e.reconcile(t, name); sent != wantSent || again != wantAgain {
			t.Errorf("sent %q, again in %s; want %q, %s", sent, again, wantSent, wantAgain)
		}
	}

	t.Run("4: a new push", func(t *testing.T) {
		e.create(t, streamOf("app", scheduled(tagOf("v1", e.host+"/x/y:v1", legacy)), tagOf("once", e.host+"/x/y:v1", legacy)))
		expect(t, "app", "v1 Legacy, once Legacy", interval)
		second := push("2")
		e.pass(interval - time.Minute)
		expect(t, "app", "", time.Minute)
		e.pass(time.Minute)
		expect(t, "app", "v1 Legacy", interval)
		if v1, once := e.newest(t, "app", "v1"), e.newest(t, "app", "once"); v1 != second || once != first {
			t.Errorf("v1 is %s, want %s; once is %s, want %s", v1, second, once, first)
		}
	})
	t.Run("4: nothing new writes nothing", func(t *testing.T) {
		before := e.stream(t, "app").ResourceVersion
		e.pass(interval)
		expect(t, "app", "v1 Legacy", interval)
		if after := e.stream(t, "app").ResourceVersion; after != before {
			t.Errorf("resourceVersion %s, then %s", before, after)
		}
	})
	t.Run("4: another import does not put it off", func(t *testing.T) {
		e.pass(interval - time.Minute)
		s := e.stream(t, "app")
		s.Spec.Tags = append(s.Spec.Tags, tagOf("new", e.host+"/x/y:v1", legacy))
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		expect(t, "app", "new Legacy", time.Minute)
	})
	t.Run("5: digests", func(t *testing.T) {
		e.create(t, streamOf("digests", scheduled(tagOf("there", digest, legacy))))
		expect(t, "digests", "there Legacy", interval)
		e.pass(interval)
		expect(t, "digests", "", 0)
		e.create(t, streamOf("late", scheduled(tagOf("late", unknown, legacy)), scheduled(tagOf("v1", e.host+"/x/y:v1", legacy))))
		expect(t, "late", "late Legacy, v1 Legacy", interval)
		e.pass(interval)
		expect(t, "late", "late Legacy, v1 Legacy", interval)
		push("late")
		e.pass(interval)
		expect(t, "late", "late Legacy, v1 Legacy", interval)
		e.pass(interval)
		expect(t, "late", "v1 Legacy", interval)
	})
	t.Run("the limit", func(t *testing.T) {
		for _, name := range []string{"app", "late"} {
			e.reconcile(t, name)
		}
		left := &limit{left: 1}
		e.controller.Limit = left
		defer func() { e.controller.Limit = nil }()
		e.pass(interval)
		expect(t, "late", "v1 Legacy", interval)
		expect(t, "app", "", 2*time.Second)
		left.left++
		expect(t, "app", "v1 Legacy", interval)
	})
	t.Run("no schedules", func(t *testing.T) {
		e.controller.Interval = 0
		defer func() { e.controller.Interval = interval }()
		e.pass(interval)
		expect(t, "app", "", 0)
	})
	t.Run("no longer scheduled", func(t *testing.T) {
		s := e.stream(t, "app")
		s.Spec.Tags[0].ImportPolicy.Scheduled = false
		if err := e.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		expect(t, "app", "v1 Legacy", 0)
		e.pass(interval)
		expect(t, "app", "", 0)
	})
}

// A limit lets so many through, and seems to let one through every two seconds.
type limit struct {
	flowcontrol.RateLimiter
	left int
}

func (l *limit) QPS() float32 { return 0.5 }

func (l *limit) TryAccept() bool {
	if l.left == 0 {
		return false
	}
	l.left--
	return true
}
