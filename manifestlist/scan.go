package manifestlist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The functions of this file walk JSON that encoding/json has found valid and
// has compacted, so they need not look for mistakes or white space.

// An object is one of the kinds of JSON object that image-spec defines for an
// index.
type object int

const (
	objectIndex object = iota
	objectDescriptor
	objectPlatform
)

// fields returns the members that image-spec names.
func (o object) fields() []string {
	switch o {
	case objectIndex:
		return []string{"schemaVersion", "mediaType", "artifactType", "manifests", "subject", "annotations"}
	case objectDescriptor:
		return []string{"mediaType", "digest", "size", "urls", "annotations", "data", "platform", "artifactType"}
	default:
		return []string{"architecture", "os", "os.version", "os.features", "variant"}
	}
}

// field returns the place of key among fields, or -1. It is written out because
// it runs for every member of every entry.
func (o object) field(key []byte) int {
	switch o {
	case objectIndex:
		switch string(key) {
		case "schemaVersion":
			return 0
		case "mediaType":
			return 1
		case "artifactType":
			return 2
		case "manifests":
			return 3
		case "subject":
			return 4
		case "annotations":
			return 5
		}
	case objectDescriptor:
		switch string(key) {
		case "mediaType":
			return 0
		case "digest":
			return 1
		case "size":
			return 2
		case "urls":
			return 3
		case "annotations":
			return 4
		case "data":
			return 5
		case "platform":
			return 6
		case "artifactType":
			return 7
		}
	case objectPlatform:
		switch string(key) {
		case "architecture":
			return 0
		case "os":
			return 1
		case "os.version":
			return 2
		case "os.features":
			return 3
		case "variant":
			return 4
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
	if err := json.Unmarshal(m.source[:len(m.key)+2], &s); err != nil {
		return m.key
	}
	return []byte(s)
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

// skip returns the end of the value that begins at i.
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
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' {
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

// depthOf returns how deep arrays and objects are nested.
func depthOf(b []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
		i++
	}
	return deepest
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

// appendUnknown appends a comma and each member that image-spec does not name.
func appendUnknown(dst, source []byte, kind object) []byte {
	for m := range members(source) {
		if kind.field(m.name()) < 0 {
			dst = append(append(dst, ','), m.source...)
		}
	}
	return dst
}

// ambiguous looks for members that readers of JSON disagree about: a name that
// image-spec knows given twice (some take the first, some the last), or in
// another letter case (some match it, some do not).
func ambiguous(source []byte, kind object, path string) *Error {
	seen := 0
	for m := range members(source) {
		name := m.name()
		if n := kind.field(name); n >= 0 {
			if seen&(1<<n) != 0 {
				return &Error{Code: Ambiguous, Position: -1, Other: -1, Path: join(path, string(name)), Want: "the member once"}
			}
			seen |= 1 << n
			continue
		}
		for _, f := range kind.fields() {
			if strings.EqualFold(string(name), f) {
				return &Error{Code: Ambiguous, Position: -1, Other: -1, Path: join(path, string(name)), Value: string(name), Want: fmt.Sprintf("%q", f)}
			}
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
