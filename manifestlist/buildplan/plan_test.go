package buildplan

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A planRow is a case of Plan. Its name begins with the numbers of its rules.
type planRow struct {
	name  string
	facts func(t *testing.T) Facts
	want  planned
}

// planned is what the rows of Plan's tests compare.
type planned struct {
	next     Next
	reason   NextReason
	states   string
	problems []field.ErrorType
	findings []FindingCode
}

// twoJobs are the states of a build of amd64 and arm64 that begins.
const twoJobs = "amd64:Run/NoEarlierImage arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures"

func checkPlans(t *testing.T, rows []planRow) {
	t.Helper()
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			b := mustPlan(t, tc.facts(t))
			got := planned{next: b.Next, reason: b.Reason, states: states(b)}
			for _, p := range b.Problems {
				got.problems = append(got.problems, p.Type)
			}
			if len(b.Findings) > 0 {
				got.findings = codes(b.Findings)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(planned{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, finding := range b.Findings {
				if finding.Path == "" || finding.Detail == "" {
					t.Errorf("finding %+v says too little", finding)
				}
			}
		})
	}
}

func TestPlanCallerMistakes(t *testing.T) {
	for _, tc := range []struct {
		name, field string
		change      func(*Facts)
	}{
		{"no config", "Facts.Config", func(f *Facts) { f.Config = nil }},
		{"config without name", "Facts.Config", func(f *Facts) { f.Config.Name = "" }},
		{"config without pool", "Facts.Config", func(f *Facts) { f.Config.Spec.MachineConfigPool.Name = "" }},
		{"no rendered config", "Facts.Rendered", func(f *Facts) { f.Rendered = nil }},
		{"rendered config without name", "Facts.Rendered", func(f *Facts) { f.Rendered.Name = "" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			tc.change(&f)
			b, err := Plan(f)
			var input *InputError
			if !errors.As(err, &input) || input.Field != tc.field {
				t.Fatalf("error %v, want an *InputError for %s", err, tc.field)
			}
			if diff := cmp.Diff(Build{}, b); diff != "" {
				t.Errorf("not the zero result (-want +got):\n%s", diff)
			}
		})
	}
}
