package payloadarch_test

import (
	"testing"

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

// The kit has no kind that is none.
func TestReportedArchitectureOfNoKind(t *testing.T) {
	if got := payloadarch.ReportedArchitecture(payloadarch.Kind(7)); got != "" {
		t.Errorf("ReportedArchitecture(Kind(7)) = %q, want it empty", got)
	}
}
