// Package buildplantest holds somebody else's code for on-cluster image builds to the
// rules of package buildplan: code that plans a MachineOSBuild and its jobs, reads a
// Job, names an image by digest, or publishes the images of a build.
//
//	func TestConformance(t *testing.T) {
//		buildplantest.Conform(t, func(testing.TB) buildplantest.Impl {
//			return buildplantest.Impl{JobPhase: phase, PullSpec: pullSpec}
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
// The rules are [Rules]. Those of package buildplan about its own states, reasons,
// findings and annotations are for nobody else. The cases can be run in another way:
// [InputCases], [KeyCases], [NameCases], [RepositoryCases], [PullSpecCases] and
// [JobCases].
//
// # What is drawn
//
// [DrawArchitectures] draws one to four of the payload's architectures. [DrawFacts]
// adds up to four containerfiles, each for another architecture or for all, with CRLF,
// lone CRs and newlines at the end; one of three kernel types; and up to three
// extensions, some of them twice. [DrawName] draws any name that the API server takes,
// up to 253 characters, with dots.
//
// # The oracle
//
// [ContainerfileOracle] looks for the architecture's entry, then for any entry, and
// replaces newlines by regular expressions. It does not use package buildplan.
package buildplantest
