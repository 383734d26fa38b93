package conformance_test

import (
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/conformance"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Properties fail on purpose here: no file is to keep how.
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// impl is an arithmetic that somebody else keeps.
type impl struct {
	Add func(a, b int) int
	Neg func(a int) int
}

func right() impl {
	return impl{Add: func(a, b int) int { return a + b }, Neg: func(a int) int { return -a }}
}

func hasAdd(i impl) bool { return i.Add != nil }
func hasNeg(i impl) bool { return i.Neg != nil }

func suite() conformance.Suite[impl] {
	add := func(name string, a, b, want int) conformance.Row[impl] {
		return conformance.Row[impl]{Rule: "zero-is-neutral", Name: name, Implemented: hasAdd, Call: func(i impl) conformance.Outcome {
			return conformance.Outcome{Input: struct{ A, B int }{a, b}, Want: want, Got: i.Add(a, b)}
		}}
	}
	return conformance.Suite[impl]{
		Package:  "arithmetic",
		RuleSets: []string{"v1", "v2"},
		Rules: []conformance.Rule{
			{ID: "zero-is-neutral", Since: "v1", Name: "adding zero", Strength: conformance.StrengthUpstream, Number: "1", Sentence: "a + 0 is a"},
			{ID: "order-does-not-matter", Since: "v1", Name: "order", Strength: conformance.StrengthOurs, Number: "2", Sentence: "a + b is b + a"},
			{ID: "negation", Since: "v2", Name: "negation", Strength: conformance.StrengthUpstream, Number: "3", Sentence: "-a + a is 0"},
		},
		Rows: []conformance.Row[impl]{
			add("zero behind", 3, 0, 3), add("zero before", 0, 3, 3),
			{Rule: "negation", Name: "of one", Implemented: hasNeg, Call: func(i impl) conformance.Outcome {
				return conformance.Outcome{Input: 1, Want: -1, Got: i.Neg(1)}
			}},
		},
		Properties: []conformance.Property[impl]{
			{Rule: "order-does-not-matter", Name: "any two", Implemented: hasAdd, Call: func(t *rapid.T, i impl) conformance.Outcome {
				a, b := rapid.IntRange(0, 1000).Draw(t, "a"), rapid.IntRange(0, 1000).Draw(t, "b")
				return conformance.Outcome{Input: [2]int{a, b}, Want: i.Add(b, a), Got: i.Add(a, b)}
			}},
		},
	}
}

func of(i impl) func(testing.TB) impl { return func(testing.TB) impl { return i } }

// states writes a report as rule=state.
func states(r conformance.Report) map[string]conformance.State {
	m := map[string]conformance.State{}
	for _, rule := range r.Rules {
		m[rule.Rule.ID] = rule.State
	}
	return m
}

func TestJudge(t *testing.T) {
	wrongZero := right()
	wrongZero.Add = func(a, b int) int { return a + max(b, 1) }
	unordered := right()
	unordered.Add = func(a, b int) int {
		if a > 9 && b > 99 {
			return a
		}
		return a + b
	}
	panics := right()
	panics.Neg = func(int) int { panic("no negative numbers") }
	all := func(zero, order, negation conformance.State) map[string]conformance.State {
		return map[string]conformance.State{"zero-is-neutral": zero, "order-does-not-matter": order, "negation": negation}
	}
	const (
		pass, fail, deviates = conformance.StatePass, conformance.StateFail, conformance.StateDeviates
		missing, notRun      = conformance.StateNotImplemented, conformance.StateNotRun
	)
	for _, tc := range []struct {
		name    string
		impl    impl
		options conformance.Options
		want    map[string]conformance.State
		partial bool
		stale   []string
	}{
		{"all holds", right(), conformance.Options{RuleSet: "v2"}, all(pass, pass, pass), false, nil},
		{"a later rule is not run", right(), conformance.Options{RuleSet: "v1"}, all(pass, pass, notRun), false, nil},
		{"one strength makes it partial", right(), conformance.Options{RuleSet: "v2", Strengths: []conformance.Strength{conformance.StrengthOurs}},
			all(notRun, pass, notRun), true, nil},
		{"nothing implemented", impl{}, conformance.Options{RuleSet: "v2"}, all(missing, missing, missing), false, nil},
		{"a row fails", wrongZero, conformance.Options{RuleSet: "v2"}, all(fail, fail, pass), false, nil},
		{"a property fails", unordered, conformance.Options{RuleSet: "v2"}, all(pass, fail, pass), false, nil},
		{"a panic fails", panics, conformance.Options{RuleSet: "v2"}, all(pass, pass, fail), false, nil},
		{"a deviation from a rule", unordered, conformance.Options{RuleSet: "v2", Deviations: []conformance.Deviation{
			{Rule: "order-does-not-matter", Reason: "large numbers"}}}, all(pass, deviates, pass), false, nil},
		{"a deviation from one row leaves the other", wrongZero, conformance.Options{RuleSet: "v2", Deviations: []conformance.Deviation{
			{Rule: "order-does-not-matter", Row: "any two", Reason: "r"}, {Rule: "zero-is-neutral", Row: "zero behind", Reason: "r"}}},
			all(deviates, deviates, pass), false, nil},
		{"a stale deviation", right(), conformance.Options{RuleSet: "v2", Deviations: []conformance.Deviation{
			{Rule: "negation", Row: "of one", Reason: "r"}}}, all(pass, pass, pass), false, []string{"negation/of one"}},
		{"a deviation from a rule that is not run is not stale", right(), conformance.Options{RuleSet: "v1", Deviations: []conformance.Deviation{
			{Rule: "negation", Reason: "r"}}}, all(pass, pass, notRun), false, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := conformance.Judge(t, suite(), of(tc.impl), tc.options)
			if got := states(r); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("states %v, want %v", got, tc.want)
			}
			if r.Partial != tc.partial || strings.Contains(r.String(), "partial") != tc.partial {
				t.Errorf("partial = %v in %s", r.Partial, r)
			}
			var stale []string
			for _, d := range r.Stale {
				stale = append(stale, d.String())
			}
			if !reflect.DeepEqual(stale, tc.stale) {
				t.Errorf("stale %v, want %v", stale, tc.stale)
			}
		})
	}
}

// What a failing rule says is enough to see it and to run it again.
func TestFailureText(t *testing.T) {
	broken := right()
	broken.Add = func(a, b int) int {
		if b >= 100 {
			return 0
		}
		return a + b
	}
	r := conformance.Judge(t, suite(), of(broken), conformance.Options{RuleSet: "v2"})
	texts := r.Rules[1].Failures
	if len(texts) != 1 {
		t.Fatalf("failures %q", texts)
	}
	// How far an input shrinks depends on the seed.
	for _, want := range []string{`arithmetic rule order-does-not-matter \(Ours\)`, `2: a \+ b is b \+ a`,
		`\[2\]int\{\d+, \d{3,4}\}`, `want: \d+`, `got:  0`, `go test -run '\^TestFailureText\$' -rapid.seed=\d+`} {
		if !regexp.MustCompile(want).MatchString(texts[0]) {
			t.Errorf("the text lacks %q:\n%s", want, texts[0])
		}
	}
}

// Run is Judge as subtests; right() passes all of them.
func TestRun(t *testing.T) {
	r := conformance.Run(t, suite(), of(right()), conformance.Options{RuleSet: "v2"})
	if r.Count(conformance.StatePass) != 3 && !r.Partial {
		t.Errorf("report:\n%s", r)
	}
}
