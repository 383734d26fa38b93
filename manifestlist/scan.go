package manifestlist

import (
	"bytes"
	"encoding/json"
)

// The functions of this file walk JSON that encoding/json has found valid and that
// has no white space between its tokens. They check neither.

// An object is one of the kinds of JSON object that image-spec defines.
type object int

const (
	objectIndex object = iota
	objectDescriptor
	objectPlatform
	objectManifest
	objectImage
	objectRootFS
)

// The places in fields of those whose values are looked into.
const (
	indexManifests        = 3
	indexSubject          = 4
	indexAnnotations      = 5
	descriptorAnnotations = 4
	descriptorPlatform    = 6
	manifestConfig        = 3
	manifestLayers        = 4
	manifestManifests     = 7
	manifestFSLayers      = 8
	manifestHistory       = 9
	imageRootFS           = 8
)

// fields returns the members that image-spec names; for a manifest also those
// that would make it another document.
func (o object) fields() []string {
	switch o {
	case objectIndex:
		return []string{"schemaVersion", "mediaType", "artifactType", "manifests", "subject", "annotations"}
	case objectDescriptor:
		return []string{"mediaType", "digest", "size", "urls", "annotations", "data", "platform", "artifactType"}
	case objectManifest:
		return []string{"schemaVersion", "mediaType", "artifactType", "config", "layers", "subject", "annotations", "manifests", "fsLayers", "history"}
	case objectImage:
		return []string{"created", "author", "architecture", "os", "os.version", "os.features", "variant", "config", "rootfs", "history"}
	case objectRootFS:
		return []string{"type", "diff_ids"}
	default:
		return []string{"architecture", "os", "os.version", "os.features", "variant"}
	}
}

// field returns the place of name among fields, or -1.
func (o object) field(name []byte) int {
	for i, f := range o.fields() {
		if string(name) == f {
			return i
		}
	}
	return -1
}

// A member is one name and value of an object; all of them alias the source.
type member struct {
	source []byte // "name":value
	key    []byte // what is between the quotes of name
	value  []byte
}

// name is the key with its escapes resolved.
func (m member) name() []byte {
	if bytes.IndexByte(m.key, '\\') < 0 {
		return m.key
	}
	var s string
	_ = json.Unmarshal(m.source[:len(m.key)+2], &s) // it is valid JSON
	return []byte(s)
}

// survey returns how deep arrays and objects are nested in b, and whether there is
// white space between its tokens. b is valid JSON.
func survey(b []byte) (depth int, spaced bool) {
	level := 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{', '[':
			level++
			depth = max(depth, level)
		case '}', ']':
			level--
		case ' ', '\t', '\n', '\r':
			spaced = true
		}
		i++
	}
	return depth, spaced
}

// members yields the members of an object, and nothing for any other value.
func members(b []byte) func(yield func(member) bool) {
	return func(yield func(member) bool) {
		if len(b) == 0 || b[0] != '{' {
			return
		}
		for i := 1; b[i] != '}'; {
			if b[i] == ',' {
				i++
			}
			colon := skip(b, i)
			end := skip(b, colon+1)
			if !yield(member{source: b[i:end], key: b[i+1 : colon-1], value: b[colon+1 : end]}) {
				return
			}
			i = end
		}
	}
}

// elements yields the elements of an array, and nothing for any other value.
func elements(b []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if len(b) == 0 || b[0] != '[' {
			return
		}
		for i := 1; b[i] != ']'; {
			if b[i] == ',' {
				i++
			}
			end := skip(b, i)
			if !yield(b[i:end]) {
				return
			}
			i = end
		}
	}
}

// skip returns the end of the value that begins at i, in an array or object.
func skip(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		for depth := 0; ; {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for b[i] != ',' && b[i] != '}' && b[i] != ']' {
		i++
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(b[i:], '"')
		backslashes := 0
		for b[i-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i + 1
		}
	}
}

// memberValue returns the value of the member of that name, or nil.
func memberValue(b []byte, name string) []byte {
	for m := range members(b) {
		if string(m.name()) == name {
			return m.value
		}
	}
	return nil
}

// memberTail returns all that follows the colon of the member of that name, or nil.
// It is for walking a long value that need not be skipped first.
func memberTail(b []byte, name string) []byte {
	if len(b) == 0 || b[0] != '{' {
		return nil
	}
	for i := 1; b[i] != '}'; {
		if b[i] == ',' {
			i++
		}
		colon := skip(b, i)
		if string(member{source: b[i:], key: b[i+1 : colon-1]}.name()) == name {
			return b[colon+1:]
		}
		i = skip(b, colon+1)
	}
	return nil
}

// appendUnknown appends a comma and each member that image-spec does not name.
func appendUnknown(dst, source []byte, kind object) []byte {
	for m := range members(source) {
		if kind.field(m.name()) < 0 {
			dst = append(append(dst, ','), m.source...)
		}
	}
	return dst
}

func join(path, name string) string {
	if name == "" {
		return path
	}
	return path + "." + name
}
