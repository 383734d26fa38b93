package main

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A pair is the time of one operation of ours and one of floor, in nanoseconds. The
// batches that it was taken from followed each other.
type pair [2]float64

// typical is the median of the pairs' ratios. A virtual machine that sets its clock right may
// have a batch take no time: such a pair does not count.
func typical(pairs []pair) float64 {
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return min(p[0], p[1]) <= 0 })
	if len(pairs) == 0 {
		return math.NaN()
	}
	return median(sorted(pairs, func(p pair) float64 { return p[0] / p[1] }))
}

// undisturbed divides the shortest time of ours by the shortest of floor. It is for a floor
// that whoever shares the core slows less than ours: where a virtual machine had two speeds,
// SHA-256 took 6 % longer at the lower one, and sorting 512 numbers 60 %.
func undisturbed(pairs []pair) float64 {
	var times [2]float64
	for k := range times {
		times[k] = math.Inf(1)
		for _, p := range pairs {
			if p[k] > 0 {
				times[k] = min(times[k], p[k])
			}
		}
	}
	return times[0] / times[1]
}

func sorted[S any, V cmp.Ordered](of []S, by func(S) V) []V {
	values := make([]V, len(of))
	for i := range of {
		values[i] = by(of[i])
	}
	slices.Sort(values)
	return values
}

// median takes sorted values, at least one.
func median[V uint64 | float64 | time.Duration](v []V) V {
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return v[n/2-1]/2 + v[n/2]/2
}
