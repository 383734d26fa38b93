package dictexpandtest_test

import (
	"flag"
	"os"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Wrong implementations fail on purpose, each time in the same way: no file is to
	// keep how, and what is found need not be made small for long.
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.seed": "1", "rapid.checks": "60", "rapid.shrinktime": "50ms"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// notForOthers are the rules about what package dictexpand says: findings, texts, and the
// verbs, reasons and order of steps. What comes of the steps is in the rules of the suite.
var notForOthers = []string{
	"30", "32", // findings and texts
	"44", "52", "54", "63", "65", "66", "71", "77", "78", "79", "80", "81", "83", "84", "86", "87", "93", "94", "95", "97", "99", // steps
	"101", "102", "103", "104", "107", "109", "110", "111", "112", "113",
}

// The numbers and sentences are those of dictexpand/doc.go, but for the rules that are
// not for others.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformance.CheckDocumented(dictexpandtest.Rules(), string(doc), notForOthers...) {
		t.Error(problem)
	}
}

// The oracle gives what the rows want, too. It has no Reconcile.
func TestOracleConforms(t *testing.T) {
	report := dictexpandtest.Conform(t, func(testing.TB) dictexpandtest.Impl { return dictexpandtest.Oracle() }, conformance.Options{RuleSet: "v1"})
	if n := report.Count(conformance.StatePass); !report.Partial && n < 40 {
		t.Errorf("%d rules pass", n)
	}
}

// An implementation of nothing is held to nothing, and said so of.
func TestNothingIsImplemented(t *testing.T) {
	report := conformance.Judge(t, dictexpandtest.Suite(), func(testing.TB) dictexpandtest.Impl { return dictexpandtest.Impl{} },
		conformance.Options{RuleSet: "v1"})
	if n := report.Count(conformance.StateNotImplemented); n != len(report.Rules) {
		t.Errorf("%d of %d rules are not implemented:\n%s", n, len(report.Rules), report)
	}
}

// Stories and cases are looked up by name.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range dictexpandtest.Stories() {
		if seen["story "+s.Name] {
			t.Errorf("two stories are named %q", s.Name)
		}
		seen["story "+s.Name] = true
	}
	for _, c := range dictexpandtest.ExpandCases() {
		if seen["case "+c.Name] {
			t.Errorf("two cases are named %q", c.Name)
		}
		seen["case "+c.Name] = true
	}
}
