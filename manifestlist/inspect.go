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
			manifests = true
			if err := x.inspectEntries(m.value); err != nil {
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
			switch string(name) {
			case "config", "layers", "fsLayers", "history":
				// A reader that goes by one of these takes the document for an image.
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
	}
	return nil
}

func (x *Index) inspectEntries(value []byte) *IndexError {
	i := 0
	for e := range elements(value) {
		if i == len(x.Manifests) {
			break // a second "manifests" was decoded over the first
		}
		if err := inspectDescriptor(e, &x.Manifests[i]); err != nil {
			err.Child = &ChildRef{Position: i, Entry: true}
			err.Path = join(err.Child.String(), err.Path)
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
			err = inspectPlatform(m.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func inspectPlatform(source []byte) *IndexError {
	var seen fieldSet
	for m := range members(source) {
		if _, err := seen.add(objectPlatform, m.name()); err != nil {
			err.Path = "platform." + err.Path
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

// add returns the field of that name, or -1. It refuses a name that readers of
// JSON disagree about: one that image-spec knows given twice (some take the
// first, some the last), or in another letter case (some match it, some do not).
func (s *fieldSet) add(kind object, name []byte) (int, *IndexError) {
	n := kind.field(name)
	if n >= 0 {
		if *s&(1<<n) != 0 {
			return n, &IndexError{Code: CodeAmbiguous, Path: string(name), Want: "the member once"}
		}
		*s |= 1 << n
		return n, nil
	}
	for _, f := range kind.fields() {
		if strings.EqualFold(string(name), f) {
			return n, &IndexError{Code: CodeAmbiguous, Path: string(name), Want: strconv.Quote(f)}
		}
	}
	return n, nil
}
