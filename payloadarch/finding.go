package payloadarch

// Reason is the machine-readable ground of a Verdict.
type Reason string

// FindingCode names a kind of Finding.
type FindingCode string

// A Finding is something skipped, conflicting or odd that does not make the
// answer wrong.
type Finding struct {
	Code FindingCode
	// Path is where it was met: a field path within the object given, preceded
	// by the name of the object where several were given.
	Path string
	// Detail is for people and names the value met and what would be right.
	Detail string
}
