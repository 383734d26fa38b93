package manifestlist

import (
	"encoding/json"
	"errors"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
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
// of [Index.Children]. What is edited here counts for both and for [Index.Append];
// Append checks nothing.
type Index struct {
	ocispec.Index
	// Source is what the index was parsed from. What it says of an entry counts as
	// long as the entry at that position has the same digest (rule P5).
	Source Source
}

// Parse reads an image index or Docker manifest list by rules P1 to P5. The error
// is an [*IndexError].
func Parse(src []byte) (Index, error) { return ParseLimit(src, MaxSize) }

// ParseLimit is [Parse] with another limit than [MaxSize] for the bytes of src, for
// what was made with a SizeLimit of [Options]; 0 means MaxSize.
func ParseLimit(src []byte, limit int) (Index, error) {
	index, err := parse(src, limit)
	if err != nil {
		return Index{}, err
	}
	return index, nil
}

func parse(src []byte, limit int) (Index, *IndexError) {
	var index Index
	compact, err := readDocument(src, limit, &index.Index, CodeNotIndex)
	if err != nil {
		return Index{}, err
	}
	index.Source.json = compact
	if err := index.inspect(); err != nil {
		return Index{}, err
	}
	return index, nil
}

// unreadable tells JSON of the wrong types from what is not JSON.
func unreadable(err error, wrongType Code) *IndexError {
	e := &IndexError{Code: CodeNotJSON, Err: err}
	var unfit *json.UnmarshalTypeError
	if errors.As(err, &unfit) {
		e.Code, e.Value = wrongType, unfit.Value
		e.Path = strings.TrimPrefix(unfit.Field, "Versioned.") // a Go type's name, not JSON's
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
