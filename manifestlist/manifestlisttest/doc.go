// Package manifestlisttest holds somebody else's code for image indexes to the rules
// of package manifestlist: code that assembles indexes, describes an image, updates,
// edits and reads an index, or chooses an entry of one.
//
//	func TestConformance(t *testing.T) {
//		manifestlisttest.Conform(t, func(testing.TB) manifestlisttest.Impl {
//			return manifestlisttest.Impl{Assemble: assemble, Containerd: pick}
//		}, conformance.Options{RuleSet: "v1"})
//	}
//
// # The functions of an Impl
//
// They take descriptors of image-spec, bytes and [Options], and give back bytes, a
// descriptor or a position. An index counts by its entries and its media type, and only
// rules canonical-order and canonical-bytes look at more. A refusal is any error: what
// it says is the implementation's own. The choosers are four, since hardly anybody has
// more than one: Strict for the very platform that is wanted, the others for what the
// importer of openshift-apiserver, containerd and containers/image do.
//
// The rules are [Rules]. What package manifestlist calls its own options, errors,
// findings and reasons (A16 to A18, S6, S7) is for nobody else. The cases can be run in
// another way: [AssembleCases], [RefusedCases], [ChildCases], [ManifestCases],
// [ConfigCases], [DescribeCases], [UpdateCases], [UpdateRefusedCases],
// [IndexFieldsCases], [EditCases], [EditRefusedCases], [ParseCases], [SelectCases] and
// [Measured].
//
// # What is drawn
//
// [DrawChildren] draws up to twelve descriptors that break no rule: 15 platforms of
// linux, windows and wasip1 in all their variants, a tenth with os.features, most of
// Windows with an os.version; a fifth are artifacts, a quarter have an attestation, half
// have annotations that need escaping. [DrawBreach] adds one that breaks a rule in a way
// that tools were seen to let through. [DrawOptions] draws what an OCI index can have.
// [DrawChoice] draws up to six entries of 17 kinds, among them none, an empty platform,
// an attestation and aliases, and one of 15 platforms that are wanted.
//
// # The oracles
//
// [AssembleOracle] sorts by one string and writes with encoding/json. [SelectOracle]
// tries platforms one after the other. Neither uses package manifestlist.
package manifestlisttest
