package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGrowth gives the judge of growth series that grow, and others.
func TestGrowth(t *testing.T) {
	ramp := func(n int, from, to float64) (values []float64) {
		for i := range n {
			values = append(values, from+(to-from)*float64(i)/float64(n-1))
		}
		return values
	}
	flat := func(n int) []float64 { return ramp(n, 100, 100) }
	spoiled := flat(40)
	for i := 30; i < 34; i++ {
		spoiled[i] = 1000
	}
	for _, tc := range []struct {
		name   string
		series series
		says   string
	}{
		{"no sample", series{}, "not judged"},
		{"too few samples", series{values: ramp(19, 1, 100)}, "not judged"},
		{"the same all the time", series{values: flat(20)}, "ok"},
		{"grows by a half", series{values: ramp(40, 100, 150)}, "GREW"},
		{"grows by 10 % between the medians", series{values: append(flat(30), ramp(10, 110, 110)...)}, "ok"},
		{"grows by 11 % between the medians", series{values: append(flat(30), ramp(10, 111, 111)...)}, "GREW"},
		{"shrinks", series{values: ramp(40, 150, 100)}, "ok"},
		{"a few samples of a busy machine", series{values: spoiled}, "ok"},
		{"one descriptor more", series{slack: countSlack, values: append(ramp(30, 4, 4), ramp(10, 5, 5)...)}, "within 3"},
		{"four MiB more, of fifty", series{unit: "MiB", slack: memorySlack, values: append(ramp(30, 50, 50), ramp(10, 54, 54)...)}, "ok"},
		{"four MiB more, of twenty", series{unit: "MiB", slack: memorySlack, values: append(ramp(30, 20, 20), ramp(10, 24, 24)...)}, "within 4 MiB"},
		{"four descriptors more", series{slack: countSlack, values: append(ramp(30, 4, 4), ramp(10, 8, 8)...)}, "GREW"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := slices.Clone(tc.series.values)
			g := tc.series.growth()
			if _, verdict, _ := strings.Cut(g.String(), "): "); !strings.HasPrefix(verdict, tc.says) || g.tooMuch() != (tc.says == "GREW") {
				t.Errorf("it says %q, too much %v; want %s", g, g.tooMuch(), tc.says)
			}
			if !slices.Equal(before, tc.series.values) {
				t.Error("the samples were changed")
			}
		})
	}
}

// TestMeter holds the percentiles against known latencies.
func TestMeter(t *testing.T) {
	m := &meter{}
	m.begin("one", time.Unix(0, 0))
	for ms := 1; ms <= 1000; ms++ {
		m.add("get", time.Duration(ms)*time.Millisecond, nil)
	}
	m.add("get", time.Hour, errors.New("no answer"))
	m.begin("two", time.Unix(10, 0))
	m.add("put", 0, nil)
	l := m.phases[0].requests["get"]
	for p, want := range map[float64]time.Duration{0.5: 500 * time.Millisecond, 0.95: 950 * time.Millisecond, 0.99: 990 * time.Millisecond, 1: time.Second} {
		if got := l.percentile(p); got < want || float64(got) > float64(want)*bucketWidth*bucketWidth {
			t.Errorf("percentile %v: %s, want %s or a little more", p, got, want)
		}
	}
	if a, u := m.total(); a != 1001 || u != 1 {
		t.Errorf("%d acknowledged, %d unanswered", a, u)
	}
	var out strings.Builder
	m.print(&out)
	if !strings.Contains(out.String(), "100.0") || strings.Contains(out.String(), "put") {
		t.Errorf("want 100 a second, and only what has ended:\n%s", &out)
	}
}
