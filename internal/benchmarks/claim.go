package main

import "errors"

// A claim is how long ours takes, divided by how long floor takes.
type claim struct {
	name  string
	limit float64 // 0 makes it an information line
	// hash says that floor computes SHA-256 and nothing else, which only undisturbed does
	// justice to.
	hash bool
	// setup builds the inputs and returns the two sides. Each call of a side is
	// one operation. A side that finds its own result wrong returns an error,
	// which ends the run: a fast wrong answer is no claim.
	setup func() (ours, floor func() error, err error)
}

// growth returns the operation on all of n things, against that on a tenth of them:
// the next tenth each time. So both sides find as little of their input in the
// caches of the processor, which hold what is small: the growth is that of the work.
// What remains over ten is the logarithm of sorting, and memory that ours has been
// through when it comes back to it. part makes the operation on those from one to
// before another.
func growth(n int, part func(from, to int) func() error) (ours, floor func() error) {
	const tenths = 10
	var parts [tenths]func() error
	for i := range parts {
		parts[i] = part(i*n/tenths, (i+1)*n/tenths)
	}
	next := 0
	return part(0, n), func() error {
		next = (next + 1) % tenths
		return parts[next]()
	}
}

// A measured is a claim with a way to measure it.
type measured interface {
	of() claim
	// round measures it in the given round, the first of which is 0. A claim may
	// use up in the first round all that it measures.
	round(n int, o options) ([]sample, error)
}

// A sample is what one round found: the times of pairs, or of what waits the ratio alone.
type sample struct {
	pairs []pair
	ratio float64
	// ours and floor are bytes allocated by one operation, 0 if not measured.
	ours, floor uint64
}

// options is how much is measured.
type options struct {
	rounds int
	pairs  int // of batches in a round, at most
}

func (c claim) of() claim { return c }

// estimate makes one ratio of the pairs.
func (c claim) estimate(pairs []pair) float64 {
	if c.hash {
		return undisturbed(pairs)
	}
	return typical(pairs)
}

// round builds the inputs anew: where in memory they happen to be makes a
// difference of some percent, and so counts as much as any other luck.
func (c claim) round(_ int, o options) ([]sample, error) {
	ours, floor, err := c.setup()
	if err != nil {
		return nil, err
	}
	pairs := o.pairs
	if c.hash {
		pairs *= 8 // to find undisturbed ones
	}
	s, err := compare(ours, floor, pairs)
	return []sample{s}, err
}

// A paired claim is about operations that wait more than they work, for a disk or
// a peer. Their wall time is taken, one by one in turn, and the medians are
// compared, so that what they waited for in vain is left out.
type paired struct {
	claim
	pairs   int          // of single operations, whatever -pairs says
	cleanup func() error // undoes setup, also one that failed
}

// round measures all in the first round, since setup takes long, and gives a
// sample of each part of it.
func (p paired) round(n int, o options) (samples []sample, err error) {
	if n > 0 {
		return nil, nil
	}
	defer func() { err = errors.Join(err, p.cleanup()) }()
	ours, floor, err := p.setup()
	if err != nil {
		return nil, err
	}
	for range o.rounds {
		ratio, err := compareWaiting(ours, floor, max(1, p.pairs/o.rounds))
		if err != nil {
			return nil, err
		}
		samples = append(samples, sample{ratio: ratio})
	}
	return samples, nil
}

// A result is what all rounds found for one claim.
type result struct {
	claim
	ratio           float64 // of all rounds
	lowest, highest float64 // of a round
	ours, floor     uint64  // bytes allocated by one operation, the median
}

func summarize(c claim, samples []sample) result {
	var all []pair
	for i := range samples {
		if s := &samples[i]; s.pairs != nil {
			all = append(all, s.pairs...)
			s.ratio = c.estimate(s.pairs)
		}
	}
	ratios := sorted(samples, func(s sample) float64 { return s.ratio })
	ratio := median(ratios)
	if all != nil {
		ratio = c.estimate(all)
	}
	return result{
		claim: c, ratio: ratio, lowest: ratios[0], highest: ratios[len(ratios)-1],
		ours:  median(sorted(samples, func(s sample) uint64 { return s.ours })),
		floor: median(sorted(samples, func(s sample) uint64 { return s.floor })),
	}
}

// within reports whether the claim holds. The collector is not in the times, and
// what it costs grows with the allocated bytes: where the floor allocates at all,
// ours may allocate half as many bytes again as the limit is times those of the
// floor, or as the floor where the limit is below one.
func (r result) within() bool {
	if r.limit == 0 {
		return true
	}
	return r.ratio <= r.limit && (r.floor == 0 || float64(r.ours) <= 1.5*max(r.limit, 1)*float64(r.floor))
}
