package manifestlist

import "strconv"

// A ChildRef says which child or entry an [IndexError] is about.
type ChildRef struct {
	// Position is the child's place in the argument, or the place of an Entry in
	// the manifests of its index. For a child of a flattened index it is the place
	// of that index in the argument.
	Position int
	// Name is what the caller named the child, if anything.
	Name string
	// Entry is true for an entry of an index that was parsed, updated or selected
	// from.
	Entry bool
}

// String returns the path of the child or entry: children[2], children[arm64.tar]
// if it has a name, manifests[2] for an entry. A name that would not print as it
// is comes in quotes.
func (r ChildRef) String() string {
	switch {
	case r.Entry:
		return "manifests[" + strconv.Itoa(r.Position) + "]"
	case r.Name == "":
		return "children[" + strconv.Itoa(r.Position) + "]"
	}
	if quoted := strconv.Quote(r.Name); quoted[1:len(quoted)-1] != r.Name {
		return "children[" + quoted + "]"
	}
	return "children[" + r.Name + "]"
}
