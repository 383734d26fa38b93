package payloadarch

import (
	"iter"
	"slices"
	"strings"
)

// Set is a set of architectures in its canonical text form: GOARCH strings in
// ascending order, separated by commas, each once. It is immutable and
// comparable with ==; the zero value is the empty set.
//
// The text form is what is stored as an annotation of a MachineConfigPool or a
// value of a ConfigMap, so that whatever builds or expands per architecture
// reads one stored fact.
type Set struct{ text string }

// SetOf returns the set of the given names, by rules 48 to 50 of the package. A name
// that holds a comma counts as the names between its commas, so that the text form
// always round-trips.
func SetOf(names ...string) Set {
	all := make([]string, 0, len(names))
	for _, n := range names {
		for part := range strings.SplitSeq(n, ",") {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	}
	slices.Sort(all)
	return Set{strings.Join(slices.Compact(all), ",")}
}

// ParseSet reads a text form, by rules 48 to 51 of the package. The empty string is
// the empty set.
func ParseSet(text string) Set { return SetOf(text) }

// String returns the text form, which is "" for the empty set.
func (s Set) String() string { return s.text }

// MarshalText returns the text form. It never fails.
func (s Set) MarshalText() ([]byte, error) { return []byte(s.text), nil }

// UnmarshalText reads a text form as ParseSet does. It never fails.
func (s *Set) UnmarshalText(text []byte) error {
	*s = ParseSet(string(text))
	return nil
}

// Equal reports whether s and t hold the same architectures, as s == t does. Libraries
// that compare values in depth, such as go-cmp, look for this method.
func (s Set) Equal(t Set) bool { return s == t }

// Len returns the number of architectures.
func (s Set) Len() int {
	if s.text == "" {
		return 0
	}
	return strings.Count(s.text, ",") + 1
}

// All yields the architectures in ascending order.
func (s Set) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		if s.text == "" {
			return
		}
		for a := range strings.SplitSeq(s.text, ",") {
			if !yield(a) {
				return
			}
		}
	}
}

// Has reports whether name is in the set.
func (s Set) Has(name string) bool {
	for a := range s.All() {
		if a == name {
			return true
		}
	}
	return false
}

// Union returns the set of the architectures that are in s or in t.
func (s Set) Union(t Set) Set { return SetOf(s.text, t.text) }
