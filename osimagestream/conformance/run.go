package conformance

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Run holds an implementation to a suite: each row and each property is a subtest
// with an implementation of its own, and fails if it does not hold and is no
// deviation.
func Run[I any](t *testing.T, s Suite[I], newImpl func(testing.TB) I, o Options) Report {
	t.Helper()
	if problems := check(s, o); len(problems) > 0 {
		t.Fatalf("conformance of %s:\n%s", s.Package, strings.Join(problems, "\n"))
	}
	r := run[I]{suite: s, options: o, newImpl: newImpl, met: make([]bool, len(o.Deviations))}
	report := r.all(func(rule string, cases []testCase, body func(testing.TB, testCase)) {
		t.Run(rule, func(t *testing.T) {
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) { body(t, c) })
			}
		})
	})
	for _, stale := range report.Stale {
		t.Errorf("the deviation from %s is stale: all of it holds. Take it off the list.", stale)
	}
	t.Logf("\n%s", report)
	return report
}

// Judge is Run without subtests: nothing fails, and the report says what would. It
// is for tests of a suite itself, which show wrong implementations to it. Names of
// tests in the texts are those of subtests of tb.
func Judge[I any](tb testing.TB, s Suite[I], newImpl func(testing.TB) I, o Options) Report {
	tb.Helper()
	if problems := check(s, o); len(problems) > 0 {
		tb.Fatalf("conformance of %s:\n%s", s.Package, strings.Join(problems, "\n"))
	}
	r := run[I]{suite: s, options: o, newImpl: newImpl, met: make([]bool, len(o.Deviations)), quiet: true}
	return r.all(func(rule string, cases []testCase, body func(testing.TB, testCase)) {
		for _, c := range cases {
			body(tb, c)
		}
	})
}

// check returns what is wrong with the suite and with what is asked for.
func check[I any](s Suite[I], o Options) (problems []string) {
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	rows := map[string]bool{} // rule, or rule and row
	for _, rule := range s.Rules {
		if rows[rule.ID] {
			bad("two rules have the id %q", rule.ID)
		}
		rows[rule.ID] = true
		if !slices.Contains(s.RuleSets, rule.Since) {
			bad("rule %s is since %q, which is no rule set", rule.ID, rule.Since)
		}
	}
	note := func(rule, row string) {
		if !rows[rule] {
			bad("row %q is for the rule %q, which there is not", row, rule)
		}
		if rows[rule+"/"+row] {
			bad("rule %s has two rows %q", rule, row)
		}
		rows[rule+"/"+row] = true
	}
	for _, row := range s.Rows {
		note(row.Rule, row.Name)
	}
	for _, p := range s.Properties {
		note(p.Rule, p.Name)
	}
	for _, rule := range s.Rules {
		if !slices.ContainsFunc(s.Rows, func(r Row[I]) bool { return r.Rule == rule.ID }) &&
			!slices.ContainsFunc(s.Properties, func(p Property[I]) bool { return p.Rule == rule.ID }) {
			bad("rule %s has neither row nor property", rule.ID)
		}
	}
	if !slices.Contains(s.RuleSets, o.RuleSet) {
		bad("Options.RuleSet is %q; there are %s", o.RuleSet, strings.Join(s.RuleSets, ", "))
	}
	for _, d := range o.Deviations {
		switch {
		case !rows[d.Rule]:
			bad("the deviation from %s is from a rule that there is not", d)
		case d.Row != "" && !rows[d.Rule+"/"+d.Row]:
			bad("the deviation from %s is from a row that there is not", d)
		}
		if strings.TrimSpace(d.Reason) == "" {
			bad("the deviation from %s has no reason", d)
		}
	}
	for _, strength := range o.Strengths {
		if strength != StrengthUpstream && strength != StrengthOurs {
			bad("Options.Strengths holds %q; there are %s and %s", strength, StrengthUpstream, StrengthOurs)
		}
	}
	return problems
}

// String names the rule, and the row if there is one.
func (d Deviation) String() string {
	if d.Row == "" {
		return d.Rule
	}
	return d.Rule + "/" + d.Row
}

func ruleOf[I any](s Suite[I], id string) Rule {
	i := slices.IndexFunc(s.Rules, func(r Rule) bool { return r.ID == id })
	return s.Rules[i]
}

// A run is one call of Run or of Judge.
type run[I any] struct {
	suite   Suite[I]
	options Options
	newImpl func(testing.TB) I
	met     []bool // the deviations that a row showed
	// filtered counts the cases that the filter of the test left out, skipped
	// those and the rules that the strengths left out.
	filtered, skipped int
	quiet             bool // the test is not told
}

