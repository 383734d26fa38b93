package manifestlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// Limits of what is read.
const (
	// MaxSize is the largest manifest, in bytes, that registries and clients
	// commonly take: 4 MiB.
	MaxSize = 4 << 20
	// MaxDepth is how deep JSON may be nested. An index that uses every field
	// of image-spec needs 5.
	MaxDepth = 64
)

// Media types of the Docker image manifest v2, schema 2.
const (
	dockerList     = "application/vnd.docker.distribution.manifest.list.v2+json"
	dockerManifest = "application/vnd.docker.distribution.manifest.v2+json"
	dockerConfig   = "application/vnd.docker.container.image.v1+json"
)

// An Index is an image index or Docker manifest list that [Parse] has read. The
// zero value is an index of nothing.
//
// An index that is to have other entries is made by [Update], or by [Assemble] out
// of [Index.Children].
type Index struct {
	ocispec.Index
	// Source is what the index was parsed from. What it says of an entry counts as
	// long as the entry at that position has the same digest (rule P5).
	Source Source
}

// Parse reads an image index or Docker manifest list by rules P1 to P5. The error
// is an [*IndexError].
func Parse(src []byte) (Index, error) {
	index, err := parse(src)
	if err != nil {
		return Index{}, err
	}
	return index, nil
}

func parse(src []byte) (Index, *IndexError) {
	if len(src) > MaxSize {
		return Index{}, &IndexError{Code: CodeTooLarge, Value: strconv.Itoa(len(src)), Want: fmt.Sprintf("at most %d bytes", MaxSize)}
	}
	// encoding/json would put U+FFFD in the place of what is not UTF-8, which makes
	// another document with another digest.
	if !utf8.Valid(src) {
		return Index{}, &IndexError{Code: CodeNotJSON, Want: "UTF-8"}
	}
	var index Index
	if err := json.Unmarshal(src, &index.Index); err != nil {
		return Index{}, unreadable(err)
	}
	depth, spaced := survey(src)
	if depth > MaxDepth {
		return Index{}, &IndexError{Code: CodeTooDeep, Value: strconv.Itoa(depth), Want: fmt.Sprintf("at most %d levels", MaxDepth)}
	}
	if spaced {
		var compacted bytes.Buffer
		compacted.Grow(len(src))
		if err := json.Compact(&compacted, src); err != nil {
			return Index{}, unreadable(err)
		}
		index.Source.json = compacted.Bytes()
	} else {
		index.Source.json = bytes.Clone(src)
	}
	if err := index.inspect(); err != nil {
		return Index{}, err
	}
	if index.Manifests == nil {
		index.Manifests = []ocispec.Descriptor{}
	}
	return index, nil
}

// unreadable tells JSON whose types are not those of an index from what is not
// JSON.
func unreadable(err error) *IndexError {
	e := &IndexError{Code: CodeNotJSON, Err: err}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		e.Code, e.Value = CodeNotIndex, wrongType.Value
		e.Path = strings.TrimPrefix(wrongType.Field, "Versioned.") // a Go type's name, not JSON's
	}
	return e
}

func isIndexType(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageIndex || mediaType == dockerList
}

// Append appends the canonical JSON of the index to dst and returns the extended
// buffer: the fields of image-spec as encoding/json writes them, then in their
// source order the members that image-spec does not name (rule A13).
func (x Index) Append(dst []byte) []byte {
	dst = append(appendHead(dst, &x.Index), '[')
	for i, source := range x.sources() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendDescriptor(dst, &x.Manifests[i], source)
	}
	return appendTail(append(dst, ']'), &x.Index, x.Source.json)
}

// Children returns the entries as arguments for [Assemble], each with its Source.
// They share the memory of the index.
func (x Index) Children() []Child {
	children := make([]Child, len(x.Manifests))
	for i, source := range x.sources() {
		children[i] = Child{Descriptor: x.Manifests[i], Source: Source{source}}
	}
	return children
}
