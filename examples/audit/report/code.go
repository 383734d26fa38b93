package report

import (
	"slices"
	"strings"
)

// A Code is the permanent name of a kind of entry. A code is never given another
// meaning, and none is taken away.
type Code struct {
	Code           string
	Level          Level
	Impact, Remedy string
}

var codes []Code

// Register adds the codes of a section. It is called while the program starts.
func Register(list ...Code) bool {
	codes = append(codes, list...)
	slices.SortFunc(codes, func(a, b Code) int { return strings.Compare(a.Code, b.Code) })
	return true
}

// Codes returns all codes, ascending.
func Codes() []Code { return slices.Clone(codes) }

// Lookup returns what a code means.
func Lookup(code string) (Code, bool) {
	i, ok := slices.BinarySearchFunc(codes, code, func(c Code, name string) int { return strings.Compare(c.Code, name) })
	if !ok {
		return Code{Code: code, Level: Note}, false
	}
	return codes[i], true
}

// New returns an entry of a code. A field that begins with the object is cut behind it.
func New(code, object, field, detail string) Entry {
	c, _ := Lookup(code)
	field = strings.TrimPrefix(strings.TrimPrefix(field, object), ".")
	return Entry{Code: code, Level: c.Level, Object: object, Field: field, Detail: detail, Impact: c.Impact, Remedy: c.Remedy}
}
