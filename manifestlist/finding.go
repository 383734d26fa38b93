package manifestlist

// A FindingCode says what a [Finding] is about.
type FindingCode string

const (
	// FindingAttestationDropped: an attestation is not in the index, because the
	// option says so or because the image it attests is not there any more.
	FindingAttestationDropped FindingCode = "AttestationDropped"
	// FindingChildReplaced: a later child took the place of this one.
	FindingChildReplaced FindingCode = "ChildReplaced"
	// FindingRemoved: an entry is not in the index any more, because option Remove
	// says so.
	FindingRemoved FindingCode = "Removed"
	// FindingIdenticalDropped: the same child was given more than once.
	FindingIdenticalDropped FindingCode = "IdenticalDropped"
	// FindingFlattened: the children of an index took its place; what the index said
	// about itself (annotations, artifactType, subject) is not carried over.
	FindingFlattened FindingCode = "Flattened"
	// FindingUnknownPlatform: an operating system or architecture that Go does not
	// know. It may be new, or misspelled.
	FindingUnknownPlatform FindingCode = "UnknownPlatform"
	// FindingEmpty: the index holds nothing. It is valid, but OpenShift refuses to
	// import it.
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
