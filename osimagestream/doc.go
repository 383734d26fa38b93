// Package osimagestream decides which operating system images a cluster offers
// to its machine config pools, and what the OSImageStream named cluster, the
// singleton, says of them.
//
// OKD ships one stream, OCP ships several, and both use the same API: on OKD the
// singleton offers exactly one stream, so whatever relies on it works there
// unchanged. The flavor is an argument, not a build tag; Flavor shows how a build
// that knows its flavor pins it.
//
// How the functions follow each other:
//
//	image-references ──ParseImageReferences──▶ candidates ──Sources.Images──▶ what to inspect
//	candidates, pairs of images, labels ──Discover──▶ streams
//	FeatureGate, Infrastructure ──Manage──▶ whether to keep the singleton
//	what was discovered, the stored singleton ──Single, Default──▶ the default stream
//	the same ──Plan──▶ steps
//	a pool, the stored singleton ──ForPool──▶ the pool's images
//	an edit of a pool, the stored singleton ──ValidatePool──▶ problems
//
// Every rule has a number. Where a table says so, its first rule that matches wins.
//
// # The payload's list of images: ParseImageReferences
//
//	1  more than 4 MiB → error TooLarge
//	2  no JSON, JSON of another shape, or data after it → error Malformed
//	3  a kind other than ImageStream, or an apiVersion other than image.openshift.io/v1
//	   and v1 (releases older than the group) → error WrongKind
//	4  else → the candidates of rules 5 and 6, each with its name, its origin and the
//	   annotation of rule 5; other tags and fields are left out
//
// Source: the release image's file release-manifests/image-references.
//
// # Which images to inspect: Sources.Images
//
//	5  a tag whose annotation io.openshift.build.source-location contains
//	   github.com/openshift/os is a candidate
//	6  so is a tag named (rhel|stream|centos|scos)…-coreos…, where … is letters, digits,
//	   dots and dashes
//	7  a candidate that points to something other than a DockerImage is skipped, with a
//	   finding
//	8  to inspect are the candidates, the ConfigMap's pair and the command line's pair,
//	   each if it is whole; each image once, sorted, but for those that rule 18 refuses
//
// Source: pkg/osimagestream of the machine config operator (MCO), whose pattern knows
// only rhel and stream, and so misses centos-10-coreos and scos-10-coreos.
//
// # What an image is: RoleOf
//
//	 9  label containers.bootc is true or 1 → RoleOS
//	10  label io.openshift.os.extensions is true → RoleExtensions
//	11  both → RoleOS; Discover adds a finding
//	12  neither → RoleNone
//	13  values compare without regard to case, keys with regard to it
//
// Source: the same package of MCO.
//
// # Streams: Discover
//
// An image counts as one half of the stream that its label
// io.openshift.os.streamclass names, unless one of these rules skips it:
//
//	14  its labels are not known, and rule 18 does not refuse it → finding NotInspected
//	15  it has no stream label → finding NoStreamLabel
//	16  it has no role → finding UnknownRole
//	17  the label is not a DNS-1123 subdomain → problem
//	18  the CRD does not take its pull spec, which must be
//	    host[:port]/[namespace/]name@sha256:digest → problem
//
// The halves of one source make its streams:
//
//	19  an OS image and an extensions image → the stream; one of them alone → finding
//	    IncompletePair, and no stream from this source
//	20  several images for one role of one stream → the smallest tag name wins, then the
//	    smallest pull spec; finding DuplicateImage
//	21  the same pull spec in several tags is no duplicate
//
// The sources are the command line, the ConfigMap machine-config-osimageurl and the
// payload, in this order:
//
//	22  a stream is taken whole from the last source that completes it; if that replaces
//	    other images → finding Overridden
//	23  the command line or the ConfigMap lacks one of its two images → that source is
//	    skipped, finding SourceUnusable
//	24  one image of the command line or the ConfigMap is skipped by rules 14 to 18 → so is
//	    the other
//	25  labels decide an image's role, not its place on the command line or in the ConfigMap
//	26  streams are sorted by name; findings by path, code and detail; problems by field and
//	    text
//
// Source: the same package of MCO for rules 22 and 25. It drops incomplete pairs and
// duplicates without a word; the CRD is the source of rules 17 and 18.
//
// # Whether all was seen: Discovery.Complete
//
//	27  an image is skipped by rule 14 → no
//	28  the payload is not given, and no name is assumed → no, finding PayloadUnread
//	29  else → yes, whatever other rules skip; an assumed name needs no labels
//
// Source: MCO (pkg/osimagestream, fetchImagesData and collect) leaves out an image that
// it cannot inspect, and a source that it cannot read, and writes what is left. One
// request that fails then looks like a stream that has left the release.
//
// # Streams without labels: Sources.AssumeStream
//
//	30  no labels and a name → the pairs, and the tags stream-coreos and
//	    stream-coreos-extensions, are halves of the stream of that name; finding NameAssumed
//	31  images are inspected, even if none could be → the name does not count
//	32  the name is not a DNS-1123 subdomain → problem, no stream, and not complete
//
// Source: OKD's payload, which has these tags and one stream.
//
// # Which streams count: Single, Default, Plan
//
//	33  not all was seen → none, reason Incomplete, finding Incomplete
//	34  a stream with a name or a pull spec that the CRD does not take does not count;
//	    problem
//	35  several streams of one name → the one with the smallest OS image, then the smallest
//	    extensions image, counts; problem
//
// Source: the CRD. Discover returns no such streams.
//
// # OKD's stream: Single
//
// Of rules 36 to 41 the first match wins.
//
//	36  no stream → none, problem                              NoStreams
//	37  one stream → that one                                  SoleStream
//	38  spec names a stream that is there → that one           Spec
//	39  spec is empty, status names one → that one             Status
//	40  the built-in default is there → that one               BuiltIn
//	41  else → the highest version, of equal ones the first    HighestVersion
//	    by name
//	42  versions compare by the numbers in the names, one after the other; a name that runs
//	    out of numbers first is lower
//	43  every other stream → finding NotOffered
//
// Source: the proposal of MCO-2026, one tuple for OKD. It leaves open which one.
//
// # The default stream: Default
//
// First match wins. On OKD the stream of Single is all that is offered.
//
//	44  nothing is offered → none, problem                              NoStreams
//	45  spec names a stream that is offered → that one                  Spec
//	46  spec is empty, status names one that is offered → that one      Status
//	47  OKD: another stream is named → the stream of Single             Advanced
//	48  OCP: another stream is named → none, a problem names the        NotOffered
//	    choices
//	49  OKD: no stream is named → the stream of Single                  Single's reason
//	50  OCP: one stream is offered → that one                           SoleStream
//	51  OCP: the built-in default is offered → that one                 BuiltIn
//	52  OCP: it is not offered → none, a problem names the choices      NotOffered
//	53  OCP: it is not known → none, a problem names the choices        InstallVersionUnknown
//
// Source: MCO for the order spec, status, sole stream, built-in default. If spec is
// empty, MCO writes an empty default, which the CRD refuses; hence 46. If a named
// stream has left the payload, MCO fails from then on; hence 47 for OKD, which has no
// choice to offer, and 44 for OCP, whose users choose their RHEL.
//
// # The default that is built in: BuiltInDefault
//
//	54  OKD → centos-10
//	55  OCP, installed as 4.x → rhel-9
//	56  OCP, installed as any other version → rhel-10
//	57  OCP, the version does not begin with two numbers, x.y, the first of them without
//	    leading zeros → none
//
// Source: MCO, which reads the version with ParseGeneric of apimachinery, as we do.
//
// # The version that a cluster was installed with: InstallVersion
//
//	58  the oldest entry of the history that is Completed and has a completion time
//	59  of entries with equal times, the last one in the list, which is newest first
//	60  no such entry → the desired version
//	61  not known either → none
//
// Source: MCO.
//
// # What to write: Plan
//
//	62  not all was seen → no step: an object keeps what it says, annotations too, and a
//	    creation waits
//	63  no object is stored → create it, then write its status, then its annotations
//	64  the stored status differs → write the status; the order of streams is no difference
//	65  the stored spec or annotations differ → update them, after the status
//	66  the stored spec is empty → before all else, fill it with a stream that the stored
//	    status offers: the default, else the stored default, else the first; without a
//	    stored status, with the default
//	67  nothing differs → no step
//	68  nothing is offered → no step
//	69  OCP has no default, but status stores one → the stored default stays, with its stored
//	    images if the release has no such stream (finding RetiredKept); the other streams are
//	    written; the annotations stay, and so does spec, unless rule 66 fills it
//	70  OCP has no default, and status stores none either → no step
//	71  more than 100 streams → problem, no step
//	72  the release's version or image is not given → finding Unannotated; the steps write
//	    the annotation that is known
//	73  what a step does not write stays, the annotations of others too
//	74  the steps depend on the stored object only, so the next plan finishes one that was
//	    broken off
//
// Source: the CRD's CEL rule, by which spec can name only a stream that status offers,
// for 64 to 66; MCO, which takes the annotations for the sign that status is up to date,
// for 63, 65 and 69. Rule 69 lets a user of OCP name one of the new streams, and rolls
// nothing out before that.
//
// # What to send: Step.On
//
//	75  VerbCreate → the step's object
//	76  VerbUpdate → the current object with the step's spec and, added to its own, the
//	    step's annotations
//	77  VerbUpdateStatus → the current object with the step's status
//	78  VerbUpdate or VerbUpdateStatus without a current object → the step's object
//	79  the step has no object or no such verb → the current object
//
// # A pool's images: ForPool
//
// Of the rules for the stream the first match wins:
//
//	80  the pool names a stream → that one                              Own
//	81  the pool is custom (not master, worker or arbiter), and the     Worker
//	    worker pool names a stream → that one
//	82  the pool is custom, and no worker pool is given → on with rule 83, finding
//	    WorkerMissing
//	83  status.defaultStream                                            Default
//	84  status has no default → no stream                               Unresolved
//
// Of the rules for the images the first match wins as well:
//
//	85  there is no singleton → none, finding SingletonMissing
//	86  its status offers nothing yet → none, finding NotReconciled
//	87  it does not offer the stream → none, and a problem names the choices; the images
//	    of another stream are never taken instead
//	88  another version than the caller's annotated it → none, finding OtherRelease
//	89  else → those of the stream
//
// Source: MCO for rules 80, 81, 83 and 88.
//
// # The OS image that a user sets: ForPool
//
// A machine config of a user can set osImageURL.
//
//	90  the pool's machineConfigSelector does not select it → it does not count; a selector
//	    that is nil or empty selects none
//	91  the selector cannot be read → none counts, and a problem
//	92  it has the annotation machineconfiguration.openshift.io/generated-by-controller-version
//	    → it is the operator's own and does not count
//	93  several count → those with the role worker come first, then the others, each by
//	    name; the last one wins; each other image → finding OSImageURLShadowed
//	94  the one that wins sets the image of the stream → as if none were set
//	95  the stream is the default or unresolved → it takes the place of the stream's OS
//	    image; finding OSImageURLOverride
//	96  the stream is one that rule 80 or 81 found → problem: a pool cannot have both
//
// Source: MCO: pkg/controller/common, MergeMachineConfigs, for 92 and 93;
// pkg/controller/render, syncMachineConfigPool and syncGeneratedMachineConfig, for 90
// and 94; for 96 the message that its tests expect of a degraded pool, "cannot override
// MachineConfig osImageURL and set MachineConfigPool spec.osImageStream.name
// simultaneously".
//
// # What becomes of the pool: ForPool
//
//	97  any problem → no images; the pool is degraded for the first that there is of
//	    StreamNotOffered (rule 87), MachineConfigSelectorInvalid (rule 91) and
//	    OSImageURLConflict (rule 96)
//	98  no images for another reason → it keeps what it runs, and is not degraded for that
//	99  images → it is to run the OS image of rule 95, or else the stream's; its status is
//	    to name the stream, or with rule 95 none
//
// Source: MCO for 97 to 99, which degrades a pool for 85 and 86 as well.
//
// # An edit of a pool: ValidatePool
//
// First match wins.
//
//	100  the pool names no stream → valid, with or without a singleton
//	101  it names the stream that it named before → valid, even if that is retired
//	102  there is no singleton, or its status offers nothing yet → NotFound
//	103  the stream is not offered → NotSupported, with the choices
//	104  the stream is offered → valid
//
// Source: MCO's admission policy, which lacks 100 and 101: it refused any edit of a pool
// that names a retired stream, and without the singleton every edit (MCO#5618).
//
// # Whether to keep the singleton: Manage
//
// Of rules 105 to 110 the first match wins.
//
//	105  MicroShift → no                                             MicroShift
//	106  no Infrastructure → not yet                                 TopologyUnknown
//	107  its controlPlaneTopology is External → no                   HyperShift
//	108  the FeatureGate lacks an entry for the version → not yet    GateUnknown
//	109  that entry does not enable OSStreams → no                   GateDisabled
//	110  it does → yes, on OCP and on OKD                            GateEnabled
//	111  with any of 108 to 110, feature set OKD and flavor OCP → finding FlavorMismatch
//
// Source: MCO, and the FeatureGate's own rule that a version without an entry is not
// decided yet.
//
// # What this package will not do
//
// It pulls nothing, inspects no image and writes no object. It renders no machine
// config and knows nothing of nodes. It does not delete the singleton: the cluster
// forbids that.
package osimagestream
