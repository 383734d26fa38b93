package conformance

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	call := func(int) Outcome { return Outcome{} }
	good := Suite[int]{Package: "p", RuleSets: []string{"v1"},
		Rules: []Rule{{ID: "a", Since: "v1"}}, Rows: []Row[int]{{Rule: "a", Name: "x", Call: call}}}
	for _, tc := range []struct {
		name    string
		change  func(*Suite[int])
		options Options
		want    string // "" for nothing
	}{
		{"nothing wrong", func(*Suite[int]) {}, Options{RuleSet: "v1"}, ""},
		{"no rule set", func(*Suite[int]) {}, Options{}, "Options.RuleSet"},
		{"unknown rule set", func(*Suite[int]) {}, Options{RuleSet: "v7"}, "v7"},
		{"unknown strength", func(*Suite[int]) {}, Options{RuleSet: "v1", Strengths: []Strength{"Should"}}, "Should"},
		{"deviation from an unknown rule", func(*Suite[int]) {}, Options{RuleSet: "v1", Deviations: []Deviation{{Rule: "b", Reason: "r"}}}, "from b"},
		{"deviation from an unknown row", func(*Suite[int]) {}, Options{RuleSet: "v1", Deviations: []Deviation{{Rule: "a", Row: "y", Reason: "r"}}}, "from a/y"},
		{"deviation without a reason", func(*Suite[int]) {}, Options{RuleSet: "v1", Deviations: []Deviation{{Rule: "a", Reason: " "}}}, "no reason"},
		{"one id twice", func(s *Suite[int]) { s.Rules = append(s.Rules, s.Rules[0]) }, Options{RuleSet: "v1"}, "two rules"},
		{"one row twice", func(s *Suite[int]) { s.Rows = append(s.Rows, s.Rows[0]) }, Options{RuleSet: "v1"}, "two rows"},
		{"a rule since nothing", func(s *Suite[int]) { s.Rules[0].Since = "v0" }, Options{RuleSet: "v1"}, "v0"},
		{"a row of no rule", func(s *Suite[int]) { s.Rows[0].Rule = "b" }, Options{RuleSet: "v1"}, "there is not"},
		{"a rule without a row", func(s *Suite[int]) { s.Rows = nil }, Options{RuleSet: "v1"}, "neither row nor property"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := good
			s.Rules, s.Rows = append([]Rule(nil), good.Rules...), append([]Row[int](nil), good.Rows...)
			tc.change(&s)
			got := strings.Join(check(s, tc.options), "\n")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("problems %q, want %q", got, tc.want)
			}
		})
	}
}
