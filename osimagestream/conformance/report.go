package conformance

import (
	"fmt"
	"strings"
)

// State is what became of a rule.
type State string

const (
	// StatePass: every row and property that ran holds.
	StatePass State = "pass"
	// StateFail: one does not hold.
	StateFail State = "fail"
	// StateDeviates: what does not hold is listed as a deviation.
	StateDeviates State = "deviates"
	// StateNotImplemented: the implementation has no function that shows the rule.
	StateNotImplemented State = "not implemented"
	// StateNotRun: a filter, the strengths or the rule set left it out.
	StateNotRun State = "not run"
)

// A RuleReport is what became of one rule.
type RuleReport struct {
	Rule  Rule
	State State
	// Ran counts the rows and properties that ran, Failed those that do not hold,
	// those of deviations among them.
	Ran, Failed int
	// Failures are the texts of what does not hold and is no deviation.
	Failures []string
	// Reasons are those of the deviations that were met, in their order.
	Reasons []string
}

// A Report is what became of every rule of a suite, in the order of the suite.
type Report struct {
	Package string
	RuleSet string
	Rules   []RuleReport
	// Partial says that not all rows and properties of the rule set ran, by the
	// filter of the test or by the strengths asked for.
	Partial bool
	// Stale are the deviations of which all holds. They are told of a run that left
	// nothing out by a filter.
	Stale []Deviation
}

// Count returns how many rules are in the state.
func (r Report) Count(s State) int {
	n := 0
	for _, rule := range r.Rules {
		if rule.State == s {
			n++
		}
	}
	return n
}

// String returns a line for each rule and one that sums them up.
func (r Report) String() string {
	var b strings.Builder
	for _, rule := range r.Rules {
		fmt.Fprintf(&b, "%-16s %-9s %-40s %s\n", rule.State, rule.Rule.Strength, rule.Rule.ID, rule.Rule.Name)
		for _, reason := range rule.Reasons {
			fmt.Fprintf(&b, "%-16s because %s\n", "", reason)
		}
	}
	partial := ""
	if r.Partial {
		partial = " (partial: not everything ran)"
	}
	fmt.Fprintf(&b, "%s, rule set %s%s: %d pass, %d fail, %d deviate, %d not implemented, %d not run",
		r.Package, r.RuleSet, partial, r.Count(StatePass), r.Count(StateFail), r.Count(StateDeviates),
		r.Count(StateNotImplemented), r.Count(StateNotRun))
	return b.String()
}
