package main

import (
	"fmt"
	"maps"
	"slices"
)

// report prints the figures, and returns an error if anything was violated or grew.
func (s *soak) report() error {
	s.meter.print(s.out)
	fmt.Fprintln(s.out, "growth, at rest, after garbage collection and compaction: medians of the first and of the last quarter of the samples")
	if len(s.growing.all) == 0 {
		fmt.Fprintf(s.out, "  NOT MEASURED: %v\n", errNotLinux)
	}
	grew, slightly := 0, ""
	for _, series := range s.growing.all {
		g := series.growth()
		if g.tooMuch() {
			grew++
		} else if g.beyond() {
			slightly = ", but for small numbers"
		}
		fmt.Fprintf(s.out, "  %s\n", g)
	}
	for _, how := range slices.Sorted(maps.Keys(s.restarts)) {
		fmt.Fprintf(s.out, "ended by %s: %d times\n", how, s.restarts[how])
	}
	acknowledged, unanswered := s.meter.total()
	fmt.Fprintf(s.out, "soak: %d requests acknowledged, %d unanswered, %d checks, %d violations, %d series of %d grew by more than %.0f %%%s\n",
		acknowledged, unanswered, s.checks, len(s.wrong), grew, len(s.growing.all), maxGrowth*100, slightly)
	if len(s.wrong) > 0 || grew > 0 {
		return fmt.Errorf("%d violations, %d series grew; again: make soak SOAK=%s SEED=%d", len(s.wrong), grew, s.long, s.seed)
	}
	return nil
}
