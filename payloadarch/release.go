package payloadarch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

const (
	// MaxReleaseMetadata is how many bytes of release metadata FromReleaseMetadata
	// reads at most. Real documents hold some kilobytes.
	MaxReleaseMetadata = 1 << 20

	releaseMetadataKind = "cincinnati-metadata-v0"
	architectureKey     = "release.openshift.io/architecture"
	architectureMulti   = "multi"

	metadataPath = "metadata"
	keyPath      = metadataPath + "[" + architectureKey + "]"
)

// releaseMetadata is the part of the document that decides. Decoding into a
// struct rather than a map passes over what does not matter without keeping it.
type releaseMetadata struct {
	Kind occurrences `json:"kind"`
	// A pointer, as null after an object has to forget the object: so does the
	// map into which the cluster version operator decodes.
	Metadata *struct {
		// encoding/json matches a key that fits no field exactly to the first
		// field that fits but for letter case. The operator's map knows the exact
		// key only, so other spellings go here and not into the field below.
		Misspelled   occurrences `json:"RELEASE.OPENSHIFT.IO/ARCHITECTURE"`
		Architecture occurrences `json:"release.openshift.io/architecture"`
	} `json:"metadata"`
}

// occurrences is every value of a key, as JSON, where encoding/json alone would
// silently keep the last one.
type occurrences []string

func (o *occurrences) UnmarshalJSON(value []byte) error {
	*o = append(*o, string(value))
	return nil
}

// FromReleaseArchitecture returns the kind of a release payload, by rules 11 to 14 of
// the package, for a caller that has its metadata as a map: from the payload itself,
// or from a node of the update graph. The value is that of the key
// release.openshift.io/architecture, as encoding/json decodes it, and present tells
// whether the map has the key. If it does not, the value is ignored.
//
// Paths are those in a release metadata document.
func FromReleaseArchitecture(value any, present bool) Verdict {
	if !present {
		return Verdict{Kind: Single, Reason: ReasonMetadata, Field: metadataPath}
	}
	s, isString := value.(string)
	if isString && s == architectureMulti {
		return Verdict{Kind: Multi, Reason: ReasonMetadata, Field: keyPath}
	}
	v := Verdict{Reason: ReasonUnrecognized, Field: keyPath}
	path := field.NewPath(metadataPath).Key(architectureKey)
	if isString {
		v.Problems = field.ErrorList{unsupported(path, s, architectureMulti)}
	} else {
		v.Problems = field.ErrorList{field.TypeInvalid(path, quote.Cut(asJSON(value)),
			"must be the string "+architectureMulti+", or the key left out; "+countsAsUnknown)}
	}
	return v
}

// asJSON writes a value as JSON. A problem must not keep the value itself, which
// may be a map of the caller.
func asJSON(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("a value of type %T", value)
	}
	return string(b)
}

// FromReleaseMetadata returns the kind of a release payload from the bytes of its
// release-manifests/release-metadata, by rules 11 to 18 of the package. Where the
// key holds anything but "multi", the cluster version operator goes on as if the
// payload were single; here the kind is Unknown, with a problem, and the caller may
// do otherwise.
//
// The error is a *MetadataError, and the verdict beside it is zero.
func FromReleaseMetadata(data []byte) (Verdict, error) {
	if len(data) > MaxReleaseMetadata {
		return Verdict{}, &MetadataError{Code: MetadataTooLarge, Offset: MaxReleaseMetadata}
	}
	var doc releaseMetadata
	if err := json.Unmarshal(data, &doc); err != nil {
		return Verdict{}, unreadable(data, err)
	}
	// null is the one document beside objects that decodes into a struct.
	if bytes.IndexByte(data, '{') < 0 {
		return Verdict{}, wrongType(data, nil)
	}
	for _, raw := range doc.Kind {
		if s, ok := text(raw); !ok || s != releaseMetadataKind {
			return Verdict{}, wrongKind(data, raw)
		}
	}
	if doc.Metadata == nil {
		return FromReleaseArchitecture(nil, false), nil
	}
	v := architectureOf(doc.Metadata.Architecture)
	if len(doc.Metadata.Misspelled) > 0 {
		v.Findings = []Finding{{FindingMetadataSpelling, metadataPath,
			"the key is there in another letter case, which is not read; " + architectureKey + " is the right one"}}
	}
	return v, nil
}

// architectureOf returns the verdict on what a document holds under the key.
func architectureOf(found occurrences) Verdict {
	switch len(found) {
	case 0:
		return FromReleaseArchitecture(nil, false)
	case 1:
	default:
		return Verdict{Reason: ReasonUnrecognized, Field: keyPath, Problems: field.ErrorList{repeated(found)}}
	}
	if s, ok := text(found[0]); ok {
		return FromReleaseArchitecture(s, true)
	}
	return FromReleaseArchitecture(json.RawMessage(found[0]), true) // the problem quotes what is written
}

// repeated is the problem of a key that is there more than once. It names the first
// two values, since which of them was meant is for a person to see.
func repeated(found occurrences) *field.Error {
	problem := field.Duplicate(field.NewPath(metadataPath).Key(architectureKey), quote.Cut(found[1]))
	problem.Detail = fmt.Sprintf("the key holds %s and then %s", quote.Cut(found[0]), quote.Cut(found[1]))
	if more := len(found) - 2; more > 0 {
		problem.Detail += fmt.Sprintf(", and %d more", more)
	}
	problem.Detail += "; " + countsAsUnknown
	return problem
}

// text returns the string that raw, a valid JSON value, stands for, and whether
// it is a string.
func text(raw string) (s string, ok bool) {
	if raw[0] != '"' {
		return "", false
	}
	for i := range len(raw) {
		if raw[i] == '\\' || raw[i] >= utf8.RuneSelf {
			err := json.Unmarshal([]byte(raw), &s)
			return s, err == nil
		}
	}
	return raw[1 : len(raw)-1], true
}
