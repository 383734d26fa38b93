package manifestlist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/polyarch/polyarch/internal/quote"
)

// A Code says which rule an [IndexError] is about. The numbers in the comments are
// those of the package documentation.
type Code string

const (
	// CodeNotJSON: bytes that are not one JSON document in UTF-8 (B1, P1).
	CodeNotJSON Code = "NotJSON"
	// CodeNotIndex: JSON that is not an image index or manifest list (P2).
	CodeNotIndex Code = "NotIndex"
	// CodeNotManifest: JSON that is not what its media type says: an image manifest,
	// an index or the config of an image (B1, B3).
	CodeNotManifest Code = "NotManifest"
	// CodeAmbiguous: a document that two readers may read differently (B2, B3, P2,
	// P3).
	CodeAmbiguous Code = "Ambiguous"
	// CodeTooDeep: JSON nested deeper than [MaxDepth] (B1, P1).
	CodeTooDeep Code = "TooDeep"
	// CodeTooLarge: an input or the result is larger than the limit (A12, B1, P1).
	CodeTooLarge Code = "TooLarge"

	// CodeMismatch: what the descriptor says is not what the bytes are, or a config
	// without the manifest that names it (A1, A2, B4).
	CodeMismatch Code = "Mismatch"
	// CodeInvalidMediaType: a media type that is missing or not of the form
	// type/subtype (A3).
	CodeInvalidMediaType Code = "InvalidMediaType"
	// CodeInvalidDigest: a digest that is missing, malformed, or of another hash than
	// sha256, sha384 and sha512 (A3).
	CodeInvalidDigest Code = "InvalidDigest"
	// CodeInvalidSize: a size below one byte (A3).
	CodeInvalidSize Code = "InvalidSize"
	// CodeInvalidText: text that is not UTF-8, which no JSON holds (A3).
	CodeInvalidText Code = "InvalidText"
	// CodeInvalidPlatform: an image without a platform, or one that readers would
	// not find under the name it is written with (A4).
	CodeInvalidPlatform Code = "InvalidPlatform"
	// CodeNestedIndex: a child or a chosen entry that is an index itself (A5, D2,
	// S2).
	CodeNestedIndex Code = "NestedIndex"
	// CodeDuplicatePlatform: two children for one platform (A6).
	CodeDuplicatePlatform Code = "DuplicatePlatform"
	// CodeOrphanAttestation: an attestation that is to be kept and refers to no image
	// of the index (A7).
	CodeOrphanAttestation Code = "OrphanAttestation"
	// CodeMissingPlatform: a required platform that no child has (A8), or one to be
	// removed that no entry has (U5).
	CodeMissingPlatform Code = "MissingPlatform"
	// CodeForeignMediaType: a child that a Docker manifest list cannot hold (A10).
	CodeForeignMediaType Code = "ForeignMediaType"
	// CodeNotRepresentable: something that a Docker manifest list has no field for
	// (A10).
	CodeNotRepresentable Code = "NotRepresentable"
	// CodeUnknownOption: an option with a value that this package does not define,
	// or that the function has no use for (A16, S7).
	CodeUnknownOption Code = "UnknownOption"
)

// An IndexError is one reason why there is no index. Its zero value is about no
// child.
type IndexError struct {
	Code Code
	// Child is the child or entry at fault. It is nil if the fault is in the options
	// or in the index as a whole.
	Child *ChildRef
	// Other is the child that Child is in conflict with, or nil.
	Other *ChildRef
	// Path names the field, such as children[2].size, or children[arm64.tar].size
	// if the caller named the child.
	Path string
	// Value is what was found, Want what would be right. Error cuts a long value.
	Value, Want string
	// Err is the cause, if another package found it.
	Err error
}

func (e *IndexError) Error() string {
	if e == nil {
		return "nil IndexError"
	}
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	b.WriteString(cmp.Or(string(e.Code), "IndexError"))
	if e.Value != "" {
		b.WriteString(" ")
		b.WriteString(quote.Quote(e.Value))
	}
	if e.Want != "" {
		b.WriteString(": want ")
		b.WriteString(e.Want)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(quote.Cut(e.Err.Error()))
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *IndexError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// IndexErrors are all the reasons why there is no index: those of the children in
// order of the children, then those of the entries of the index to be updated, then
// those of the index itself (rule A17). [errors.As] finds the first *IndexError, or
// the IndexErrors themselves.
type IndexErrors []*IndexError

func (e IndexErrors) Error() string {
	if len(e) == 0 {
		return "no IndexError"
	}
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns every error.
func (e IndexErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i, err := range e {
		all[i] = err
	}
	return all
}

// sort is the order of rule A17.
func (e IndexErrors) sort() {
	list := func(err *IndexError) int {
		switch {
		case err.Child == nil:
			return 2
		case err.Child.Entry:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(e, func(x, y *IndexError) int {
		if c := cmp.Compare(list(x), list(y)); c != 0 || x.Child == nil {
			return c
		}
		return cmp.Compare(x.Child.Position, y.Child.Position)
	})
}