// all runs every rule. each has the cases of a rule run, one by one, or leaves
// some of them out.
func (r *run[I]) all(each func(rule string, cases []testCase, body func(testing.TB, testCase))) Report {
	report := Report{Package: r.suite.Package, RuleSet: r.options.RuleSet}
	for _, rule := range r.suite.Rules {
		report.Rules = append(report.Rules, r.rule(rule, each))
	}
	report.Partial = r.skipped > 0
	if r.filtered > 0 {
		return report // what did not run cannot be stale
	}
	for i, d := range r.options.Deviations {
		if !r.met[i] && r.runs(ruleOf(r.suite, d.Rule)) {
			report.Stale = append(report.Stale, d)
		}
	}
	return report
}

// known reports whether the rule set that was asked for has the rule, runs whether
// the strengths ask for it too.
func (r *run[I]) known(rule Rule) bool {
	return slices.Index(r.suite.RuleSets, rule.Since) <= slices.Index(r.suite.RuleSets, r.options.RuleSet)
}

func (r *run[I]) runs(rule Rule) bool {
	return r.known(rule) && (len(r.options.Strengths) == 0 || slices.Contains(r.options.Strengths, rule.Strength))
}

// A testCase is a row or a property. Its body reports false if the implementation
// lacks what it calls.
type testCase struct {
	name string
	body func(testing.TB) (found *failure, implemented bool)
}

func (r *run[I]) cases(rule Rule) (cases []testCase) {
	for _, row := range r.suite.Rows {
		if row.Rule == rule.ID {
			cases = append(cases, testCase{row.Name, r.row(row)})
		}
	}
	for _, p := range r.suite.Properties {
		if p.Rule == rule.ID {
			cases = append(cases, testCase{p.Name, r.property(p)})
		}
	}
	return cases
}

// rule runs the rows and properties of one rule.
func (r *run[I]) rule(rule Rule, each func(string, []testCase, func(testing.TB, testCase))) RuleReport {
	report := RuleReport{Rule: rule, State: StateNotRun}
	if !r.runs(rule) {
		if r.known(rule) {
			r.skipped++
		}
		return report
	}
	cases := r.cases(rule)
	entered, missing, deviating := 0, 0, 0
	each(rule.ID, cases, func(tb testing.TB, c testCase) {
		entered++
		found, implemented := c.body(tb)
		if !implemented {
			missing++
			r.tell(tb, func() { tb.Skip("not implemented") })
			return
		}
		report.Ran++
		if found == nil {
			return
		}
		text := found.text(r.suite.Package, rule, tb.Name())
		report.Failed++
		if reason, ok := r.deviation(rule.ID, c.name); ok {
			deviating++
			if !slices.Contains(report.Reasons, reason) {
				report.Reasons = append(report.Reasons, reason)
			}
			r.tell(tb, func() { tb.Logf("deviates, because %s\n%s", reason, text) })
			return
		}
		report.Failures = append(report.Failures, text)
		r.tell(tb, func() { tb.Error(text) })
	})
	r.filtered += len(cases) - entered
	r.skipped += len(cases) - entered
	switch {
	case len(report.Failures) > 0:
		report.State = StateFail
	case deviating > 0:
		report.State = StateDeviates
	case report.Ran > 0:
		report.State = StatePass
	case missing > 0:
		report.State = StateNotImplemented
	}
	return report
}

func (r *run[I]) tell(tb testing.TB, f func()) {
	tb.Helper()
	if !r.quiet {
		f()
	}
}

// deviation returns the reason for which the row may fail.
func (r *run[I]) deviation(rule, row string) (string, bool) {
	for i, d := range r.options.Deviations {
		if d.Rule == rule && (d.Row == "" || d.Row == row) {
			r.met[i] = true
			return d.Reason, true
		}
	}
	return "", false
}

// row holds the implementation to one input.
func (r *run[I]) row(row Row[I]) func(testing.TB) (*failure, bool) {
	return func(tb testing.TB) (*failure, bool) {
		impl := r.newImpl(tb)
		if row.Implemented != nil && !row.Implemented(impl) {
			return nil, false
		}
		return judge(func() Outcome { return row.Call(impl) }), true
	}
}

// judge calls the implementation and compares. A panic is a failure.
func judge(call func() Outcome) (found *failure) {
	defer func() {
		if r := recover(); r != nil {
			found = &failure{panicked: fmt.Sprintf("%v\n%s", r, debug.Stack())}
		}
	}()
	out := call()
	if reflect.DeepEqual(out.Want, out.Got) {
		return nil
	}
	return &failure{Outcome: out}
}
