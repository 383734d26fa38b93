// Package conformance runs the rules of a decision package against somebody
// else's implementation of the same decisions, and says of each rule whether it
// holds.
//
// An operator that keeps its own code uses the test package beside the decision
// package, such as importmodetest, and meets this package's types only:
//
//	func TestConformance(t *testing.T) {
//		importmodetest.Conform(t, func(testing.TB) importmodetest.Impl {
//			return importmodetest.Impl{DefaultTag: ours}
//		}, conformance.Options{RuleSet: "v1"})
//	}
//
// # What a test package writes
//
// A [Suite]: its rules under ids that never change, rows (one input, what is
// wanted, what the implementation gives) and properties (inputs out of generators,
// what a naive oracle wants). An Impl is a struct of functions in the terms of the
// operators: API types and modes, not the results of the decision package. A nil
// function is not implemented, and so are the rules that only it could show.
//
//	var suite = conformance.Suite[Impl]{
//		Package: "importmode", RuleSets: []string{"v1"},
//		Rules: rules, Rows: rows, Properties: properties,
//	}
//
//	func Conform(t *testing.T, of func(testing.TB) Impl, o conformance.Options) conformance.Report {
//		t.Helper()
//		return conformance.Run(t, suite, of, o)
//	}
//
// # What a run says
//
// Each row and property is a subtest RULE/ROW. One that fails prints the rule, its
// sentence, the input as Go source and, for API objects, as YAML, what was wanted
// and what came, and how to run it again; the input of a property is the smallest
// that was found. The [Report] lists every rule: pass, fail, deviates, not
// implemented, not run. A run under a -run filter, or of less than all strengths,
// says that it is partial.
//
// # Deviations
//
// A deliberate deviation is listed with its reason and then does not fail. It
// cannot rot: one of an unknown rule or row fails, one without a reason fails, and
// one whose rows all pass is stale and fails.
package conformance
