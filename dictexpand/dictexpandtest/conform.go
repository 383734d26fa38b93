package dictexpandtest

import (
	"slices"
	"testing"

	"github.com/polyarch/polyarch/conformance"
)

// Conform holds an implementation to the rules. newImpl is called for each row and each
// property.
func Conform(t *testing.T, newImpl func(testing.TB) Impl, o conformance.Options) conformance.Report {
	t.Helper()
	return conformance.Run(t, Suite(), newImpl, o)
}

// Suite returns the rules with their rows and properties, for who runs them in a way of
// their own.
func Suite() conformance.Suite[Impl] {
	return conformance.Suite[Impl]{
		Package:    "dictexpand",
		RuleSets:   []string{"v1"},
		Rules:      Rules(),
		Rows:       slices.Concat(annotationRows(), expandRows(), ownImageRows(), dryRunRows(), storyRows()),
		Properties: slices.Concat(properties(), historyProperties()),
	}
}
