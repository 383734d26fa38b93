package buildplan_test

import (
	"os"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

func TestConformance(t *testing.T) {
	buildplantest.Conform(t, func(testing.TB) buildplantest.Impl { return ours.Impl() }, conformance.Options{RuleSet: "v1"})
}

// notForOthers are rules about what this package calls its own: a problem for each
// record that was lost (29), what an attempt that cannot be read means (36), what is
// said of an image where nothing is done (38, 41), which of several equal images is
// taken (45), which records are ignored (54, 86), what the caller is told to ask for
// (55), and the labels, annotations and unknown phases of jobs (66, 71, 72).
var notForOthers = []string{"29", "36", "38", "41", "45", "54", "55", "66", "71", "72", "86"}

// The rules of the test package are those of doc.go, but for ours alone.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformance.CheckDocumented(buildplantest.Rules(), string(doc), notForOthers...) {
		t.Error(problem)
	}
}
