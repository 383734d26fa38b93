package buildplantest

import (
	"slices"
	"testing"

	"github.com/polyarch/polyarch/conformance"
)

// Suite are the rules with all rows and properties.
func Suite() conformance.Suite[Impl] {
	return conformance.Suite[Impl]{
		Package: "buildplan", RuleSets: []string{"v1"},
		Rules: Rules(),
		Rows: slices.Concat(inputRows(), keyRows(), nameRows(), laterRows(), jobRows(), pullSpecRows(), publishRows(),
			toldRows(), unreadableRows(), deadJobRows(), nextRows(), imageRows(), stateRows()),
		Properties: properties(),
	}
}

// Conform holds an implementation to the rules. newImpl is called for each row and
// each property.
func Conform(t *testing.T, newImpl func(testing.TB) Impl, o conformance.Options) conformance.Report {
	t.Helper()
	return conformance.Run(t, Suite(), newImpl, o)
}
