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
//	5  empty; no FeatureGate (nil), or it has no entry for       Unknown  GateUnknown
//	   the version
//	6  empty; that entry does not enable ImageStreamImportMode   Unknown  GateDisabled
//	7  empty; history has one entry, not Completed, for the      Single   Installing
//	   desired image
//	8  empty; history[0] is missing, not Completed, or for       Unknown  Updating
//	   another image than desired
//	9  empty otherwise                                           Single   Settled
//
//	10  FromClusterVersionWithoutGates and FromHostedWithoutGates leave out rules 5 to 7
//
// A nil FeatureGate has not been observed yet: it is what a lister's NotFound leaves.
// Rule 10 is for callers that know that they cannot read the FeatureGate at all.
//
// Source: the cluster version operator, which writes the field. It reads only
// "multi" out of the release metadata, writes Multi or nothing, and writes nothing
// while the gate is off or not known for the version. It learns its gates by
// restarting: until an update is complete, an empty value may yet become Multi.
// Hence rule 8. During an installation no older operator reports, so once the gate is
// known to be enabled, the empty value means single from the start. Hence rule 7, and
// that rule 10 leaves it out. A ClusterVersion that was deleted and made anew looks
// like an installation too: whoever acts on Installing fills only what is empty.
//
// # Release metadata: FromReleaseArchitecture, FromReleaseMetadata
//
// The key is release.openshift.io/architecture under "metadata".
//
//	#   facts                                                    kind     reason
//	11  the key holds the string multi                           Multi    Metadata
//	12  there is no such key                                     Single   Metadata
//	13  the key holds another string                             Unknown  Unrecognized, problem
//	14  the key holds something other than a string              Unknown  Unrecognized, problem
//	15  a document and the value parsed from it get the same verdict
//	16  the key is in the document more than once                Unknown  Unrecognized, problem
//	17  the key in another letter case is not read; finding MetadataKeySpelling
//	18  over 1 MiB, not JSON, not an object, data behind it, "metadata" not an object, or
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
//	19  empty                                                    Unknown  NotObserved
//	20  Multi                                                    Multi    Hosted
//	21  AMD64, ARM64, PPC64LE or S390X                           Single   Hosted
//	22  any other value                                          Unknown  Unrecognized, problem
//
// Source: HyperShift's PayloadArchType.
//
// # HyperShift, both sources: FromHosted
//
//	23  payloadArch is not empty → rules 20 to 22
//	24  the same, and the hosted ClusterVersion names the other kind → finding HostedConflict
//	25  payloadArch is empty → the hosted ClusterVersion by rules 1 to 10, with the finding
//	    HostedClusterVersion if there is one
//
// Source: the enhancement dynamic-imagestream-importmode-setting. It accepts the
// hosted ClusterVersion, although the administrator of the hosted cluster can write
// it, since that harms nobody but this cluster.
//
// # The index of the release image: FromIndex
//
//	26  entries of two or more payload architectures for linux → Multi, Index
//	27  otherwise → Single, Index
//	28  another spelling (x86_64, AMD64) counts as the architecture it means; finding
//	    ArchitectureAlias
//	29  an entry without a platform is left out; finding PlatformMissing
//	30  an entry for unknown/unknown is left out; finding Attestation
//	31  an entry for another operating system is left out; finding OtherOperatingSystem
//	32  an entry for another architecture is left out; finding UnknownArchitecture
//	33  no entry counts → Single, finding NoPayloadArchitecture
//
// The payload architectures are amd64, arm64, ppc64le and s390x. Source: HyperShift,
// which counts entries where rule 26 counts distinct architectures, and BuildKit,
// which gives attestations the platform of rule 30. That platform is the only mark
// of an attestation that this package sees.
//
// # What is reported: ReportedArchitecture
//
//	34  Multi → Multi
//	35  Single and Unknown → empty
//
// Source: the cluster version operator.
//
// # A transition: TransitionOf
//
//	36  the previous or the current kind is Unknown, or the current one rests on
//	    Installing → NoChange, KindUnknown
//	37  the same kind twice → NoChange, KindUnchanged
//	38  Single, then Multi → SingleToMulti, KindChanged
//	39  Multi, then Single → MultiToSingle, KindChanged
//	40  a change is in progress while history[0] is Partial, else complete
//	41  the current kind is to be stored if it is Single or Multi, another than the
//	    previous one, does not rest on Installing, and no change is in progress
//
// Rule 41 lets a caller that stores what it is told see a change in progress for as
// long as it is, and its completion once. The installation of a multi payload is no
// migration, hence the exception of rules 36 and 41. Source: the cluster version operator for
// 40; it called such a migration complete too early (OCPBUGS-10300).
//
// # An edit of spec.desiredUpdate: CheckDesiredUpdate
//
// The first rule that fits wins.
//
//	#   facts                                                    reason
//	42  no update is proposed                                    NoUpdate
//	43  the proposed architecture is not Multi                   MultiNotAsked
//	44  the stored update asks for Multi already                 AskedBefore
//	45  the kind of the payload is Unknown                       PayloadUnknown
//	46  the kind is Single                                       Migration
//	47  the kind is Multi                                        AlreadyMulti, finding
//
// Source: the cluster version operator, which does not refuse the edit of rule 47
// (OCPBUGS-8247).
//
// # Sets of architectures: SetOf, ParseSet
//
//	48  the text form holds each name once, in ascending order, separated by commas
//	49  blanks around names, empty names and repetitions do not matter
//	50  names are kept as they are: other spellings and unknown names too
//	51  every text is read, and a text form is read as the set that it was written for
//
// The text form is this package's own. It is what an annotation of a
// MachineConfigPool or a value of a ConfigMap holds.
//
// # Texts
//
//	52  problems, findings and errors repeat at most 128 characters of a value of the
//	    input, and say so where that is not all
//
// The field Value of a MetadataError holds the whole value.
//
// # What this package will not do
//
// It does not say what an image can run on, reads neither nodes nor registries
// itself, and does not guess the kind of a payload from the nodes, from its
// version or from its image's name. It keeps no memory: who wants a transition
// brings the previous kind. It gives no names to the annotations and ConfigMap
// keys that hold a set.
package payloadarch
