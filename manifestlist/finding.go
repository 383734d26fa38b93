package manifestlist

// A FindingCode says what a [Finding] is about.
type FindingCode string

const (
	// AttestationDropped: an attestation is not in the index, because the
	// option says so or because the image it attests is not there any more.
	AttestationDropped FindingCode = "AttestationDropped"
	// ChildReplaced: a later child took the place of this one.
	ChildReplaced FindingCode = "ChildReplaced"
	// IdenticalDropped: the same child was given more than once.
	IdenticalDropped FindingCode = "IdenticalDropped"
	// Flattened: the children of an index took its place; what the index said
	// about itself (annotations, artifactType, subject) is not carried over.
	Flattened FindingCode = "Flattened"
	// UnknownPlatform: an operating system or architecture that Go does not
	// know. It may be new, or misspelled.
	UnknownPlatform FindingCode = "UnknownPlatform"
	// Empty: the index holds nothing. It is valid, but OpenShift refuses to
	// import it.
	Empty FindingCode = "Empty"
)

// A Finding is something that was left out or is odd. It stops nothing.
type Finding struct {
	Code FindingCode
	// Path is the child or entry meant, such as children[2] for an argument and
	// manifests[2] for an entry of the index that was updated.
	Path   string
	Detail string
}
