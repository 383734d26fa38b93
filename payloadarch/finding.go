package payloadarch

// FindingCode names a kind of Finding.
type FindingCode string

const (
	// FindingAlias: an entry of the index spells its architecture in another way
	// than GOARCH. It was taken for the one it means.
	FindingAlias FindingCode = "ArchitectureAlias"
	// FindingUnknownArchitecture: no payload is built for the architecture of an
	// entry of the index. The entry was left out.
	FindingUnknownArchitecture FindingCode = "UnknownArchitecture"

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

// A Finding is something skipped, conflicting or odd. It blocks nothing.
type Finding struct {
	Code FindingCode
	// Path is where it was met, in the same form as the field of a problem.
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}

// String returns "path: detail", or the detail alone where there is no path.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}
