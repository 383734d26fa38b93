package main

import (
	"errors"
	"runtime"
	"slices"
	"time"
)

// A claim is one line of output: how long ours takes, divided by how long floor
// takes.
type claim struct {
	name  string
	limit float64 // 0 makes it an information line
	// setup builds the inputs and returns the two sides. Each call of a side is
	// one operation. A side that finds its own result wrong returns an error,
	// which ends the run: a fast wrong answer is no claim.
	setup func() (ours, floor func() error, err error)
}

// batchTime is how long one batch of the slower side is meant to take: long
// against the resolution of the clock, short against a scheduler's hiccup.
const batchTime = 4 * time.Millisecond

func (c claim) measure(batches int) (float64, error) {
	ours, floor, err := c.setup()
	if err != nil {
		return 0, err
	}
	n := 1
	for {
		o, err := batch(ours, n)
		if err != nil {
			return 0, err
		}
		f, err := batch(floor, n)
		if err != nil {
			return 0, err
		}
		if max(o, f) >= batchTime || n >= 1<<24 {
			break
		}
		n *= 2
	}
	return compare(ours, floor, n, batches)
}

// compare times n operations of each side, alternating, as often as it is told,
// and divides the medians.
func compare(ours, floor func() error, n, batches int) (float64, error) {
	runtime.GC()
	ourTimes := make([]time.Duration, 0, batches)
	floorTimes := make([]time.Duration, 0, batches)
	for i := range batches {
		// The order alternates so that what one side leaves behind (caches,
		// garbage) weighs on both alike.
		sides := [2]struct {
			op    func() error
			times *[]time.Duration
		}{{ours, &ourTimes}, {floor, &floorTimes}}
		if i%2 == 1 {
			sides[0], sides[1] = sides[1], sides[0]
		}
		for _, s := range sides {
			d, err := batch(s.op, n)
			if err != nil {
				return 0, err
			}
			*s.times = append(*s.times, d)
		}
	}
	return float64(median(ourTimes)) / float64(median(floorTimes)), nil
}

// A measured is a claim with a way to measure it.
type measured interface {
	of() claim
	measure(batches int) (float64, error)
}

func (c claim) of() claim { return c }

// A paired claim is about operations that wait more than they work. They are
// timed one by one, so that the median leaves out what they waited for in vain.
type paired struct {
	claim
	pairs   int          // of single operations, whatever -batches says
	cleanup func() error // undoes setup, also one that failed
}

func (p paired) measure(int) (ratio float64, err error) {
	defer func() { err = errors.Join(err, p.cleanup()) }()
	ours, floor, err := p.setup()
	if err != nil {
		return 0, err
	}
	return compare(ours, floor, 1, p.pairs)
}

func batch(op func() error, n int) (time.Duration, error) {
	start := time.Now()
	for range n {
		if err := op(); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	if len(d)%2 == 1 {
		return d[len(d)/2]
	}
	return (d[len(d)/2-1] + d[len(d)/2]) / 2
}
