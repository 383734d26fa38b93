package main

import (
	"bytes"
	"errors"
	"runtime/debug"
	"testing"
)

func TestSummary(t *testing.T) {
	samples := []sample{{ratio: 1.3, ours: 30, floor: 20}, {ratio: 1.1, ours: 10, floor: 20}, {ratio: 1.2, ours: 20, floor: 20}}
	// Both sides of the second pair were disturbed, ours alone in the third, and for the last
	// two the clock stood still.
	pairs := []sample{{pairs: []pair{{20, 10}, {60, 30}}}, {pairs: []pair{{90, 30}, {18, 10}, {22, 10}, {0, 10}, {20, 0}}}}
	for _, tc := range []struct {
		name    string
		samples []sample
		limit   float64
		hash    bool
		within  bool
		want    string
	}{
		{"within", samples, 1.2, false, true, "ratio x 1.200 1.20\nspread x 1.100 1.300\nbytes x 20 20\n"},
		{"over", samples, 1.19, false, false, "ratio x 1.200 1.19\nspread x 1.100 1.300\nbytes x 20 20\n"},
		{"the median of all pairs", pairs, 2, false, true, "ratio x 2.000 2.00\nspread x 2.000 2.200\n"},
		{"the shortest against a hash", pairs, 1.8, true, true, "ratio x 1.800 1.80\nspread x 1.800 2.000\n"},
		{"without a limit", samples, 0, false, true, "info x 1.200\nspread x 1.100 1.300\nbytes x 20 20\n"},
		{"no time at all", []sample{{pairs: []pair{{0, 0}}}}, 2, false, false, "ratio x NaN 2.00\nspread x NaN NaN\n"},
		{"no time at all against a hash", []sample{{pairs: []pair{{0, 0}}}}, 2, true, false, "ratio x NaN 2.00\nspread x NaN NaN\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := summarize(claim{name: "x", limit: tc.limit, hash: tc.hash}, tc.samples)
			if r.within() != tc.within {
				t.Errorf("within is %t", r.within())
			}
			var b bytes.Buffer
			if r.print(&b); b.String() != tc.want {
				t.Errorf("printed\n%s, want\n%s", b.String(), tc.want)
			}
		})
	}
}

func TestBytesAreHeld(t *testing.T) {
	for _, tc := range []struct {
		name        string
		limit       float64
		ours, floor uint64
		within      bool
	}{
		{"half as many again as the limit", 2, 60, 20, true},
		{"more", 2, 61, 20, false},
		{"a limit below one is not one of bytes", 0.5, 30, 20, true},
		{"but half as many again is", 0.5, 31, 20, false},
		{"the floor allocates nothing", 2, 61, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := summarize(claim{limit: tc.limit}, []sample{{ratio: 0.1, ours: tc.ours, floor: tc.floor}})
			if r.within() != tc.within {
				t.Errorf("within is %t", r.within())
			}
		})
	}
}

func TestHeld(t *testing.T) {
	c := claim{name: "x", limit: 1.2}
	history := []result{{claim: c, ratio: 1.1}, {claim: c, ratio: 1.3}, {claim: c, ratio: 1.2}}
	var b bytes.Buffer
	if printHeld(&b, history, held(history)); b.String() != "held x 2/3 1.100 1.300\n" {
		t.Errorf("printed %s", b.String())
	}
}

var sink []byte

// TestCompare holds what does not depend on a clock.
func TestCompare(t *testing.T) {
	allocate := func(n int) func() error {
		return func() error {
			sink = make([]byte, n)
			return nil
		}
	}
	percent := debug.SetGCPercent(80)
	defer debug.SetGCPercent(percent)
	s, err := compare(allocate(8<<10), allocate(1<<10), 3)
	if err != nil || len(s.pairs) != 3 || s.ours < 8<<10 || s.ours > 9<<10 || s.floor < 1<<10 || s.floor > 2<<10 {
		t.Errorf("%+v, %v", s, err)
	}
	wrong := errors.New("wrong answer")
	if _, err := compare(allocate(1), func() error { return wrong }, 3); err != wrong {
		t.Errorf("the error is %v", err)
	}
	if p := debug.SetGCPercent(80); p != 80 {
		t.Errorf("the collector is left at %d", p)
	}
}

func TestGrowth(t *testing.T) {
	var seen [][2]int
	ours, floor := growth(20, func(from, to int) func() error {
		return func() error { seen = append(seen, [2]int{from, to}); return nil }
	})
	for range 11 {
		if err := floor(); err != nil {
			t.Fatal(err)
		}
	}
	if err := ours(); err != nil {
		t.Fatal(err)
	}
	want := [][2]int{{2, 4}, {4, 6}, {6, 8}, {8, 10}, {10, 12}, {12, 14}, {14, 16}, {16, 18}, {18, 20}, {0, 2}, {2, 4}, {0, 20}}
	for i := range want {
		if len(seen) != len(want) || seen[i] != want[i] {
			t.Fatalf("%v, want %v", seen, want)
		}
	}
}

func TestClaimsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range claims() {
		name := m.of().name
		if name == "" || seen[name] {
			t.Errorf("%q names no claim, or two", name)
		}
		seen[name] = true
	}
}
