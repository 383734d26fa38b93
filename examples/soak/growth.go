package main

import (
	"fmt"
	"slices"
	"strings"
)

// maxGrowth is by how much anything may have grown at the end.
const maxGrowth = 0.10

// A series is one thing that must not grow, measured again and again in the same state.
type series struct {
	name, unit string
	// slack is how much more counts as the same, for what is counted in small numbers.
	slack  float64
	values []float64
}

// A growth is the first and the last of it.
type growth struct {
	name, unit string
	samples    int     // on each side
	first      float64 // the median of the first quarter of the samples
	last       float64 // and of the last one
	slack      float64
}

// enough is how many samples each side wants, so that one of them does not decide.
const enough = 5

// growth compares the medians of the first and of the last quarter. Medians of several
// samples, since a single one has whatever the machine was at.
func (s *series) growth() growth {
	n := len(s.values) / 4
	g := growth{name: s.name, unit: s.unit, samples: n, slack: s.slack}
	if n > 0 {
		g.first, g.last = median(s.values[:n]), median(s.values[len(s.values)-n:])
	}
	return g
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}

// judged reports whether there are samples enough to say anything.
func (g growth) judged() bool { return g.samples >= enough }

func (g growth) tooMuch() bool { return g.beyond() && g.last > g.first+g.slack }

// beyond reports whether more has grown than the share that may be, by however little.
func (g growth) beyond() bool { return g.judged() && g.last > g.first*(1+maxGrowth) }

func (g growth) String() string {
	verdict := "ok"
	switch {
	case !g.judged():
		verdict = fmt.Sprintf("not judged: %d samples on each side, it takes %d", g.samples, enough)
	case g.tooMuch():
		verdict = fmt.Sprintf("GREW by more than %.0f %%", maxGrowth*100)
	case g.beyond():
		verdict = strings.TrimSpace(fmt.Sprintf("within %g %s", g.slack, g.unit))
	}
	change := 0.0
	if g.first > 0 {
		change = (g.last/g.first - 1) * 100
	}
	return fmt.Sprintf("%s: first %.1f, last %.1f %s (%+.1f %%, medians of %d samples): %s", g.name, g.first, g.last, g.unit, change, g.samples, verdict)
}
