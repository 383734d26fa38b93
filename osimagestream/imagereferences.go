package osimagestream

import (
	"encoding/json"
	"fmt"
	"strconv"

	imagev1 "github.com/openshift/api/image/v1"
)

// MaxImageReferences is the greatest size in bytes that ParseImageReferences
// reads. A release of 200 images takes about 150 KiB.
const MaxImageReferences = 4 << 20

// ImageReferencesError says why image-references can not be read.
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

// ParseImageReferences reads the file release-manifests/image-references of a
// release image: an ImageStream in JSON with one tag per image of the payload.
// Errors are of type *ImageReferencesError.
func ParseImageReferences(data []byte) (*imagev1.ImageStream, error) {
	if len(data) > MaxImageReferences {
		return nil, &ImageReferencesError{Reason: ReasonTooLarge, Value: strconv.Itoa(len(data))}
	}
	payload := new(imagev1.ImageStream)
	if err := json.Unmarshal(data, payload); err != nil {
		return nil, &ImageReferencesError{Reason: ReasonMalformed, Err: err}
	}
	if payload.Kind != "ImageStream" {
		return nil, &ImageReferencesError{Reason: ReasonWrongKind, Field: "kind", Value: payload.Kind}
	}
	// Old releases were written before the API group had a name.
	if v := payload.APIVersion; v != imagev1.GroupVersion.String() && v != "v1" {
		return nil, &ImageReferencesError{Reason: ReasonWrongKind, Field: "apiVersion", Value: v}
	}
	return payload, nil
}
