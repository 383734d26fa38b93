package payloadarchtest

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
		Package:  "payloadarch",
		RuleSets: []string{"v1"},
		Rules:    Rules(),
		Rows: slices.Concat(clusterRows(), metadataRows(), hostedRows(), indexRows(),
			transitionRows(), editRows(), setRows(), textRows()),
		Properties: slices.Concat(clusterProperties(), metadataProperties(), hostedProperties(), indexProperties(),
			transitionProperties(), editProperties(), setProperties()),
	}
}

type (
	row      = conformance.Row[Impl]
	property = conformance.Property[Impl]
	outcome  = conformance.Outcome
)

// Whether an implementation has what a row calls.
func hasClusterVersion(i Impl) bool { return i.ClusterVersion != nil }
func hasWithoutGates(i Impl) bool   { return i.ClusterVersionWithoutGates != nil }
func hasValue(i Impl) bool          { return i.ReleaseArchitecture != nil }
func hasMetadata(i Impl) bool       { return i.ReleaseMetadata != nil }
func hasHostedCluster(i Impl) bool  { return i.HostedCluster != nil }
func hasHosted(i Impl) bool         { return i.Hosted != nil }
func hasHostedNoGates(i Impl) bool  { return i.HostedWithoutGates != nil }
func hasConflict(i Impl) bool       { return i.HostedConflict != nil }
func hasOwnReport(i Impl) bool      { return i.HostedOwnReport != nil }
func hasIndex(i Impl) bool          { return i.Index != nil }
func hasReported(i Impl) bool       { return i.Reported != nil }
func hasTransition(i Impl) bool     { return i.Transition != nil }
func hasStoreKind(i Impl) bool      { return i.StoreKind != nil }
func hasAlreadyMulti(i Impl) bool   { return i.AlreadyMulti != nil }
func hasFormatSet(i Impl) bool      { return i.FormatSet != nil }
func hasParseSet(i Impl) bool       { return i.ParseSet != nil }
func hasBothSet(i Impl) bool        { return hasFormatSet(i) && hasParseSet(i) }
func hasBothMetadata(i Impl) bool   { return hasValue(i) && hasMetadata(i) }
