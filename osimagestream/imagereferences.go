package osimagestream

import (
	"encoding/json"
	"fmt"
	"strconv"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MaxImageReferences is the largest size in bytes that ParseImageReferences reads.
// The list of a release with 200 images has about 150 KiB.
const MaxImageReferences = 4 << 20

// ImageReferencesCode names the kind of an ImageReferencesError.
type ImageReferencesCode string

const (
	// ImageReferencesTooLarge: over MaxImageReferences bytes.
	ImageReferencesTooLarge ImageReferencesCode = "TooLarge"
	// ImageReferencesMalformed: no JSON, JSON of another shape, or data after it.
	ImageReferencesMalformed ImageReferencesCode = "Malformed"
	// ImageReferencesWrongKind: an object of another kind or API version.
	ImageReferencesWrongKind ImageReferencesCode = "WrongKind"
)

// ImageReferencesError says why image-references cannot be read. The zero value
// gives no cause.
type ImageReferencesError struct {
	Code ImageReferencesCode
	// Field is "kind" or "apiVersion" for ImageReferencesWrongKind, else empty.
	Field string
	// Value is what was found: the value of Field, or for ImageReferencesTooLarge
	// the size in bytes.
	Value string
	// Err is what encoding/json said, for ImageReferencesMalformed.
	Err error
}

func (e *ImageReferencesError) Error() string {
	switch e.Code {
	case ImageReferencesTooLarge:
		return fmt.Sprintf("image-references has %s bytes, must have at most %d", cut(e.Value), MaxImageReferences)
	case ImageReferencesWrongKind:
		want := "ImageStream"
		if e.Field == "apiVersion" {
			want = imagev1.GroupVersion.String()
		}
		return fmt.Sprintf("image-references has %s %s, must be %q", cut(e.Field), quoted(e.Value), want)
	case ImageReferencesMalformed:
		if e.Err != nil {
			return "image-references is malformed: " + cut(e.Err.Error())
		}
		return "image-references is malformed"
	}
	return "image-references cannot be read"
}

func (e *ImageReferencesError) Unwrap() error { return e.Err }

// A reference is what Discover needs to know of a tag. It needs few of a payload's
// tags, so nothing else of them is kept in memory.
type reference struct {
	Name        string
	Annotations struct {
		Source string `json:"io.openshift.build.source-location"`
	}
	From struct{ Kind, Name string }
}

// ParseImageReferences reads the file release-manifests/image-references of a
// release image, by rules 1 to 4: an ImageStream in JSON with one tag per image of
// the payload, of which it returns the candidates. Errors are of type
// *ImageReferencesError.
func ParseImageReferences(data []byte) (*imagev1.ImageStream, error) {
	if len(data) > MaxImageReferences {
		return nil, &ImageReferencesError{Code: ImageReferencesTooLarge, Value: strconv.Itoa(len(data))}
	}
	var file struct {
		metav1.TypeMeta
		Metadata struct{ Name string }
		Spec     struct{ Tags []reference }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, &ImageReferencesError{Code: ImageReferencesMalformed, Err: err}
	}
	if file.Kind != "ImageStream" {
		return nil, &ImageReferencesError{Code: ImageReferencesWrongKind, Field: "kind", Value: file.Kind}
	}
	// Old releases were written before the API group had a name.
	if v := file.APIVersion; v != imagev1.GroupVersion.String() && v != "v1" {
		return nil, &ImageReferencesError{Code: ImageReferencesWrongKind, Field: "apiVersion", Value: v}
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
