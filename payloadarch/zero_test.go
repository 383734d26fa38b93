package payloadarch_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/zerotest"
	"github.com/polyarch/polyarch/payloadarch"
)

func TestZeroValues(t *testing.T) {
	single := payloadarch.Verdict{Kind: payloadarch.Single}
	zerotest.Check(t,
		payloadarch.Kind(0), payloadarch.Multi,
		payloadarch.Verdict{}, payloadarch.FromHostedCluster("x"), payloadarch.FromIndex(entries(attestation())),
		payloadarch.Reason(""), payloadarch.TransitionReason(""), payloadarch.DesiredUpdateReason(""),
		payloadarch.FindingCode(""), payloadarch.Finding{}, payloadarch.Finding{Code: payloadarch.FindingAlias, Path: "p", Detail: "d"},
		payloadarch.MetadataErrorCode(""), payloadarch.MetadataError{}, payloadarch.MetadataError{Code: payloadarch.MetadataWrongKind},
		payloadarch.Platform{}, payloadarch.Platform{OS: "linux", Architecture: "amd64"},
		payloadarch.Change(0), payloadarch.MultiToSingle,
		payloadarch.Transition{}, payloadarch.TransitionOf(payloadarch.Multi, single, nil),
		payloadarch.DesiredUpdate{}, payloadarch.CheckDesiredUpdate(nil, &configv1.Update{Architecture: multi}, payloadarch.Multi),
		payloadarch.Set{}, payloadarch.SetOf("amd64"),
	)
}

// A zero value gives no answer and blames nobody.
func TestZeroValuesSayNothing(t *testing.T) {
	if diff := cmp.Diff(payloadarch.Verdict{Kind: payloadarch.Unknown}, payloadarch.Verdict{}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(payloadarch.Transition{Change: payloadarch.NoChange}, payloadarch.Transition{}); diff != "" {
		t.Error(diff)
	}
	var e payloadarch.MetadataError
	if got, want := e.Error(), "release metadata: cannot be read"; got != want {
		t.Errorf("zero MetadataError says %q, want %q", got, want)
	}
	if errors.Unwrap(&e) != nil {
		t.Error("zero MetadataError wraps an error")
	}
}

func TestFindingString(t *testing.T) {
	for _, tc := range []struct {
		finding payloadarch.Finding
		want    string
	}{
		{payloadarch.Finding{Code: "C", Path: "p", Detail: "d"}, "p: d"},
		{payloadarch.Finding{Code: "C", Detail: "d"}, "d"},
	} {
		if got := tc.finding.String(); got != tc.want {
			t.Errorf("%#v.String() = %q, want %q", tc.finding, got, tc.want)
		}
	}
}
