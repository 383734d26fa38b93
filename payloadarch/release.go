package payloadarch

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	// MaxReleaseMetadata is how many bytes of release metadata FromReleaseMetadata
	// reads at most. Real documents hold some kilobytes.
	MaxReleaseMetadata = 1 << 20

	releaseMetadataKind = "cincinnati-metadata-v0"
	architectureKey     = "release.openshift.io/architecture"
	architectureMulti   = "multi"
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

// FromReleaseMetadata returns the kind of a release payload out of the bytes of
// its release-manifests/release-metadata: Multi if "metadata" holds the key
// release.openshift.io/architecture with the string "multi", Single if it does
// not hold the key. Any other value, and a key that is there twice, is Unknown
// with a problem: the cluster version operator goes on as if it were single, a
// caller may do otherwise.
//
// The error is a *MetadataError, and the verdict beside it is zero: more than
// MaxReleaseMetadata bytes, no JSON object, bytes behind it, "metadata" that is
// no object, or a "kind" that is there and is not cincinnati-metadata-v0.
// Letter case matters in the architecture key, and does not in "kind" and
// "metadata", as in the cluster version operator.
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

	v := Verdict{Kind: Single, Reason: ReasonMetadata, Field: "metadata"}
	if doc.Metadata == nil {
		return v, nil
	}
	if len(doc.Metadata.Misspelled) > 0 {
		v.Findings = []Finding{{FindingMetadataSpelling, "metadata",
			"the key is there in another letter case, which is not read; " + architectureKey + " is the right one"}}
	}
	found := doc.Metadata.Architecture
	if len(found) == 0 {
		return v, nil
	}
	v.Field = "metadata[" + architectureKey + "]"
	s, isString := text(found[0])
	if len(found) == 1 && isString && s == architectureMulti {
		v.Kind = Multi
		return v, nil
	}
	v.Kind, v.Reason = Unknown, ReasonUnrecognized
	path := field.NewPath("metadata").Key(architectureKey)
	switch {
	case len(found) > 1:
		v.Problems = field.ErrorList{field.Duplicate(path, found[1])}
	case !isString:
		v.Problems = field.ErrorList{field.TypeInvalid(path, found[0], "must be the string "+architectureMulti+", or the key left out")}
	default:
		v.Problems = field.ErrorList{field.NotSupported(path, s, []string{architectureMulti})}
	}
	return v, nil
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
