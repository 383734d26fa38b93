package manifestlist

// A FindingCode says what a [Finding] is about.
type FindingCode string

const (
	// FindingAttestationDropped: an attestation is not in the index, because no
	// option keeps it or because the image that it attests left (A7, U3).
	FindingAttestationDropped FindingCode = "AttestationDropped"
	// FindingChildReplaced: a later child took the place of this child or entry (A6,
	// U1).
	FindingChildReplaced FindingCode = "ChildReplaced"
	// FindingRemoved: option Remove took this entry away (U5).
	FindingRemoved FindingCode = "Removed"
	// FindingIdenticalDropped: the same child was given more than once (A6).
	FindingIdenticalDropped FindingCode = "IdenticalDropped"
	// FindingFlattened: the entries of an index took its place (A5). What the index
	// said about itself (annotations, artifactType, subject) is not carried over.
	FindingFlattened FindingCode = "Flattened"
	// FindingUnknownPlatform: an operating system or architecture that Go does not
	// know (A4). It may be new, or misspelled.
	FindingUnknownPlatform FindingCode = "UnknownPlatform"
	// FindingEmpty: the index holds nothing (A15).
	FindingEmpty FindingCode = "Empty"
)

// A Finding is something that was left out or is odd. It stops nothing.
type Finding struct {
	Code FindingCode
	// Path is the child or entry meant: children[2] or, by its name,
	// children[arm64.tar] for a child of the argument, and manifests[2] for an
	// entry of the index that was updated.
	Path   string
	Detail string
}

// String returns path: detail, or the detail alone.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Detail
	}
	return f.Path + ": " + f.Detail
}
