package payloadarch_test

import (
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestKind(t *testing.T) {
	for _, tc := range []struct {
		kind     payloadarch.Kind
		name     string
		reported configv1.ClusterVersionArchitecture
	}{
		{payloadarch.Unknown, "Unknown", ""},
		{payloadarch.Single, "Single", ""},
		{payloadarch.Multi, "Multi", configv1.ClusterVersionArchitectureMulti},
		{payloadarch.Kind(7), "Kind(7)", ""},
	} {
		if got := tc.kind.String(); got != tc.name {
			t.Errorf("Kind(%d).String() = %q, want %q", uint8(tc.kind), got, tc.name)
		}
		// Upstream, the value read from the update service ("multi") was compared
		// with the one written here ("Multi"), which froze update retrieval.
		if got := payloadarch.ReportedArchitecture(tc.kind); got != tc.reported {
			t.Errorf("ReportedArchitecture(%v) = %q, want %q", tc.kind, got, tc.reported)
		}
	}
}

func TestZeroVerdict(t *testing.T) {
	checkVerdict(t, payloadarch.Verdict{}, verdict{Kind: payloadarch.Unknown})
}
