package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

const (
	// batchTime is how long one batch of either side is meant to take at least:
	// long against the resolution of the clock. Both sides get batches of the same
	// length.
	batchTime = 500 * time.Microsecond
	// warmTime is how long a side runs before it counts: caches fill, and the
	// memory that the first operations allocate is touched.
	warmTime = 20 * time.Millisecond
	// roundTime is when a round ends even if it has not had all its pairs.
	roundTime = 400 * time.Millisecond
	fewest    = 7 // pairs of a round, whatever they take
	// garbage is how many bytes are allocated between two collections. A few
	// batches of most claims; and little enough to stay in the caches of the
	// processor.
	garbage = 16 << 20
)

// compare runs batches of two operations in turn on one thread, and takes the CPU time of
// each. Those of a pair follow each other within a few milliseconds, so that whoever shares
// the processor with them slows both alike, and their ratio stays.
//
// The collector of garbage is off in a batch. It runs on threads of its own, or
// makes the one that allocates help, as it happens, and what it costs depends on
// all that is alive: the inputs, most of all, which are the benchmark's. So it runs
// between pairs, and is in no time; allocation, which finds the memory and clears
// it, is in both. That whoever allocates more makes the collector run more often is
// held by result.within.
func compare(ours, floor func() error, pairs int) (sample, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()

	length := batchTime
	for _, op := range [...]func() error{ours, floor} {
		one, err := warm(op)
		if err != nil {
			return sample{}, err
		}
		length = max(length, one)
	}
	sides := [...]side{{op: ours}, {op: floor}}
	for i := range sides {
		if err := sides[i].calibrate(length); err != nil {
			return sample{}, err
		}
	}
	runtime.GC()
	result := sample{ours: sides[0].bytes, floor: sides[1].bytes}
	begin, last := cpuTime(), allocated()
	for n := 0; n < pairs && (n < fewest || cpuTime()-begin < roundTime); n++ {
		if bytes := allocated(); bytes-last > garbage {
			runtime.GC()
			last = bytes
		}
		var p pair
		// The order alternates, so that what one side leaves behind (in caches)
		// weighs on both alike.
		for _, k := range [...]int{n % 2, 1 - n%2} {
			d, err := spent(cpuTime, sides[k].op, sides[k].n)
			if err != nil {
				return sample{}, err
			}
			p[k] = float64(d) / float64(sides[k].n)
		}
		result.pairs = append(result.pairs, p)
	}
	return result, nil
}

// warm runs the operation until it has had its time, and returns the shortest.
func warm(op func() error) (time.Duration, error) {
	shortest := time.Duration(math.MaxInt64)
	for begin := cpuTime(); cpuTime()-begin < warmTime; {
		d, err := spent(cpuTime, op, 1)
		if err != nil {
			return 0, err
		}
		shortest = min(shortest, d)
	}
	return shortest, nil
}

// A side is one of the two operations of a claim.
type side struct {
	op    func() error
	n     int    // operations of a batch
	bytes uint64 // allocated by one operation
}

// calibrate finds how many operations take about as long as a batch is to be, and
// how many bytes one allocates.
func (s *side) calibrate(length time.Duration) error {
	for s.n = 1; ; s.n *= 2 {
		before := allocated()
		d, err := spent(cpuTime, s.op, s.n)
		if err != nil {
			return err
		}
		if 2*d >= length || s.n >= 1<<24 {
			s.bytes = (allocated() - before) / uint64(s.n)
			s.n = max(1, int(float64(s.n)*float64(length)/float64(d)+0.5))
			return nil
		}
	}
}

// spent returns what n operations take on the clock.
func spent(clock func() time.Duration, op func() error, n int) (time.Duration, error) {
	begin := clock()
	for range n {
		if err := op(); err != nil {
			return 0, err
		}
	}
	return clock() - begin, nil
}

// allocated returns how many bytes the process has allocated in all.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// compareWaiting divides the medians of the wall times of two operations, which
// take turns.
func compareWaiting(ours, floor func() error, pairs int) (float64, error) {
	sides := [...]func() error{ours, floor}
	var times [2][]time.Duration
	for i := range pairs {
		for _, k := range [...]int{i % 2, 1 - i%2} {
			d, err := spent(wallTime, sides[k], 1)
			if err != nil {
				return 0, err
			}
			times[k] = append(times[k], d)
		}
	}
	for k := range times {
		slices.Sort(times[k])
	}
	return float64(median(times[0])) / float64(median(times[1])), nil
}

// start is when the process began, for a clock that nothing sets back.
var start = time.Now()

func wallTime() time.Duration { return time.Since(start) }
