package osimagestream

import (
	"encoding/json"
	"fmt"
	"strconv"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MaxImageReferences is the greatest size in bytes that ParseImageReferences
// reads. A release of 200 images takes about 150 KiB.
const MaxImageReferences = 4 << 20

// ImageReferencesError says why image-references cannot be read.
type ImageReferencesError struct {
	// Reason is ReasonTooLarge, ReasonMalformed or ReasonWrongKind.
	Reason Reason
	// Field is "kind" or "apiVersion" for ReasonWrongKind, else empty.
	Field string
	// Value is what was found: a size in bytes, or the value of Field.
	Value string
	// Err is what encoding/json said, for ReasonMalformed.
	Err error
}

func (e *ImageReferencesError) Error() string {
	switch e.Reason {
	case ReasonTooLarge:
		return fmt.Sprintf("image-references has %s bytes, must have at most %d", e.Value, MaxImageReferences)
	case ReasonWrongKind:
		want := "ImageStream"
		if e.Field == "apiVersion" {
			want = imagev1.GroupVersion.String()
		}
		return fmt.Sprintf("image-references has %s %q, must be %q", e.Field, e.Value, want)
	default:
		return fmt.Sprintf("image-references is malformed: %v", e.Err)
	}
}

func (e *ImageReferencesError) Unwrap() error { return e.Err }

// A reference is what discovery needs to know of a tag. Most of a payload's tags
// are of no use to it, so nothing else of them is kept in memory.
type reference struct {
	Name        string
	Annotations struct {
		Source string `json:"io.openshift.build.source-location"`
	}
	From struct{ Kind, Name string }
}

// ParseImageReferences reads the file release-manifests/image-references of a
// release image: an ImageStream in JSON with one tag per image of the payload.
// What it returns holds the tags that may be OS images (rule 1 of the package
// comment), with their name, their origin and the annotation that tells their
// source; other tags and fields are left out. Errors are of type
// *ImageReferencesError.
func ParseImageReferences(data []byte) (*imagev1.ImageStream, error) {
	if len(data) > MaxImageReferences {
		return nil, &ImageReferencesError{Reason: ReasonTooLarge, Value: strconv.Itoa(len(data))}
	}
	var file struct {
		metav1.TypeMeta
		Metadata struct{ Name string }
		Spec     struct{ Tags []reference }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, &ImageReferencesError{Reason: ReasonMalformed, Err: err}
	}
	if file.Kind != "ImageStream" {
		return nil, &ImageReferencesError{Reason: ReasonWrongKind, Field: "kind", Value: file.Kind}
	}
	// Old releases were written before the API group had a name.
	if v := file.APIVersion; v != imagev1.GroupVersion.String() && v != "v1" {
		return nil, &ImageReferencesError{Reason: ReasonWrongKind, Field: "apiVersion", Value: v}
	}
	payload := &imagev1.ImageStream{TypeMeta: file.TypeMeta, ObjectMeta: metav1.ObjectMeta{Name: file.Metadata.Name}}
	for _, r := range file.Spec.Tags {
		if !isCandidate(r.Name, r.Annotations.Source) {
			continue
		}
		tag := imagev1.TagReference{Name: r.Name}
		if r.Annotations.Source != "" {
			tag.Annotations = map[string]string{sourceAnnotation: r.Annotations.Source}
		}
		if r.From.Kind != "" || r.From.Name != "" {
			tag.From = &corev1.ObjectReference{Kind: r.From.Kind, Name: r.From.Name}
		}
		payload.Spec.Tags = append(payload.Spec.Tags, tag)
	}
	return payload, nil
}
