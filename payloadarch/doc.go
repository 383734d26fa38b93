// Package payloadarch tells whether the release payload of a cluster was built for
// one architecture or for several. Which architectures the nodes have is another
// fact, although the two are often taken for one: a multi payload also runs on
// nodes that are all alike. Package nodearch below this one tells that.
//
// The kind of a payload is [Unknown], [Single] or [Multi]. Unknown is not Single:
// whoever acts on it keeps what it has. Architectures are GOARCH strings.
//
// # The ClusterVersion: FromClusterVersion
//
// The first rule that fits wins. "Empty" is said of status.desired.architecture.
//
//	#  facts                                                     kind     reason
//	1  no ClusterVersion                                         Unknown  NotObserved
//	2  the architecture is neither empty nor Multi               Unknown  Unrecognized, problem
//	3  status.desired names neither version nor image            Unknown  NotObserved
//	4  the architecture is Multi, whatever the gate says         Multi    Reported
//	5  empty; the FeatureGate has no entry for the version       Unknown  GateUnknown
//	6  empty; that entry does not enable ImageStreamImportMode   Unknown  GateDisabled
//	7  empty; history[0] is missing, not Completed, or for       Unknown  Updating
//	   another image than desired
//	8  empty otherwise                                           Single   Settled
//
// A nil FeatureGate means that the caller has none, and skips rules 5 and 6.
//
// Source: the cluster version operator, which writes the field. It reads only
// "multi" out of the release metadata, writes Multi or nothing, and writes nothing
// while the gate is off or not known for the version. It learns its gates by
// restarting: until an update is complete, an empty value may yet become Multi.
// Hence rule 7.
//
// # Release metadata: FromReleaseArchitecture, FromReleaseMetadata
//
// The key is release.openshift.io/architecture under "metadata".
//
//	 #  facts                                                    kind     reason
//	 9  the key holds the string multi                           Multi    Metadata
//	10  there is no such key                                     Single   Metadata
//	11  the key holds another string                             Unknown  Unrecognized, problem
//	12  the key holds something other than a string              Unknown  Unrecognized, problem
//	13  a document and the value parsed from it get the same verdict
//	14  the key is in the document twice                         Unknown  Unrecognized, problem
//	15  the key in another letter case is not read; finding MetadataKeySpelling
//	16  over 1 MiB, not JSON, not an object, data behind it, "metadata" not an object, or
//	    another "kind" → no verdict, *MetadataError
//
// Source: the document that "oc adm release new" writes to
// release-manifests/release-metadata, and the cluster version operator, which takes
// every value but multi for a single payload and logs it. Its map of metadata knows
// the exact key only; "kind" and "metadata" are fields of a struct there and match
// in any letter case.
//
// # HyperShift: FromHostedCluster
//
//	 #  status.payloadArch                                       kind     reason
//	17  empty                                                    Unknown  NotObserved
//	18  Multi                                                    Multi    Hosted
//	19  AMD64, ARM64, PPC64LE or S390X                           Single   Hosted
//	20  any other value                                          Unknown  Unrecognized, problem
//
// Source: HyperShift's PayloadArchType.
//
// # HyperShift, both sources: FromHosted
//
//	21  payloadArch is not empty → rules 18 to 20
//	22  the same, and the hosted ClusterVersion names the other kind → finding HostedConflict
//	23  payloadArch is empty → the hosted ClusterVersion by rules 1 to 8, with the finding
//	    HostedClusterVersion if there is one
//
// Source: the enhancement dynamic-imagestream-importmode-setting. It accepts the
// hosted ClusterVersion, although the administrator of the hosted cluster can write
// it, since that harms nobody but this cluster.
//
// # The index of the release image: FromIndex
//
//	24  entries of two or more payload architectures for linux → Multi, Index
//	25  otherwise → Single, Index
//	26  another spelling (x86_64, AMD64) counts as the architecture it means; finding
//	    ArchitectureAlias
//	27  an entry without a platform is left out; finding PlatformMissing
//	28  an entry for unknown/unknown is left out; finding Attestation
//	29  an entry for another operating system is left out; finding OtherOperatingSystem
//	30  an entry for another architecture is left out; finding UnknownArchitecture
//	31  no entry counts → Single, finding NoPayloadArchitecture
//
// The payload architectures are amd64, arm64, ppc64le and s390x. Source: HyperShift,
// which counts entries where rule 24 counts distinct architectures, and BuildKit,
// which gives attestations the platform of rule 28. That platform is the only mark
// of an attestation that this package sees.
//
// # What is reported: ReportedArchitecture
//
//	32  Multi → Multi
//	33  Single and Unknown → empty
//
// Source: the cluster version operator.
//
// # A transition: TransitionOf
//
//	34  the previous or the current kind is Unknown → NoChange, KindUnknown
//	35  the same kind twice → NoChange, KindUnchanged
//	36  Single, then Multi → SingleToMulti, KindChanged
//	37  Multi, then Single → MultiToSingle, KindChanged
//	38  a change is in progress while history[0] is Partial, else complete
//	39  the current kind is to be stored if it is Single or Multi, another than the
//	    previous one, and no change is in progress
//
// Rule 39 lets a caller that stores what it is told see a change in progress for as
// long as it is, and its completion once. Source: the cluster version operator for
// 38; it called such a migration complete too early (OCPBUGS-10300).
//
// # An edit of spec.desiredUpdate: CheckDesiredUpdate
//
// The first rule that fits wins.
//
//	 #  facts                                                    reason
//	40  no update is proposed                                    NoUpdate
//	41  the proposed architecture is not Multi                   MultiNotAsked
//	42  the stored update asks for Multi already                 AskedBefore
//	43  the kind of the payload is Unknown                       PayloadUnknown
//	44  the kind is Single                                       Migration
//	45  the kind is Multi                                        AlreadyMulti, finding
//
// Source: the cluster version operator, which does not refuse the edit of rule 45
// (OCPBUGS-8247).
//
// # Sets of architectures: SetOf, ParseSet
//
//	46  the text form holds each name once, in ascending order, separated by commas
//	47  blanks around names, empty names and repetitions do not matter
//	48  names are kept as they are: other spellings and unknown names too
//	49  every text is read, and a text form is read as the set that it was written for
//
// The text form is this package's own. It is what an annotation of a
// MachineConfigPool or a value of a ConfigMap holds.
//
// # What this package will not do
//
// It does not say what an image can run on, reads neither nodes nor registries
// itself, and does not guess the kind of a payload from the nodes, from its
// version or from its image's name. It keeps no memory: who wants a transition
// brings the previous kind. It gives no names to the annotations and ConfigMap
// keys that hold a set.
package payloadarch
