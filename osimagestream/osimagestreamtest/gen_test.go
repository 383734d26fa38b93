package osimagestreamtest_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	kit "github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// draws returns many values of what a function draws.
func draws[T any](draw func(*rapid.T) T) (all []T) {
	g := rapid.Custom(draw)
	for seed := range 1000 {
		all = append(all, g.Example(seed))
	}
	return all
}

func share[T any](all []T, of func(T) bool) float64 {
	n := 0
	for _, v := range all {
		if of(v) {
			n++
		}
	}
	return float64(n) / float64(len(all))
}

func about(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.07 {
		t.Errorf("%s: %.3f of the draws, want %.2f", what, got, want)
	}
}

// The generators draw what doc.go says, within the luck of 1000 draws.
func TestDistribution(t *testing.T) {
	stored := draws(func(t *rapid.T) *stream { return kit.DrawStored(t) })
	about(t, "DrawStored, none", share(stored, func(o *stream) bool { return o == nil }), 0.25)
	about(t, "DrawStored, no status", share(stored, func(o *stream) bool { return o != nil && o.Status.DefaultStream == "" }), 0.25)
	about(t, "DrawStored, empty spec", share(stored, func(o *stream) bool { return o != nil && o.Spec.DefaultStream == "" }), 0.75/7)
	likely := draws(func(t *rapid.T) bool { return kit.CandidateOracle(kit.DrawTag(t, "rhel")) })
	if got := share(likely, func(b bool) bool { return b }); got < 0.5 || got > 0.85 {
		t.Errorf("DrawTag: %.3f of the tags are candidates", got)
	}
	plain := draws(func(t *rapid.T) kit.Sources { return kit.DrawSources(t, kit.Odd{}) })
	found := share(plain, func(s kit.Sources) bool { streams, _ := kit.DiscoverOracle(s); return len(streams) > 0 })
	if found < 0.3 || found > 0.9 {
		t.Errorf("DrawSources: %.3f have a stream", found)
	}
	for name, odd := range map[string]kit.Odd{"Uninspected": {Uninspected: true}, "everything": kit.Everything()} {
		partial := draws(func(t *rapid.T) kit.Sources { return kit.DrawSources(t, odd) })
		if got := share(partial, func(s kit.Sources) bool { _, complete := kit.DiscoverOracle(s); return complete }); got < 0.2 || got > 0.8 {
			t.Errorf("%s: %.3f are complete", name, got)
		}
	}
}

// Histories hold what breaks operators: a write that is due while not all was seen,
// plans that are broken off, defaults that leave. Each rule fails for some defect.
func TestHistoriesAreEventful(t *testing.T) {
	histories := draws(kit.DrawHistory)
	has := func(verb kit.Verb) func(kit.History) bool {
		return func(h kit.History) bool {
			for _, s := range h.Steps {
				if s.Verb == verb {
					return true
				}
			}
			return false
		}
	}
	for _, verb := range []kit.Verb{kit.VerbRelease, kit.VerbFail, kit.VerbUnread, kit.VerbHeal, kit.VerbReconcile, kit.VerbStop, kit.VerbChoose, kit.VerbMeddle} {
		if got := share(histories, has(verb)); got < 0.2 {
			t.Errorf("%s is in %.3f of the histories", verb, got)
		}
	}
	runs := 0
	steps := 0
	for _, h := range histories {
		steps += len(h.Steps)
		for _, s := range h.Steps {
			if s.Verb == kit.VerbReconcile || s.Verb == kit.VerbStop {
				runs++
			}
		}
	}
	about(t, "steps that reconcile", float64(runs)/float64(steps), 0.5)
	seen := map[string]bool{}
	for _, d := range defects() {
		i := ours.Impl()
		d.spoil(&i)
		for _, h := range histories[:200] {
			for _, v := range h.Play(func() impl { return i }) {
				seen[v.Rule] = true
			}
		}
	}
	for _, rule := range []string{"history-waits-until-seen", "history-of-one-release", "history-annotates-last", "history-writes-are-taken", "history-ends"} {
		if !seen[rule] {
			t.Errorf("no defect breaks %s", rule)
		}
	}
}
