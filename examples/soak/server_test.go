package main

import (
	"slices"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
)

// TestModes holds that a request is held against the modes that it can have met, and
// no other.
func TestModes(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	var r runs
	r.begin(legacy, at(0))
	r.over(at(10))
	r.begin(preserve, at(20))
	r.over(at(30))
	r.begin(preserve, at(40))
	for _, tc := range []struct {
		sent, answered int
		want           []imagev1.ImportModeType
	}{
		{1, 2, []imagev1.ImportModeType{legacy}},
		{5, 15, []imagev1.ImportModeType{legacy}},
		{9, 21, []imagev1.ImportModeType{legacy, preserve}},
		{11, 25, []imagev1.ImportModeType{preserve}},
		{25, 50, []imagev1.ImportModeType{preserve}},
		{12, 18, nil},
		{90, 91, []imagev1.ImportModeType{preserve}},
	} {
		if got := r.modes(at(tc.sent), at(tc.answered)); !slices.Equal(got, tc.want) {
			t.Errorf("from %d to %d: %v, want %v", tc.sent, tc.answered, got, tc.want)
		}
	}
	for i := range 3 * kept {
		r.over(at(100 + i))
		r.begin(legacy, at(100+i))
	}
	if len(r.all) > kept+1 {
		t.Errorf("%d runs are kept", len(r.all))
	}
}

// TestServed holds that only an error while the server was there counts.
func TestServed(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	var r runs
	r.begin(legacy, at(0))
	r.ready(at(5))
	r.ending(at(10))
	r.over(at(12))
	r.begin(legacy, at(20))
	for _, tc := range []struct {
		sent, answered int
		want           bool
	}{
		{6, 7, true}, {5, 9, true}, {4, 7, false}, {9, 10, false}, {11, 11, false}, {13, 14, false}, {21, 22, false}, {6, 22, false},
	} {
		if got := r.served(at(tc.sent), at(tc.answered)); got != tc.want {
			t.Errorf("from %d to %d: %v, want %v", tc.sent, tc.answered, got, tc.want)
		}
	}
	r.ready(at(25))
	if !r.served(at(26), at(99)) {
		t.Error("the run that lives does not count")
	}
}
