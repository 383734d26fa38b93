package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
	"text/tabwriter"
	"time"
)

// A meter counts requests and their latencies, for each phase on its own.
type meter struct {
	mu     sync.Mutex
	phases []*phase
}

type phase struct {
	name        string
	began, over time.Time
	requests    map[string]*latencies
}

// A latencies is how many requests took how long. It holds no single ones, so that an
// hour needs as much memory as a minute: a bucket is 5 % wide.
type latencies struct {
	acknowledged, unanswered int
	buckets                  [400]int
}

const bucketWidth = 1.05

func bucket(took time.Duration) int {
	us := float64(took.Microseconds())
	if us < 1 {
		return 0
	}
	return min(int(math.Log(us)/math.Log(bucketWidth)), len(latencies{}.buckets)-1)
}

// percentile is the upper end of the bucket that it lies in.
func (l *latencies) percentile(p float64) time.Duration {
	rank, seen := int(math.Ceil(p*float64(l.acknowledged))), 0
	for b, n := range l.buckets {
		if seen += n; n > 0 && seen >= rank {
			return time.Duration(math.Pow(bucketWidth, float64(b+1))) * time.Microsecond
		}
	}
	return 0
}

// begin ends the phase that runs and begins the next.
func (m *meter) begin(name string, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.phases); n > 0 {
		m.phases[n-1].over = now
	}
	m.phases = append(m.phases, &phase{name: name, began: now, requests: map[string]*latencies{}})
}

// add counts the end of a request. Latencies are those of acknowledged ones.
func (m *meter) add(what string, took time.Duration, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.phases[len(m.phases)-1]
	l := p.requests[what]
	if l == nil {
		l = &latencies{}
		p.requests[what] = l
	}
	if err != nil {
		l.unanswered++
		return
	}
	l.acknowledged++
	l.buckets[bucket(took)]++
}

// total counts acknowledged and unanswered requests of all phases.
func (m *meter) total() (acknowledged, unanswered int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.phases {
		for _, l := range p.requests {
			acknowledged, unanswered = acknowledged+l.acknowledged, unanswered+l.unanswered
		}
	}
	return acknowledged, unanswered
}

// print prints a table for each phase that was ended.
func (m *meter) print(out io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.phases {
		if p.over.IsZero() {
			continue
		}
		long := p.over.Sub(p.began).Seconds()
		fmt.Fprintf(out, "%s, %.0f s\n", p.name, long)
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(t, "request\tacknowledged\tper s\tp50 ms\tp95 ms\tp99 ms\tunanswered\t\n")
		for _, what := range slices.Sorted(maps.Keys(p.requests)) {
			l := p.requests[what]
			fmt.Fprintf(t, "%s\t%d\t%.1f\t", what, l.acknowledged, float64(l.acknowledged)/long)
			for _, q := range []float64{0.50, 0.95, 0.99} {
				fmt.Fprintf(t, "%.1f\t", float64(l.percentile(q).Microseconds())/1000)
			}
			fmt.Fprintf(t, "%d\t\n", l.unanswered)
		}
		t.Flush()
	}
}
