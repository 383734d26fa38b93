package osimagestream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// The cases of the test package say what this package reports beside its answers:
// reasons, fields, problems and findings. These tests compare that; TestConformance
// compares the answers.

func diff(t *testing.T, what string, want, got any, opts ...cmp.Option) {
	t.Helper()
	if d := cmp.Diff(want, got, opts...); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// problems compares types, fields and values.
func problems(t *testing.T, want []osimagestreamtest.Problem, list field.ErrorList) {
	t.Helper()
	var got []osimagestreamtest.Problem
	for _, e := range list {
		p := osimagestreamtest.Problem{Type: e.Type, Field: e.Field, Value: e.BadValue}
		if e.Type == field.ErrorTypeRequired || strings.HasSuffix(e.Field, "machineConfigSelector") {
			p.Value = nil // nothing, or how a selector reads
		}
		got = append(got, p)
	}
	diff(t, "problems", want, got)
}

// findings compares codes, and paths if any is wanted.
func findings(t *testing.T, want []osimagestreamtest.Finding, list []osimagestream.Finding) {
	t.Helper()
	paths := slices.ContainsFunc(want, func(f osimagestreamtest.Finding) bool { return f.Path != "" })
	var got []osimagestreamtest.Finding
	for _, f := range list {
		if !paths {
			f.Path = ""
		}
		got = append(got, osimagestreamtest.Finding{Code: string(f.Code), Path: f.Path})
	}
	order := func(a, b osimagestreamtest.Finding) int { return strings.Compare(a.Path+" "+a.Code, b.Path+" "+b.Code) }
	want = slices.SortedFunc(slices.Values(want), order)
	if !paths {
		slices.SortFunc(got, order) // else they are in this order
	}
	diff(t, "findings", want, got)
}

// script writes steps down: verb and reason.
func script(steps []osimagestream.Step) (s []string) {
	for _, step := range steps {
		s = append(s, string(step.Verb)+" "+string(step.Reason))
	}
	return s
}
