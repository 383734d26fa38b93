package manifestlist_test

import (
	"os"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/manifestlist/internal/ours"
	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func TestConformance(t *testing.T) {
	manifestlisttest.Conform(t, func(testing.TB) manifestlisttest.Impl { return ours.Impl() }, conformance.Options{RuleSet: "v1"})
}

// notForOthers are rules about what this package calls its own options, errors,
// findings, reasons and policies.
var notForOthers = []string{"A16", "A17", "A18", "S6", "S7"}

// The rules of the test package are those of doc.go, but for ours alone.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformance.CheckDocumented(manifestlisttest.Rules(), string(doc), notForOthers...) {
		t.Error(problem)
	}
}
