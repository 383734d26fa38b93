package importmodetest

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
		Package:    "importmode",
		RuleSets:   []string{"v1"},
		Rules:      Rules(),
		Rows:       rows(),
		Properties: properties(),
	}
}

type (
	row      = conformance.Row[Impl]
	property = conformance.Property[Impl]
	outcome  = conformance.Outcome
)

func rows() []row {
	return slices.Concat(decideRows(), conditionRows(), observeRows(), configureRows(),
		tagRows(), streamRows(), importRows(), managedRows(), validateRows(), textRows())
}

// Whether an implementation has what a row calls.
func hasDecide(i Impl) bool      { return i.Decide != nil }
func hasSuggest(i Impl) bool     { return i.Suggest != nil }
func hasCondition(i Impl) bool   { return i.Condition != nil }
func hasObserve(i Impl) bool     { return i.Observe != nil }
func hasConfigure(i Impl) bool   { return i.Configure != nil }
func hasConvert(i Impl) bool     { return i.Convert != nil }
func hasDefaultTag(i Impl) bool  { return i.DefaultTag != nil }
func hasOldClient(i Impl) bool   { return i.DefaultTagOfOldClient != nil }
func hasModeChanged(i Impl) bool { return i.ModeChanged != nil }
func hasRead(i Impl) bool        { return i.ReadStream != nil }
func hasCreate(i Impl) bool      { return i.CreateStream != nil }
func hasUpdate(i Impl) bool      { return i.UpdateStream != nil }
func hasPutTag(i Impl) bool      { return i.PutTag != nil }
func hasImages(i Impl) bool      { return i.ImportImages != nil }
func hasRepository(i Impl) bool  { return i.ImportRepository != nil }
func hasValidStream(i Impl) bool { return i.ValidateStream != nil }
func hasValidTag(i Impl) bool    { return i.ValidateTag != nil }
func hasValidImport(i Impl) bool { return i.ValidateImport != nil }
func hasManaged(i Impl) bool     { return i.Managed != nil }
