package payloadarch

import (
	"cmp"
	"slices"
)

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingAlias: an architecture is spelled in another way than GOARCH; it
	// was taken for the one it means.
	FindingAlias FindingCode = "ArchitectureAlias"
	// FindingUnknownArchitecture: an architecture that no payload is built for.
	// Sets keep it under the name it has; an index entry of it is left out.
	FindingUnknownArchitecture FindingCode = "UnknownArchitecture"
	// FindingArchitectureMissing: a node has no architecture yet, so the sets
	// that it belongs to are incomplete.
	FindingArchitectureMissing FindingCode = "ArchitectureMissing"
	// FindingArchitectureConflict: the label and the kubelet name different
	// architectures; the label was taken.
	FindingArchitectureConflict FindingCode = "ArchitectureConflict"
	// FindingOSMissing: a node has no operating system yet and was taken for
	// Linux.
	FindingOSMissing FindingCode = "OperatingSystemMissing"
	// FindingNoNodes: there are no nodes at all, so every set is incomplete.
	FindingNoNodes FindingCode = "NoNodes"
	// FindingNodeWithoutPool: no pool takes a Linux node.
	FindingNodeWithoutPool FindingCode = "NodeWithoutPool"
	// FindingMasterWins: a node matches a custom pool and is in master
	// nevertheless.
	FindingMasterWins FindingCode = "MasterWins"

	// FindingMetadataSpelling: release metadata holds the architecture key in
	// another letter case, which nothing reads.
	FindingMetadataSpelling FindingCode = "MetadataKeySpelling"

	// FindingPlatformMissing: an entry of the index has no platform and was left
	// out.
	FindingPlatformMissing FindingCode = "PlatformMissing"
	// FindingOtherOS: an entry of the index is not for linux and was left out.
	FindingOtherOS FindingCode = "OtherOperatingSystem"
	// FindingAttestation: an entry of the index describes another entry and was
	// left out.
	FindingAttestation FindingCode = "Attestation"
	// FindingNoPayloadArchitecture: no entry of the index counts, so Single is
	// what is left rather than what was seen.
	FindingNoPayloadArchitecture FindingCode = "NoPayloadArchitecture"

	// FindingHostedClusterVersion: the answer rests on a ClusterVersion that the
	// administrator of the hosted cluster can write.
	FindingHostedClusterVersion FindingCode = "HostedClusterVersion"
	// FindingHostedConflict: the HostedCluster and the hosted ClusterVersion name
	// different kinds; the HostedCluster was taken.
	FindingHostedConflict FindingCode = "HostedConflict"

	// FindingAlreadyMulti: somebody asks for a migration to the multi payload
	// that the cluster has already.
	FindingAlreadyMulti FindingCode = "AlreadyMulti"
)

// A Finding is something skipped, conflicting or odd that does not make the
// answer wrong.
type Finding struct {
	Code FindingCode
	// Path is where it was met: a field path within the object given, preceded
	// by the kind and the name of the object where several were given, such as
	// "nodes[worker-0].metadata.labels[kubernetes.io/arch]".
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}

// sortFindings puts findings that were gathered from a list of objects into
// their order: by path, then code, then detail.
func sortFindings(f []Finding) {
	slices.SortFunc(f, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
}
