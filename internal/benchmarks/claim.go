package main

import (
	"errors"
	"math"
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

// batchTime is how long one batch of either side is meant to take at least: long
// against the resolution of the clock, short against a scheduler's slice, so
// that most batches are not interrupted and the median is one of them. Both
// sides get batches of the same length, since a longer one is interrupted, and
// collects garbage, more often.
const batchTime = 500 * time.Microsecond

func (c claim) measure(batches int) (float64, error) {
	ours, floor, err := c.setup()
	if err != nil {
		return 0, err
	}
	length := batchTime
	for _, op := range []func() error{ours, floor} {
		if err := warm(op); err != nil {
			return 0, err
		}
		one, err := shortest(op)
		if err != nil {
			return 0, err
		}
		length = max(length, one)
	}
	o, err := calibrate(ours, length)
	if err != nil {
		return 0, err
	}
	f, err := calibrate(floor, length)
	if err != nil {
		return 0, err
	}
	return compare(side{ours, o}, side{floor, f}, batches)
}

// warmTime is how long a side runs before it counts: caches fill, the heap
// grows to its size and the processor to its speed.
const warmTime = 100 * time.Millisecond

func warm(op func() error) error {
	for start := time.Now(); time.Since(start) < warmTime; {
		if err := op(); err != nil {
			return err
		}
	}
	return nil
}

// shortest returns the time of one operation, the best of a few.
func shortest(op func() error) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for range 5 {
		d, err := batch(op, 1)
		if err != nil {
			return 0, err
		}
		best = min(best, d)
	}
	return best, nil
}

// A side is an operation and how many of it make a batch.
type side struct {
	op func() error
	n  int
}

// calibrate returns how many operations take about as long as a batch is to be.
func calibrate(op func() error, length time.Duration) (int, error) {
	for n := 1; ; n *= 2 {
		d, err := batch(op, n)
		if err != nil {
			return 0, err
		}
		if 2*d >= length || n >= 1<<24 {
			return max(1, int(float64(n)*float64(length)/float64(d)+0.5)), nil
		}
	}
}

// compare times batches of both sides in turn and divides the medians of the
// times of one operation.
func compare(ours, floor side, batches int) (float64, error) {
	runtime.GC()
	sides := [2]side{ours, floor}
	var times [2][]time.Duration
	for i := range batches {
		// The order alternates so that what one side leaves behind (caches,
		// garbage) weighs on both alike.
		for _, k := range [2]int{i % 2, 1 - i%2} {
			d, err := batch(sides[k].op, sides[k].n)
			if err != nil {
				return 0, err
			}
			times[k] = append(times[k], d)
		}
	}
	perOp := func(k int) float64 { return float64(median(times[k])) / float64(sides[k].n) }
	return perOp(0) / perOp(1), nil
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
	return compare(side{ours, 1}, side{floor, 1}, p.pairs)
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
