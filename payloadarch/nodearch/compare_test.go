package nodearch_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
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
	Code nodearch.FindingCode
	Path string
}

func findingsOf(t *testing.T, list []nodearch.Finding) []finding {
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

// gap is why a set is incomplete and where; it is zero for one that is complete.
type gap struct {
	Reason nodearch.Reason
	Field  string
}

func gapOf(t *testing.T, incomplete bool, reason nodearch.Reason, field string) gap {
	t.Helper()
	complete := reason == nodearch.ReasonComplete
	if reason == "" || incomplete == complete || complete != (field == "") {
		t.Errorf("incomplete = %v with reason %q at %q", incomplete, reason, field)
	}
	if complete {
		return gap{}
	}
	return gap{reason, field}
}
