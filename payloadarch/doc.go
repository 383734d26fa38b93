// Package payloadarch tells whether the release payload of a cluster was built for
// one architecture or for several. Which architectures the nodes have is another
// fact, although the two are often taken for one: a multi payload also runs on
// nodes that are all alike. Package nodearch below this one tells that.
//
// # Payload kind
//
// The kind is [Unknown], [Single] or [Multi]. Unknown is not Single: whoever acts
// on it keeps what it has. The numbers are those of the tests' rows.
//
//	 #  source                          facts                                                        kind, reason
//	 1  FromClusterVersion              no ClusterVersion                                            Unknown, NotObserved
//	 2                                  status.desired.architecture neither empty nor Multi          Unknown, Unrecognized, problem
//	 3                                  status.desired names neither version nor image               Unknown, NotObserved
//	 4                                  architecture Multi, whatever the gate says                   Multi, Reported
//	 5                                  empty; FeatureGate given, no entry for the version           Unknown, GateUnknown
//	 6                                  empty; the entry does not enable ImageStreamImportMode       Unknown, GateDisabled
//	 7                                  empty; history[0] not Completed, or for another image        Unknown, Updating
//	 8                                  empty otherwise                                              Single, Settled
//	 9  FromReleaseMetadata             architecture key is the string "multi"                       Multi, Metadata
//	10                                  no architecture key                                          Single, Metadata
//	11                                  any other value, no string, or the key twice                 Unknown, Unrecognized, problem
//	12                                  over 1 MiB, no JSON object, trailing data, another kind      *MetadataError
//	13  FromHostedCluster               status.payloadArch empty                                     Unknown, NotObserved
//	14                                  Multi                                                        Multi, Hosted
//	15                                  AMD64, ARM64, PPC64LE, S390X                                 Single, Hosted
//	16                                  any other value                                              Unknown, Unrecognized, problem
//	17  FromHosted                      payloadArch not empty                                        rows 14 to 16
//	18                                  empty, hosted ClusterVersion given                           rows 2 to 8, finding
//	19  FromIndex                       two or more distinct payload architectures for linux         Multi, Index
//	20                                  otherwise                                                    Single, Index
//
// Within a source the first row that fits wins.
//
// Rows 1 to 8 follow the cluster version operator, which writes the field: it
// reads only "multi" out of the release metadata, writes Multi or nothing, and
// writes nothing while the gate ImageStreamImportMode is off or not known for the
// version. It learns its gates by restarting, hence row 7. Rows 9 to 12 are the
// document that "oc adm release new" puts into release-manifests/release-metadata.
// Rows 13 to 16 are HyperShift's PayloadArchType.
//
// # Transition
//
//	21  previous or current kind Unknown      NoChange, KindUnknown
//	22  the same kind                         NoChange, KindUnchanged
//	23  Single, then Multi                    SingleToMulti, KindChanged
//	24  Multi, then Single                    MultiToSingle, KindChanged
//	25  a change, history[0] Partial          in progress, else complete
//	26  an edit of spec.desiredUpdate to      finding AlreadyMulti (CheckDesiredUpdate)
//	    Multi on a Multi cluster
//
// # Sets of architectures
//
// [Set] is the text form in which a set of architectures is stored.
//
// # What it will not do
//
// It does not say what an image can run on, reads neither nodes nor registries
// itself, and does not guess the kind of a payload from the nodes, from its
// version or from its image's name. It keeps no memory: who wants a transition
// brings the previous kind. It gives no names to the annotations and ConfigMap
// keys that hold a set.
package payloadarch
