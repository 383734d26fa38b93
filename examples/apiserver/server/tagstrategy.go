package server

import (
	"context"
	"maps"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/polyarch/polyarch/examples/apiserver/validation"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/internal/quote"
)

// tagStrategy is where a request meets the image stream tag as a client reads it.
// It models Strategy of openshift-apiserver (pkg/image/apiserver/registry/
// imagestreamtag/strategy.go, 6a519f0).
type tagStrategy struct{ runtime.ObjectTyper }

var (
	_ rest.RESTCreateStrategy = tagStrategy{}
	_ rest.RESTUpdateStrategy = tagStrategy{}
)

func (tagStrategy) NamespaceScoped() bool           { return true }
func (tagStrategy) GenerateName(base string) string { return base }
func (tagStrategy) AllowCreateOnUpdate() bool       { return false }
func (tagStrategy) AllowUnconditionalUpdate() bool  { return false }
func (tagStrategy) Canonicalize(runtime.Object)     {}

func (tagStrategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	tag := obj.(*imagev1.ImageStreamTag)
	settleAnnotations(tag, nil)
	tag.Conditions, tag.Image = nil, imagev1.Image{}
}

func (tagStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	tag, stored := obj.(*imagev1.ImageStreamTag), old.(*imagev1.ImageStreamTag)
	if tag.Tag == nil {
		// It says nothing of the tag but what stands in the metadata.
		tag.Tag = stored.Tag.DeepCopy()
	}
	settleAnnotations(tag, stored.Annotations)
	tag.Conditions, tag.Image = stored.Conditions, stored.Image
}

// settleAnnotations makes one of the two places that a tag's annotations stand
// in: the metadata, to which "oc annotate" writes, and the spec tag, in which they
// are stored. Upstream lets the metadata win, so that a request which has them in
// the spec tag is answered with success and stores nothing. Here the place counts
// that the request changes; if it changes both and differently, both stay, and
// validation refuses them.
func settleAnnotations(tag *imagev1.ImageStreamTag, stored map[string]string) {
	if tag.Tag == nil {
		return
	}
	metadata, spec := tag.Annotations, tag.Tag.Annotations
	switch {
	case len(spec) == 0 || maps.Equal(spec, stored):
		tag.Tag.Annotations = maps.Clone(metadata)
	case len(metadata) == 0 || maps.Equal(metadata, stored):
		tag.Annotations = maps.Clone(spec)
	}
}

func (tagStrategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	tag := obj.(*imagev1.ImageStreamTag)
	name := field.NewPath("metadata", "name")
	_, tagName, ok := splitTagName(tag.Name)
	var problems field.ErrorList
	if ok {
		problems = validation.TagName(tagName, name)
	} else {
		problems = field.ErrorList{field.Invalid(name, quote.Cut(tag.Name), "must be <stream>:<tag>")}
	}
	if tag.Tag == nil {
		return append(problems, field.Required(field.NewPath("tag"), ""))
	}
	problems = append(problems, validation.Tag(tag.Tag, field.NewPath("tag"))...)
	problems = append(problems, validateAnnotations(tag)...)
	return append(problems, importmode.ValidateImageStreamTag(tag, nil)...)
}

// ValidateUpdate lets the tag and its annotations change, and nothing else.
func (tagStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	tag, stored := obj.(*imagev1.ImageStreamTag), old.(*imagev1.ImageStreamTag)
	var problems field.ErrorList
	if stored.Tag == nil || !validation.SameContent(tag.Tag, stored.Tag) {
		problems = validation.Tag(tag.Tag, field.NewPath("tag"))
	}
	problems = append(problems, validateAnnotations(tag)...)
	if !equality.Semantic.DeepEqual(storedNowhere(tag), storedNowhere(stored)) {
		problems = append(problems, field.Invalid(field.NewPath("metadata"), "", "may not update fields other than metadata.annotations"))
	}
	return append(problems, importmode.ValidateImageStreamTagUpdate(tag, stored, nil)...)
}

func validateAnnotations(tag *imagev1.ImageStreamTag) field.ErrorList {
	if equality.Semantic.DeepEqual(tag.Annotations, tag.Tag.Annotations) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("tag", "annotations"), "<map>", "tag annotations must not be provided or must be equal to the object meta annotations")}
}

// storedNowhere is the metadata for which a tag has no place, and which are not
// the server's own. For labels there is none either, and a warning says so.
func storedNowhere(tag *imagev1.ImageStreamTag) metav1.ObjectMeta {
	return metav1.ObjectMeta{Finalizers: tag.Finalizers, OwnerReferences: tag.OwnerReferences}
}

func (tagStrategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (tagStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}
