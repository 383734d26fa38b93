package payloadarch_test

import (
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestKindString(t *testing.T) {
	for kind, want := range map[payloadarch.Kind]string{
		payloadarch.Unknown: "Unknown",
		payloadarch.Single:  "Single",
		payloadarch.Multi:   "Multi",
		payloadarch.Kind(7): "Kind(7)",
	} {
		if got := kind.String(); got != want {
			t.Errorf("Kind(%d).String() = %q, want %q", uint8(kind), got, want)
		}
	}
}

// Upstream, the value read from the update service ("multi") was compared with the
// one written here ("Multi"), which froze update retrieval (OCPBUGS-57646).
func TestReportedArchitecture(t *testing.T) {
	for _, tc := range []struct {
		name string
		kind payloadarch.Kind
		want configv1.ClusterVersionArchitecture
	}{
		{"34: multi", payloadarch.Multi, "Multi"},
		{"35: single", payloadarch.Single, ""},
		{"35: not known", payloadarch.Unknown, ""},
		{"35: not a kind", payloadarch.Kind(7), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := payloadarch.ReportedArchitecture(tc.kind); got != tc.want {
				t.Errorf("ReportedArchitecture(%v) = %q, want %q", tc.kind, got, tc.want)
			}
		})
	}
}
