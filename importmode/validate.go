package importmode

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// ValidateMode validates the mode of one import policy, by rules 40 to 42. Given
// is the mode in the request, and stored the value that is there already, empty
// if there is none: a value that is stored is let through unchanged, so that an
// object with a bad value in storage can still be changed elsewhere.
//
// Path is where the caller has what the policy belongs to, a tag or an image.
// The error is NotSupported at importPolicy.importMode below it.
func ValidateMode(given, stored imagev1.ImportModeType, path *field.Path) field.ErrorList {
	if valid(given, stored) {
		return nil
	}
	return field.ErrorList{field.NotSupported(
		path.Child("importPolicy", "importMode"), imagev1.ImportModeType(quote.Cut(string(given))), allowed(""))}
}

// ValidateImageStream is ValidateMode for every tag of a stream that is created,
// in the order of the tags. Path is that of the stream, nil for an object of its
// own; a tag's is spec.tags[name] below it.
func ValidateImageStream(stream *imagev1.ImageStream, path *field.Path) field.ErrorList {
	return ValidateImageStreamUpdate(stream, nil, path)
}

// ValidateImageStreamUpdate is ValidateImageStream for an update of stored. Rule
// 30 says which stored tag a tag is compared with.
func ValidateImageStreamUpdate(stream, stored *imagev1.ImageStream, path *field.Path) field.ErrorList {
	if stream == nil {
		return nil
	}
	var problems field.ErrorList
	in := lookupFor(len(stream.Spec.Tags), stored)
	for i := range stream.Spec.Tags {
		t := &stream.Spec.Tags[i]
		// Only a bad value is worth a look-up and a path.
		if valid(t.ImportPolicy.ImportMode, "") {
			continue
		}
		was, _ := in.find(t.Name)
		problems = append(problems, ValidateMode(t.ImportPolicy.ImportMode, was, path.Child("spec", "tags").Key(t.Name))...)
	}
	return problems
}

// ValidateImageStreamTag is ValidateMode for an image stream tag that is created.
// One without a spec tag is valid. Path is that of the image stream tag; the
// tag's is tag below it.
func ValidateImageStreamTag(tag *imagev1.ImageStreamTag, path *field.Path) field.ErrorList {
	return ValidateImageStreamTagUpdate(tag, nil, path)
}

// ValidateImageStreamTagUpdate is ValidateImageStreamTag for an update of stored,
// which is the image stream tag as a client reads it.
func ValidateImageStreamTagUpdate(tag, stored *imagev1.ImageStreamTag, path *field.Path) field.ErrorList {
	if tag == nil || tag.Tag == nil || valid(tag.Tag.ImportPolicy.ImportMode, "") {
		return nil
	}
	var was imagev1.ImportModeType
	if stored != nil && stored.Tag != nil {
		was = stored.Tag.ImportPolicy.ImportMode
	}
	return ValidateMode(tag.Tag.ImportPolicy.ImportMode, was, path.Child("tag"))
}

// ValidateImageStreamImport is ValidateMode for an import: first the mode of
// spec.repository, then those of spec.images[index] in their order. An import is
// a request each time, so no value in it is stored.
func ValidateImageStreamImport(request *imagev1.ImageStreamImport, path *field.Path) field.ErrorList {
	if request == nil {
		return nil
	}
	var problems field.ErrorList
	if r := request.Spec.Repository; r != nil && !valid(r.ImportPolicy.ImportMode, "") {
		problems = append(problems, ValidateMode(r.ImportPolicy.ImportMode, "", path.Child("spec", "repository"))...)
	}
	for i := range request.Spec.Images {
		if mode := request.Spec.Images[i].ImportPolicy.ImportMode; !valid(mode, "") {
			problems = append(problems, ValidateMode(mode, "", path.Child("spec", "images").Index(i))...)
		}
	}
	return problems
}

// valid reports whether the mode may be written where another is stored.
func valid(given, stored imagev1.ImportModeType) bool {
	return given == "" || known(given) || given == stored
}
