// Package payloadarchtest holds somebody else's decisions on the release payload to
// the rules of package payloadarch:
//
//	func TestPayload(t *testing.T) {
//		payloadarchtest.Conform(t, func(testing.TB) payloadarchtest.Impl {
//			return payloadarchtest.Impl{ClusterVersion: ours}
//		}, payloadarchtest.Options{RuleSet: "v1"})
//	}
//
// [Impl] is a struct of functions in the terms of the operators that have the
// decision: whoever watches ClusterVersion and FeatureGate (ClusterVersion, Transition,
// StoreKind), the cluster version operator (ReleaseMetadata, Reported, AlreadyMulti),
// the control plane operator of HyperShift (HostedCluster, Hosted), and whoever looks
// into the release image (Index). Who has one of them fills in that one.
//
// # What an implementation is shown
//
// Rows: the tables of the functions that end in Cases. Properties: inputs out of the
// generators, whose answer is that of an oracle (OracleCluster and its like), written
// without package payloadarch. A property draws only what its rule speaks of, so that
// a defect fails the rules that are broken and no others. An implementation gets
// copies, so that one that changes its arguments spoils no other row.
//
// # What the generators draw
//
//	ClusterOf     a cluster that one rule decides on: two releases, 1 in 3 without a
//	              version, 0 to 3 older updates, 0 to 3 entries of gates; all that the
//	              rule does not speak of is arbitrary
//	Clusters      ClusterOf, each rule as often as another
//	Histories     0 to 3 updates; Completed, Partial and no state alike
//	Gates         none 1 in 4, else 0 to 3 entries of 4 versions
//	DocumentOf    release metadata that one rule decides on: 0 to 3 other members, escapes
//	              in the key, any order and white space
//	Values        1 in 2 no string; else multi, its like, or any string
//	PayloadArchs  legal, empty and other values alike
//	Indexes       0 to 6 entries: 3 in 6 of a payload's architecture, 1 in 6 in another
//	              spelling, 2 in 6 that count for nothing
//	Names         0 to 6 names: architectures, other spellings, other names
//	TypedNames    the same with blanks, commas and empty names
//	Transitions   two kinds and a history
//	Updates       none 1 in 4, else Multi, multi or no architecture alike
package payloadarchtest
