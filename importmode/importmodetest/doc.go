// Package importmodetest holds somebody else's decisions on import modes to the
// rules of package importmode:
//
//	func TestImportModes(t *testing.T) {
//		importmodetest.Conform(t, func(testing.TB) importmodetest.Impl {
//			return importmodetest.Impl{UpdateStream: strategy.Update}
//		}, importmodetest.Options{RuleSet: "v1"})
//	}
//
// [Impl] is a struct of functions in the terms of the operators that have the
// decision: the image registry operator (Decide, Condition, Suggest), the operator of
// openshift-apiserver (Observe), openshift-apiserver (Configure, DefaultTag, the
// functions on streams, tags and imports, the validations) and the cluster version
// operator (Managed). Who has one of them fills in that one.
//
// # What an implementation is shown
//
// Rows: the tables of the functions that end in Cases. Properties: inputs out of the
// generators, whose answer is that of [Oracle], written without package importmode.
// A property draws only what its rule speaks of, so that a defect fails the rules that
// are broken and no others. [History] is a run of an API server: creates, updates,
// manifests applied again, flips of the cluster's mode, restarts.
//
// # What the generators draw
//
//	Mode        empty nearly 1 in 2, Legacy 1 in 5, PreserveOriginal 1 in 5, else no mode
//	KnownMode   Legacy and PreserveOriginal alike
//	UnknownMode a word, another case, blanks, control characters, 300 characters
//	Stream      0 to 6 tags of 7 names, none twice, so that two streams share some;
//	            modes 1 in 2 empty, else a mode
//	AnyStream   0 to 8 tags of 9 names that repeat, one of them empty; modes as Mode;
//	            what a tag points to varies
//	Steps       1 to 12 steps on one stream, each of the five verbs alike
package importmodetest
