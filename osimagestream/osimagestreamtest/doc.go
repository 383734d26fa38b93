// Package osimagestreamtest holds somebody else's code for OSImageStreams to the rules
// of package osimagestream:
//
//	func TestOSImageStreams(t *testing.T) {
//		osimagestreamtest.Conform(t, func(testing.TB) osimagestreamtest.Impl {
//			return osimagestreamtest.Impl{Default: ownDefault, Reconcile: ownSync}
//		}, osimagestreamtest.Options{RuleSet: "v1"})
//	}
//
// [Impl] is a struct of functions in the terms of the machine config operator: which
// tags of a payload it looks at, what labels make of an image, which streams it finds,
// which one is the default, what a pool is to run, which edits of a pool are refused,
// whether the object is kept at all. Who has one of them fills in that one.
//
// # The reconcile step
//
// Reconcile is called with a [Cluster]: functions that read the payload and inspect an
// image, and a [Server], which models the API server with the schema of the CRD and its
// CEL rules. An operator whose step takes a client wraps the Server in one. What counts
// is what is stored, that no write is refused, and when the annotations come; not how
// many writes it takes.
//
// A [History] happens to such a step over several releases. Images cannot be inspected
// for a while, the payload cannot be read, the operator is stopped after a write, users
// choose and meddle. [History.Play] says which rules did not hold, and Conform plays
// what [DrawHistory] draws. An operator may keep what it saw while it runs, and then has
// a Restart; a history asks only that nothing is written before the operator saw all of
// the release.
//
// # What an implementation is shown
//
// Rows: the tables of the functions that end in Cases. They also say what package
// osimagestream reports beside its answer, for the tests of that package. Properties:
// inputs out of the generators, or one out of all combinations ([Offers],
// [PoolCombinations]); the answer is that of the functions that end in Oracle, written
// without package osimagestream. A property draws only what its rule speaks of, so that
// a defect fails the rules that are broken and no others.
//
// # What the generators draw
//
//	DrawStreams  up to 4 of 6 names, which meet often; images of one release or another
//	DrawStored   none 1 in 4, without a status 1 in 4, else with one; 1 spec in 7 is empty
//	DrawSources  up to 8 tags of 6 images, halves of 2 streams; what else is odd, Odd says
//	DrawTag      named like an OS image 1 in 2, else almost
//	DrawHistory  1 to 12 steps; 1 in 2 runs the reconcile step, some of them stopped
package osimagestreamtest
