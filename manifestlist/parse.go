package manifestlist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
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
// Beside the fields of image-spec it remembers the members that image-spec does
// not name, of the index, its entries and their platforms. They belong to the
// entry at that position as long as its digest is the same: an index that is to
// have other entries is made by [Update], or by [Assemble] out of
// [Index.Children].
type Index struct {
	ocispec.Index

	source  []byte   // compact
	entries [][]byte // the elements of manifests, within source
	digests []string // what entries[i] had as its digest
}

// Parse reads an image index or Docker manifest list by rules P1 to P4. The
// error is an [*Error].
func Parse(src []byte) (Index, error) {
	index, err := parse(src)
	if err != nil {
		return Index{}, err
	}
	return index, nil
}

func parse(src []byte) (Index, *Error) {
	compacted, err := compact(src, MaxSize)
	if err != nil {
		return Index{}, err
	}
	index := Index{source: compacted}
	if err := json.Unmarshal(index.source, &index.Index); err != nil {
		return Index{}, &Error{Code: NotIndex, Position: -1, Other: -1, Err: err}
	}
	if err := index.checkKind(); err != nil {
		return Index{}, err
	}
	if err := index.checkAmbiguity(); err != nil {
		return Index{}, err
	}
	if index.Manifests == nil {
		index.Manifests = []ocispec.Descriptor{}
	}
	return index, nil
}

// compact returns a copy of src without white space, so what is read from it
// does not alias the argument.
func compact(src []byte, limit int) ([]byte, *Error) {
	if len(src) > limit {
		return nil, &Error{Code: TooLarge, Position: -1, Other: -1, Value: strconv.Itoa(len(src)), Want: fmt.Sprintf("at most %d bytes", limit)}
	}
	// encoding/json would put U+FFFD in the place of such bytes: another
	// document, with another digest.
	if !utf8.Valid(src) {
		return nil, &Error{Code: NotJSON, Position: -1, Other: -1, Want: "UTF-8"}
	}
	var buf bytes.Buffer
	buf.Grow(len(src))
	if err := json.Compact(&buf, src); err != nil {
		return nil, &Error{Code: NotJSON, Position: -1, Other: -1, Err: err}
	}
	if d := depthOf(buf.Bytes()); d > MaxDepth {
		return nil, &Error{Code: TooDeep, Position: -1, Other: -1, Value: strconv.Itoa(d), Want: fmt.Sprintf("at most %d levels", MaxDepth)}
	}
	return buf.Bytes(), nil
}

// checkKind is rule P2. It also fills entries.
func (x *Index) checkKind() *Error {
	wrong := func(path, value, want string) *Error {
		return &Error{Code: NotIndex, Position: -1, Other: -1, Path: path, Value: value, Want: want}
	}
	if len(x.source) == 0 || x.source[0] != '{' {
		return wrong("", string(x.source[:min(len(x.source), 20)]), "a JSON object")
	}
	manifests := false
	for m := range members(x.source) {
		switch name := string(m.name()); name {
		case "manifests":
			manifests = true
			x.entries = make([][]byte, 0, len(x.Manifests))
			for e := range elements(m.value) {
				x.entries = append(x.entries, e)
			}
		case "config", "layers", "fsLayers", "history":
			// A reader that goes by these takes the document for an image.
			return &Error{Code: Ambiguous, Position: -1, Other: -1, Path: name, Want: "no such member in an index"}
		}
	}
	switch {
	case !manifests:
		return wrong("manifests", "", "the list of manifests")
	case x.SchemaVersion != 2:
		return wrong("schemaVersion", strconv.Itoa(x.SchemaVersion), "2")
	case x.MediaType != "" && !isIndexType(x.MediaType):
		return wrong("mediaType", x.MediaType, ocispec.MediaTypeImageIndex+" or "+dockerList)
	}
	return nil
}

// checkAmbiguity is rule P3.
func (x *Index) checkAmbiguity() *Error {
	if err := ambiguous(x.source, objectIndex, ""); err != nil {
		return err
	}
	if err := ambiguousMap(memberValue(x.source, "annotations"), len(x.Annotations), "annotations"); err != nil {
		return err
	}
	if x.Subject != nil {
		if err := ambiguousDescriptor(memberValue(x.source, "subject"), x.Subject, "subject"); err != nil {
			return err
		}
	}
	x.digests = make([]string, len(x.entries))
	for i, e := range x.entries {
		if err := ambiguousDescriptor(e, &x.Manifests[i], ""); err != nil {
			err.Position = i
			err.Path = fmt.Sprintf("manifests[%d].%s", i, err.Path)
			return err
		}
		x.digests[i] = string(x.Manifests[i].Digest)
	}
	return nil
}

func ambiguousDescriptor(source []byte, d *ocispec.Descriptor, path string) *Error {
	if err := ambiguous(source, objectDescriptor, path); err != nil {
		return err
	}
	if d.Platform != nil {
		if err := ambiguous(memberValue(source, "platform"), objectPlatform, join(path, "platform")); err != nil {
			return err
		}
	}
	if d.Annotations == nil {
		return nil
	}
	return ambiguousMap(memberValue(source, "annotations"), len(d.Annotations), join(path, "annotations"))
}

// ambiguousMap finds a key given twice by the map being shorter than its source.
func ambiguousMap(source []byte, distinct int, path string) *Error {
	n := 0
	for range members(source) {
		n++
	}
	if n == distinct {
		return nil
	}
	return &Error{Code: Ambiguous, Position: -1, Other: -1, Path: path, Want: "every key once"}
}

func isIndexType(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageIndex || mediaType == dockerList
}

// Append appends the canonical JSON of the index to dst and returns the extended
// buffer: the fields of image-spec as [Append] writes them, then in their source
// order the members that image-spec does not name.
func (x Index) Append(dst []byte) []byte {
	dst = append(appendHead(dst, &x.Index), '[')
	for i := range x.Manifests {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendDescriptor(dst, &x.Manifests[i], x.entry(i))
	}
	return appendTail(append(dst, ']'), &x.Index, x.source)
}

// entry returns the compact source of the entry at position i, or nil if the
// entry there is not the one that was parsed.
func (x *Index) entry(i int) []byte {
	if i < len(x.entries) && x.digests[i] == string(x.Manifests[i].Digest) {
		return x.entries[i]
	}
	return nil
}

// Children returns the entries as input of [Assemble], each with the members
// that image-spec does not name. They share the memory of the index.
func (x Index) Children() []Child {
	children := make([]Child, len(x.Manifests))
	for i := range x.Manifests {
		children[i] = Child{Descriptor: x.Manifests[i], source: x.entry(i)}
	}
	return children
}
