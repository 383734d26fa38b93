package payloadarch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch"
)

// A problem or a finding is compared by what machines read of it; prose is free
// to change, but has to be there.

type problem struct {
	Type  field.ErrorType
	Field string
}

func problemsOf(t *testing.T, list field.ErrorList) []problem {
	t.Helper()
	var out []problem
	for _, e := range list {
		if e.Detail == "" && e.Type != field.ErrorTypeDuplicate {
			t.Errorf("problem %v has no detail", e)
		}
		out = append(out, problem{e.Type, e.Field})
	}
	return out
}

type finding struct {
	Code payloadarch.FindingCode
	Path string
}

func findingsOf(t *testing.T, list []payloadarch.Finding) []finding {
	t.Helper()
	var out []finding
	for _, f := range list {
		if f.Detail == "" {
			t.Errorf("finding %s at %s has no detail", f.Code, f.Path)
		}
		out = append(out, finding{f.Code, f.Path})
	}
	return out
}

// verdict is a payloadarch.Verdict as far as it is compared.
type verdict struct {
	Kind     payloadarch.Kind
	Reason   payloadarch.Reason
	Field    string
	Problems []problem
	Findings []finding
}

func checkVerdict(t *testing.T, got payloadarch.Verdict, want verdict) {
	t.Helper()
	g := verdict{got.Kind, got.Reason, got.Field, problemsOf(t, got.Problems), findingsOf(t, got.Findings)}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("verdict differs (-want +got):\n%s", diff)
	}
}
