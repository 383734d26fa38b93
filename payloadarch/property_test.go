package payloadarch_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/payloadarch"
)

var (
	anyArchitecture = rapid.SampledFrom([]string{"", "amd64", "arm64", "ppc64le", "s390x", "x86_64", "AMD64", "aarch64", "riscv64", " arm64 ", ",", "a,b"})
	anyOS           = rapid.SampledFrom([]string{"", "linux", "linux", "linux", "windows", "freebsd"})
)

// HyperShift reads an index with an entry twice as another one.
func TestIndexKindIsThatOfASet(t *testing.T) {
	anyEntry := rapid.Custom(func(t *rapid.T) payloadarch.Platform {
		switch rapid.IntRange(0, 9).Draw(t, "entry") {
		case 0:
			return attestation()
		case 1:
			return payloadarch.Platform{}
		}
		return entry(anyOS.Draw(t, "os"), anyArchitecture.Draw(t, "arch"))
	})
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(anyEntry, 0, 6).Draw(t, "entries")
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
	names := rapid.SliceOf(rapid.OneOf(anyArchitecture, rapid.String()))
	rapid.Check(t, func(t *rapid.T) {
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		s, u := payloadarch.SetOf(a...), payloadarch.SetOf(b...)
		if got := payloadarch.SetOf(append(rapid.Permutation(a).Draw(t, "order"), a...)...); got != s {
			t.Errorf("order or repetition matters: %q and %q", got, s)
		}
		if payloadarch.ParseSet(s.String()) != s {
			t.Errorf("%q does not round-trip", s)
		}
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
