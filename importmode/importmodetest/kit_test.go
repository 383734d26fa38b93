package importmodetest_test

import (
	"flag"
	"os"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Wrong implementations fail on purpose, each time in the same way: no file is to
	// keep how, and what is found need not be made small for long.
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.seed": "1", "rapid.shrinktime": "100ms"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// notForOthers are the rules of Effect, which is a report on streams that no operator
// has code of its own for, and rules 67 and 68, which are for reports as well.
var notForOthers = []string{
	"47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63", "64", "65", "66", "67", "68",
}

// The numbers and sentences are those of importmode/doc.go, but for the rules that are
// not for others.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformance.CheckDocumented(importmodetest.Rules(), string(doc), notForOthers...) {
		t.Error(problem)
	}
}

// The oracle gives what the rows want, too. It is wrong on purpose where a name is
// repeated.
func TestOracleConforms(t *testing.T) {
	var names []importmodetest.Deviation
	for _, row := range []string{
		"a name stored twice and sent back alike",
		"a name stored twice: the one after the tag before it",
		"any list that is sent back without its modes",
	} {
		names = append(names, importmodetest.Deviation{Rule: "tag-by-name", Row: row, Reason: "names are unique"})
	}
	importmodetest.Conform(t, func(testing.TB) importmodetest.Impl { return importmodetest.Oracle() },
		importmodetest.Options{RuleSet: "v1", Deviations: names})
}

// An implementation of nothing is held to nothing, and said so of.
func TestNothingIsImplemented(t *testing.T) {
	report := conformance.Judge(t, importmodetest.Suite(), func(testing.TB) importmodetest.Impl { return importmodetest.Impl{} },
		importmodetest.Options{RuleSet: "v1"})
	if n := report.Count(conformance.StateNotImplemented); n != len(report.Rules) {
		t.Errorf("%d of %d rules are not implemented:\n%s", n, len(report.Rules), report)
	}
}
