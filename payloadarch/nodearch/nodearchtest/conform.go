package nodearchtest

import (
	"slices"
	"testing"

	"github.com/polyarch/polyarch/conformance"
)

// Options and the rest are those of package conformance, so that a test needs one
// import.
type (
	Options   = conformance.Options
	Deviation = conformance.Deviation
	Report    = conformance.Report
)

// Conform holds an implementation to the rules. NewImpl is called for each subtest.
func Conform(t *testing.T, newImpl func(testing.TB) Impl, o Options) Report {
	t.Helper()
	return conformance.Run(t, Suite(), newImpl, o)
}

// Suite returns the rules with their rows and properties, for who runs them in a way
// of their own.
func Suite() conformance.Suite[Impl] {
	return conformance.Suite[Impl]{
		Package:    "nodearch",
		RuleSets:   []string{"v1"},
		Rules:      Rules(),
		Rows:       slices.Concat(nodeRows(), clusterRows(), poolRows(), completeRows(), textRows()),
		Properties: slices.Concat(nodeProperties(), clusterProperties(), poolProperties()),
	}
}

type (
	row      = conformance.Row[Impl]
	property = conformance.Property[Impl]
	outcome  = conformance.Outcome
)

// Whether an implementation has what a row calls.
func hasArchitecture(i Impl) bool { return i.Architecture != nil }
func hasNodes(i Impl) bool        { return i.Nodes != nil }
func hasPools(i Impl) bool        { return i.Pools != nil }

// set is a list as a set.
func set(list []string) []string {
	return slices.Compact(append([]string{}, slices.Sorted(slices.Values(list))...))
}
