package manifestlist

import (
	"strconv"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// inspect is rules P2 and P3, in one walk over the source beside the decoded
// index.
func (x *Index) inspect() *IndexError {
	wrong := func(path, value, want string) *IndexError {
		return &IndexError{Code: CodeNotIndex, Path: path, Value: value, Want: want}
	}
	if x.Source.json[0] != '{' {
		return wrong("", string(x.Source.json[:min(len(x.Source.json), 20)]), "a JSON object")
	}
	manifests := false
	var seen fieldSet
	for m := range members(x.Source.json) {
		name := m.name()
		n, err := seen.add(objectIndex, name)
		if err != nil {
			return err
		}
		switch n {
		case indexManifests:
			manifests = m.value[0] == '['
			if err := inspectDescriptors(m.value, x.Manifests); err != nil {
				err.Path = "manifests" + err.Path
				return err
			}
		case indexSubject:
			if x.Subject == nil {
				break // null, or decoded from a second "subject"
			}
			if err := inspectDescriptor(m.value, x.Subject); err != nil {
				err.Path = "subject." + err.Path
				return err
			}
		case indexAnnotations:
			if err := inspectAnnotations(m.value, x.Annotations); err != nil {
				return err
			}
		case -1:
			// A reader that goes by one of these takes the document for an image.
			if imageMember(name) {
				return &IndexError{Code: CodeAmbiguous, Path: string(name), Want: "no such member in an index"}
			}
		}
	}
	switch {
	case !manifests:
		return wrong("manifests", "", "the list of manifests")
	case x.SchemaVersion != 2:
		return wrong("schemaVersion", strconv.Itoa(x.SchemaVersion), "2")
	case x.MediaType != "" && !isIndexType(x.MediaType):
		return wrong("mediaType", x.MediaType, ocispec.MediaTypeImageIndex+" or "+dockerList)
	case x.MediaType == "" && len(x.Manifests) == 0:
		// GuessMIMEType of containers/image, internal/manifest/manifest.go.
		return &IndexError{Code: CodeAmbiguous, Path: "mediaType", Want: ocispec.MediaTypeImageIndex + ": without entries nothing else tells an index from an image"}
	}
	return nil
}

// inspectDescriptors returns an error whose path begins with the place in the list.
func inspectDescriptors(value []byte, decoded []ocispec.Descriptor) *IndexError {
	i := 0
	for e := range elements(value) {
		if i == len(decoded) {
			break // a second list was decoded over the first
		}
		if err := inspectDescriptor(e, &decoded[i]); err != nil {
			err.Child = &ChildRef{Position: i, Entry: true}
			err.Path = join("["+strconv.Itoa(i)+"]", err.Path)
			return err
		}
		i++
	}
	return nil
}

func inspectDescriptor(source []byte, d *ocispec.Descriptor) *IndexError {
	var seen fieldSet
	for m := range members(source) {
		n, err := seen.add(objectDescriptor, m.name())
		if err != nil {
			return err
		}
		switch n {
		case descriptorAnnotations:
			err = inspectAnnotations(m.value, d.Annotations)
		case descriptorPlatform:
			if err = inspectNames(m.value, objectPlatform); err != nil {
				err.Path = "platform." + err.Path
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func inspectNames(source []byte, kind object) *IndexError {
	var seen fieldSet
	for m := range members(source) {
		if _, err := seen.add(kind, m.name()); err != nil {
			return err
		}
	}
	return nil
}

// inspectAnnotations refuses a key that is given twice, which shows in a map shorter
// than its source.
func inspectAnnotations(source []byte, decoded map[string]string) *IndexError {
	n := 0
	for range members(source) {
		n++
	}
	if n == len(decoded) {
		return nil
	}
	return &IndexError{Code: CodeAmbiguous, Path: "annotations", Want: "every key once"}
}

// A fieldSet has a bit for each field of an object that was met.
type fieldSet uint

func (s fieldSet) contains(n int) bool { return s&(1<<n) != 0 }

// add returns the field of that name, or -1. It refuses a name that readers of
// JSON disagree about: one that image-spec knows given twice (some take the
// first, some the last), or in another letter case (some match it, some do not).
func (s *fieldSet) add(kind object, name []byte) (int, *IndexError) {
	n := kind.field(name)
	if n >= 0 {
		if s.contains(n) {
			return n, &IndexError{Code: CodeAmbiguous, Path: string(name), Want: "the member once"}
		}
		*s |= 1 << n
		return n, nil
	}
	for _, f := range kind.fields() {
		if folds(name, f) {
			return n, &IndexError{Code: CodeAmbiguous, Path: string(name), Want: strconv.Quote(f)}
		}
	}
	return n, nil
}

// folds reports whether encoding/json, and so every reader written in Go, takes
// name for the field: letters of another case match, and so do U+017F for s and
// U+212A for k.
func folds(name []byte, field string) bool {
	return strings.EqualFold(string(name), field)
}

// imageMember reports whether a member of that name makes an index an image to
// another reader: containerd looks for config, layers and fsLayers, containers/image
// for history as well (validateMediaType of core/images/image.go in containerd 2.4,
// ValidateUnambiguousManifestFormat of internal/manifest/common.go in
// go.podman.io/image 5.42).
func imageMember(name []byte) bool {
	return folds(name, "config") || folds(name, "layers") || folds(name, "fsLayers") || folds(name, "history")
}
