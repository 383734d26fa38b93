// Package buildplan decides how the OS image of a machine config pool whose nodes
// have several architectures is built: which images are built, which are reused,
// what to wait for, and what is published. It answers the epic MCO-1344 on the
// types of machineconfiguration.openshift.io/v1.
//
// [Plan] looks at everything there is and says what is missing. It is
// level-triggered and keeps nothing: a controller carries out any part of a
// plan, dies at any point, and plans again. [Observe] turns a plan into the
// status of its MachineOSBuild, [Publish] the images of a finished build into
// what is pushed under its tag.
//
// # Rules
//
// Each rule names the test, or its row in TestPlanRules, that holds it.
//
//	    which architectures
//	 1  one image for each architecture of the pool's nodes; several make an index, one     several architectures; one architecture
//	    none, whatever the payload
//	 2  several architectures and a payload that is not Multi: finding PayloadNotMulti     several architectures need a multi payload
//	 3  none: nothing is done, finding NoArchitectures                                     no architecture
//	    which containerfile
//	 4  the architecture's own entry, else NoArch; "" is NoArch                            TestContainerfileOracle
//	 5  an entry for another architecture: finding ContainerfileUnused; entries, but       a containerfile for an architecture …
//	    none that applies: finding ContainerfileMissing
//	 6  the architecture reaches the build as TARGETARCH                                   TestJobFacts
//	    what goes into an image: its key
//	 7  the containerfile (CRLF is LF, newlines at the end do not count), the digests of   TestKeyFields
//	    the OS and extensions images of the architecture, kernel type, extensions as a
//	    set, kernel arguments in order
//	 8  nothing else: not the order of entries, other architectures, secrets, the push     TestKeyIgnores
//	    spec, other content of the rendered config
//	 9  64k-pages is for arm64; on another architecture it is a problem                    64k-pages
//	    build or reuse
//	10  an image of an equal key, of any build of the MachineOSConfig, is reused           another rendered config …; a node of a new …
//	11  in another repository it is copied first                                           another push spec
//	12  gone from the registry: built again, with the rest reused                          a reused image is gone
//	13  a running job of an equal key is waited for, though it is another build's          TestEditWhileJobsRun
//	14  a rebuild raises the attempt; images and jobs of lower ones do not count           TestAcceptRebuild, TestRebuildWhileJobsRun
//	    which object
//	15  the MachineOSBuild is named after pool, rendered config, push spec, the keys by    TestNameFields
//	    architecture, and the attempt
//	16  it ended without success, lost an image, or is being deleted: another attempt      a failed build …; an interrupted build …
//	17  as many builds of equal inputs may fail as Facts.Attempts says                     a failed build stays failed
//	18  others of the pool that have not ended are superseded, their jobs obsolete         TestEditWhileJobsRun
//	    jobs
//	19  a job runs on Linux nodes of its architecture, one that publishes on any           TestJobFacts
//	20  no two jobs push to one tag; names, tags and label values have their limits        TestNamesFit
//	    state
//	21  see [Observe]; one job failed: siblings are left to finish, none is started        a failed job's siblings …, TestProgressOracle
//	22  the status is valid under the CRD at every step                                    TestObserveRules, TestStateMachine
//	    publishing
//	23  only when every required architecture has its image                                TestPublish
//	24  a push spec that the status cannot hold by digest is told before any job          a push spec with two path levels
//
// Rule 22 leaves ConfigMaps and Secrets out of relatedObjects: the group of their
// resources is empty, which the CRD refuses whatever its description says. They
// are found by their labels.
//
// Rules 1 to 3: a Job today has no node selector and takes the architecture of
// the node it lands on. Rule 4: only NoArch entries are read today. Rules 7, 8 and
// 15: the name of a build hashes the whole MachineOSConfig today, so a reordered
// list or a renamed secret rebuilds, and a long pool name breaks the tag. Rule 9:
// the architecture of the controller decides today.
//
// # What stands where
//
//	MachineConfigPool  annotation architectures: the set that Facts.Architectures is read from
//	ConfigMap          machine-config-pool-architectures, key: the pool, value: the same
//	MachineOSConfig    annotation rebuild: a request; annotation build-attempt: the first that counts
//	MachineOSBuild     annotations build-attempt, build-key.<arch>, image.<arch>, image-from.<arch>
//	Job                labels and annotations machine-os-build, architecture, …; annotation push-spec
//
// All annotations and labels have the prefix machineconfiguration.openshift.io/.
// [Records] reads what a MachineOSBuild requires and has.
//
// # The order of writes
//
// Accept first. Then create the MachineOSBuild, then the jobs. Of a running build
// write what Observe returns, annotations before status. Interrupt superseded
// builds before deleting obsolete jobs. Any of it may be lost or repeated.
//
// # What it will not do
//
// It talks to no registry and no API server, writes no pod, handles no secret and
// prunes neither builds nor images. It does not emulate: who has no node of an
// architecture gets no image for it. It never falls back to another architecture,
// kernel or image.
package buildplan
