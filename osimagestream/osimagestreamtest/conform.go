package osimagestreamtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/osimagestream/conformance"
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
		Package:    "osimagestream",
		RuleSets:   []string{"v1"},
		Rules:      Rules(),
		Rows:       rows(),
		Properties: slices.Concat(discoverProperties(), defaultProperties(), poolProperties(), historyProperties()),
	}
}

type (
	row      = conformance.Row[Impl]
	property = conformance.Property[Impl]
	outcome  = conformance.Outcome
)

func rows() []row {
	return slices.Concat(payloadRows(), roleRows(), discoverRows(), defaultRows(), versionRows(),
		planRows(), poolRows(), editRows(), keepRows())
}

// each makes a row for every rule of a case.
func each(rules, name string, has func(Impl) bool, call func(i Impl, rule string) outcome) (all []row) {
	for rule := range strings.FieldsSeq(rules) {
		all = append(all, row{Rule: rule, Name: name, Implemented: has, Call: func(i Impl) outcome { return call(i, rule) }})
	}
	return all
}

// Whether an implementation has what a row calls.
func hasReadPayload(i Impl) bool    { return i.ReadPayload != nil }
func hasCandidate(i Impl) bool      { return i.Candidate != nil }
func hasImages(i Impl) bool         { return i.Images != nil }
func hasRole(i Impl) bool           { return i.Role != nil }
func hasDiscover(i Impl) bool       { return i.Discover != nil }
func hasSingle(i Impl) bool         { return i.Single != nil }
func hasDefault(i Impl) bool        { return i.Default != nil }
func hasBuiltIn(i Impl) bool        { return i.BuiltInDefault != nil }
func hasInstallVersion(i Impl) bool { return i.InstallVersion != nil }
func hasReconcile(i Impl) bool      { return i.Reconcile != nil }
func hasPoolImages(i Impl) bool     { return i.PoolImages != nil }
func hasValidatePool(i Impl) bool   { return i.ValidatePool != nil }
func hasKeep(i Impl) bool           { return i.Keep != nil }
