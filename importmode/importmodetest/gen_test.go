package importmodetest_test

import (
	"math"
	"testing"

	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// The generators draw what doc.go says, within the luck of 2000 draws.
func TestDistribution(t *testing.T) {
	const draws = 2000
	share := func(name string, want float64, hit func(seed int) bool) {
		t.Helper()
		n := 0
		for seed := range draws {
			if hit(seed) {
				n++
			}
		}
		if got := float64(n) / draws; math.Abs(got-want) > 0.05 {
			t.Errorf("%s: %.3f of the draws, want %.2f", name, got, want)
		}
	}
	drawn := importmodetest.Mode()
	share("Mode, empty", 0.45, func(seed int) bool { return drawn.Example(seed) == "" })
	share("Mode, Legacy", 0.2, func(seed int) bool { return drawn.Example(seed) == legacy })
	share("Mode, PreserveOriginal", 0.2, func(seed int) bool { return drawn.Example(seed) == preserve })
	either := importmodetest.KnownMode()
	share("KnownMode, Legacy", 0.5, func(seed int) bool { return either.Example(seed) == legacy })
	unknown := importmodetest.UnknownMode()
	share("UnknownMode, a mode", 0, func(seed int) bool { return known(unknown.Example(seed)) || unknown.Example(seed) == "" })
	stream := importmodetest.Stream()
	tags, empty := 0, 0
	repeated := func(modes []importmodetest.TagMode) bool {
		seen := map[string]bool{}
		for _, m := range modes {
			if seen[m.Name] {
				return true
			}
			seen[m.Name] = true
		}
		return false
	}
	for seed := range draws {
		modes := importmodetest.ModesOf(stream.Example(seed))
		if len(modes) > 6 || repeated(modes) {
			t.Fatalf("Stream draws %v", modes)
		}
		for _, m := range modes {
			tags++
			if m.Mode == "" {
				empty++
			} else if !known(m.Mode) {
				t.Fatalf("Stream draws the mode %q", m.Mode)
			}
		}
	}
	if got := float64(empty) / float64(tags); math.Abs(got-0.5) > 0.05 {
		t.Errorf("Stream: %.3f of the modes are empty", got)
	}
	wild := importmodetest.AnyStream()
	names := 0
	for seed := range draws {
		if modes := importmodetest.ModesOf(wild.Example(seed)); len(modes) > 8 {
			t.Fatalf("AnyStream draws %v", modes)
		} else if repeated(modes) {
			names++
		}
	}
	if names < draws/5 {
		t.Errorf("AnyStream repeats names in %d of %d draws", names, draws)
	}
}

// Histories hold what breaks servers: a manifest applied again after a flip, a
// restart with something stored.
func TestHistoriesAreEventful(t *testing.T) {
	again, restarts, verbs, all := 0, 0, map[importmodetest.Verb]int{}, 0
	steps := importmodetest.Steps()
	for seed := range 1000 {
		h := steps.Example(seed)
		sent, flipped, stored := false, false, h.Stored != nil
		hasAgain, hasRestart := false, false
		for _, s := range h.Steps {
			verbs[s.Verb]++
			all++
			switch s.Verb {
			case importmodetest.VerbPut:
				sent, stored, flipped = true, true, false
			case importmodetest.VerbFlip:
				flipped = flipped || sent && s.Mode != h.Cluster
			case importmodetest.VerbAgain:
				hasAgain = hasAgain || flipped
			case importmodetest.VerbRestart:
				hasRestart = hasRestart || stored
			}
		}
		if hasAgain {
			again++
		}
		if hasRestart {
			restarts++
		}
	}
	if again < 50 || restarts < 250 {
		t.Errorf("of 1000 histories, %d apply a manifest again after a flip and %d restart with a stream", again, restarts)
	}
	for _, v := range []importmodetest.Verb{importmodetest.VerbPut, importmodetest.VerbAgain, importmodetest.VerbEdit, importmodetest.VerbFlip, importmodetest.VerbRestart} {
		if got := float64(verbs[v]) / float64(all); math.Abs(got-0.2) > 0.05 {
			t.Errorf("%.3f of the steps are %s", got, v)
		}
	}
}
