package manifestlist

import (
	"fmt"
	"strconv"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A Code says which rule an [Error] is about. The numbers in the comments are
// those of the package documentation.
type Code string

const (
	// NotJSON: bytes that are not one JSON document in UTF-8 (P1).
	NotJSON Code = "NotJSON"
	// NotIndex: JSON, but no image index or manifest list (P2).
	NotIndex Code = "NotIndex"
	// Ambiguous: a document that two readers may read differently (P3).
	Ambiguous Code = "Ambiguous"
	// TooDeep: JSON nested deeper than [MaxDepth] (P1).
	TooDeep Code = "TooDeep"
	// TooLarge: an input or the result is larger than the limit (A11, P1).
	TooLarge Code = "TooLarge"

	// Mismatch: what the descriptor says is not what the bytes are (A1, A2).
	Mismatch Code = "Mismatch"
	// InvalidMediaType: no media type, or none of the form type/subtype (A3).
	InvalidMediaType Code = "InvalidMediaType"
	// InvalidDigest: no digest, or none of sha256, sha384, sha512 (A3).
	InvalidDigest Code = "InvalidDigest"
	// InvalidSize: a size below one byte (A3).
	InvalidSize Code = "InvalidSize"
	// InvalidPlatform: an image without a platform, or one that readers would
	// not find under the name it is written with (A4).
	InvalidPlatform Code = "InvalidPlatform"
	// NestedIndex: a child that is an index itself (A5).
	NestedIndex Code = "NestedIndex"
	// DuplicatePlatform: two children for one platform (A6).
	DuplicatePlatform Code = "DuplicatePlatform"
	// OrphanAttestation: a kept attestation of no image in this index (A7).
	OrphanAttestation Code = "OrphanAttestation"
	// MissingPlatform: a required platform that no child has (A8).
	MissingPlatform Code = "MissingPlatform"
	// ForeignMediaType: a child that a Docker manifest list cannot hold (A9).
	ForeignMediaType Code = "ForeignMediaType"
	// NotRepresentable: something that a Docker manifest list has no field for
	// (A9).
	NotRepresentable Code = "NotRepresentable"
	// UnknownOption: an option with a value that this package does not define.
	UnknownOption Code = "UnknownOption"
)

// An Error is one reason why there is no index.
type Error struct {
	Code Code
	// Position is the child's place in the argument, or -1 when the index as a
	// whole is meant. For a child of a flattened index it is the place of that
	// index.
	Position int
	// Other is the place of the child that this one is in conflict with, or -1.
	Other int
	// Path names the field, such as children[2].size.
	Path string
	// Value is what was found, Want what would be right.
	Value, Want string
	// Err is the cause, when another package found the trouble.
	Err error
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	b.WriteString(string(e.Code))
	if e.Value != "" {
		b.WriteString(" ")
		b.WriteString(strconv.Quote(e.Value))
	}
	if e.Want != "" {
		b.WriteString(": want ")
		b.WriteString(e.Want)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errors are all the reasons why there is no index: those of the children in
// the order of the children, then those of the index. [errors.As] finds the
// first *Error in it, or the Errors themselves.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns every error.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, err := range e {
		all[i] = err
	}
	return all
}

// A NoMatchError says that a policy chooses nothing out of an index, and what
// there was to choose from.
type NoMatchError struct {
	Policy Policy
	Wanted ocispec.Platform
	// Have are the platforms of the index, in its order.
	Have []ocispec.Platform
	// WithoutPlatform counts the entries that name no platform.
	WithoutPlatform int
}

func (e *NoMatchError) Error() string {
	have := make([]string, 0, len(e.Have)+1)
	for _, p := range e.Have {
		have = append(have, platformText(p))
	}
	if e.WithoutPlatform > 0 {
		have = append(have, fmt.Sprintf("%d without a platform", e.WithoutPlatform))
	}
	if len(have) == 0 {
		have = append(have, "nothing")
	}
	return fmt.Sprintf("no entry for %s under policy %s; the index has %s",
		platformText(e.Wanted), e.Policy, strings.Join(have, ", "))
}
