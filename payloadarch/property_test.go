package payloadarch_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

// HyperShift reads an index with an entry twice as another one.
func TestIndexKindIsThatOfASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := ours.Platforms(payloadarchtest.Indexes().Draw(t, "entries"))
		got := payloadarch.FromIndex(entries)
		again := payloadarch.FromIndex(append(rapid.Permutation(entries).Draw(t, "order"), entries...))
		if got.Kind != again.Kind {
			t.Errorf("kind is %v, with every entry twice %v", got.Kind, again.Kind)
		}
		if got.Kind == payloadarch.Unknown || len(got.Problems) > 0 {
			t.Errorf("verdict %+v", got)
		}
	})
}

func TestSetProperties(t *testing.T) {
	names := rapid.OneOf(payloadarchtest.TypedNames(), rapid.SliceOf(rapid.String()))
	rapid.Check(t, func(t *rapid.T) {
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		s, u := payloadarch.SetOf(a...), payloadarch.SetOf(b...)
		if s.Union(u) != u.Union(s) || s.Union(u) != payloadarch.SetOf(append(slices.Clone(a), b...)...) {
			t.Errorf("union of %q and %q is %q one way, %q the other", s, u, s.Union(u), u.Union(s))
		}
	})
}

// What is reported for a kind is read back as that kind once it is settled.
func TestReportedKindIsReadBack(t *testing.T) {
	for _, k := range []payloadarch.Kind{payloadarch.Single, payloadarch.Multi} {
		cv := clusterVersion(payloadarch.ReportedArchitecture(k), v1, imageA, completed(v1, imageA))
		if got := payloadarch.FromClusterVersion(cv, featureGate(enabled(v1))); got.Kind != k {
			t.Errorf("%v is read back as %v", k, got.Kind)
		}
	}
}
