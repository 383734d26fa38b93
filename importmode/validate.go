package importmode

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	imagev1 "github.com/openshift/api/image/v1"
)

// ValidateImageStream returns a NotSupported error for every tag of the stream
// whose mode is no mode, in the order of the tags. An empty mode is valid. Path
// is that of the stream, nil for an object of its own.
func ValidateImageStream(stream *imagev1.ImageStream, path *field.Path) field.ErrorList {
	return ValidateImageStreamUpdate(stream, nil, path)
}

// ValidateImageStreamUpdate is ValidateImageStream for an update of stored: a
// value that the stored tag of that name has already is let through, so that a
// stream with a bad value in storage can still be changed elsewhere.
func ValidateImageStreamUpdate(stream, stored *imagev1.ImageStream, path *field.Path) field.ErrorList {
	if stream == nil {
		return nil
	}
	var problems field.ErrorList
	in := lookup{tags: specTags(stored)}
	for i := range stream.Spec.Tags {
		t := &stream.Spec.Tags[i]
		if accepts(t.ImportPolicy.ImportMode) {
			continue
		}
		if was := in.find(t.Name); was != nil && was.ImportPolicy.ImportMode == t.ImportPolicy.ImportMode {
			continue
		}
		problems = append(problems, notSupported(path.Child("spec", "tags").Index(i), t.ImportPolicy))
	}
	return problems
}

// ValidateImageStreamTag is ValidateImageStream for an image stream tag. One
// without a spec tag is valid.
func ValidateImageStreamTag(tag *imagev1.ImageStreamTag, path *field.Path) field.ErrorList {
	if tag == nil || tag.Tag == nil || accepts(tag.Tag.ImportPolicy.ImportMode) {
		return nil
	}
	return field.ErrorList{notSupported(path.Child("tag"), tag.Tag.ImportPolicy)}
}

// ValidateImageStreamImport is ValidateImageStream for an import: first the
// repository's mode, then those of the images in their order.
func ValidateImageStreamImport(request *imagev1.ImageStreamImport, path *field.Path) field.ErrorList {
	if request == nil {
		return nil
	}
	var problems field.ErrorList
	if r := request.Spec.Repository; r != nil && !accepts(r.ImportPolicy.ImportMode) {
		problems = append(problems, notSupported(path.Child("spec", "repository"), r.ImportPolicy))
	}
	for i := range request.Spec.Images {
		if policy := request.Spec.Images[i].ImportPolicy; !accepts(policy.ImportMode) {
			problems = append(problems, notSupported(path.Child("spec", "images").Index(i), policy))
		}
	}
	return problems
}

func accepts(m imagev1.ImportModeType) bool { return m == "" || known(m) }

func notSupported(at *field.Path, policy imagev1.TagImportPolicy) *field.Error {
	return field.NotSupported(at.Child("importPolicy", "importMode"), policy.ImportMode, allowed(""))
}
