// Package buildplantest holds somebody else's code for on-cluster image builds to the
// rules of package buildplan: code that plans a MachineOSBuild and its jobs, reads a
// Job, names an image by digest, or publishes the images of a build; and a whole
// operator, by its reconcile step.
//
//	func TestConformance(t *testing.T) {
//		buildplantest.Conform(t, func(testing.TB) buildplantest.Impl {
//			return buildplantest.Impl{Reconcile: func(c *buildplantest.Cluster) error {
//				return reconcile(clientOf(c))
//			}}
//		}, conformance.Options{RuleSet: "v1"})
//	}
//
// # The functions of an Impl
//
// They take and give objects of machineconfiguration.openshift.io/v1 and batch/v1.
// Names, keys, labels and annotations are the implementation's own: a rule asks whether
// two of them are equal and whether they fit, not what they are. A row that needs a
// build of before has the implementation plan it, gives the object a UID and a state,
// and runs the jobs that were asked for. A refusal is any error, or Plan.Blocked.
//
// The rules are [Rules]. Those of package buildplan about its own states, reasons and
// records are for nobody else. The cases can be run in another way: [InputCases],
// [WarnedCases], [KeyCases], [NameCases], [RepositoryCases], [PullSpecCases] and
// [JobCases].
//
// # The reconcile step
//
// A [Cluster] is an API server and a registry. The step reads it and writes what is
// missing. It is killed after any write and made again, and keeps nothing between.
// Jobs do their work when the row or the history has them end, and push to the registry.
// What the cluster sees of its own, whatever annotations say, is held to the rules: what
// each job builds and what was built, whose image a build publishes, and what of a
// status the CRD refuses ([Refusals]).
//
// [History] is what happens to a cluster: users edit, nodes come and go, jobs end in
// every way, builds are deleted and the garbage collector lags, annotations are lost and
// edited, the registry loses images, denies reading, or says that it has nothing. In the
// end everybody leaves the cluster alone, and it has to come to rest where it should.
//
// # What is drawn
//
// [DrawArchitectures] draws one to four of the payload's architectures. [DrawFacts]
// adds up to four containerfiles, each for another architecture or for all, with CRLF,
// lone CRs and newlines at the end; one of three kernel types; and up to three
// extensions, some of them twice. [DrawName] draws any name that the API server takes,
// up to 253 characters, with dots; nearly half of them are too long for a label.
// [DrawHistory] draws up to a hundred steps, 20 in the
// mean: the operator writes in one of four, up to six times, a job succeeds in another,
// and the rest are of 17 other kinds, from 1 in 60 to 1 in 20. Some 3 in 4 end done, 1 in
// 8 blocked, 1 in 8 given up; 1 in 8 hold for a registry that does not answer.
//
// # The oracle
//
// [ContainerfileOracle] looks for the architecture's entry, then for any entry, and
// replaces newlines by regular expressions. It does not use package buildplan.
package buildplantest
