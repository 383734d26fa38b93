package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/examples/apiserver/validation"
	"github.com/polyarch/polyarch/internal/quote"
)

// Tags that are not imported get their events from what they are from, as in
// tagsChanged and updateChangedTrackingTags of openshift-apiserver (pkg/image/
// apiserver/registry/imagestream/strategy.go, 0c44269). Of another stream that is
// when the tag changes; of the same stream, whenever what they follow does.

// A streamGetter reads a stream of any namespace.
type streamGetter func(ctx context.Context, namespace, name string) (*imagev1.ImageStream, error)

// follow gives the tags that are new or changed, and those that follow a tag of this
// stream, the events that they are to have. What it cannot find validateFollowing
// reports.
func follow(ctx context.Context, get streamGetter, stream, stored *imagev1.ImageStream) {
	tags := validation.TagsByName(stored)
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		if !renewed(tag, tags[tag.Name]) {
			continue
		}
		event, err := eventFor(ctx, get, stream, tag, field.NewPath("from"))
		if err == nil && event != nil {
			addEvent(stream, tag.Name, *event)
		}
	}
	passOn(stream, stored)
}

// validateFollowing reports the tags that are new or changed and follow what is not
// there. A tag of a stream need not have an event yet.
func validateFollowing(ctx context.Context, get streamGetter, stream, stored *imagev1.ImageStream) field.ErrorList {
	var problems field.ErrorList
	tags := validation.TagsByName(stored)
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		if !renewed(tag, tags[tag.Name]) {
			continue
		}
		if _, err := eventFor(ctx, get, stream, tag, field.NewPath("spec", "tags").Key(quote.Cut(tag.Name)).Child("from")); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// renewed reports whether the tag was given a generation of this write.
func renewed(tag, stored *imagev1.TagReference) bool {
	return stored == nil || !equality.Semantic.DeepEqual(tag.Generation, stored.Generation)
}

// eventFor is tagReferenceToTagEvent there: nil for a tag that is imported, and for
// one that follows a tag without an event.
func eventFor(ctx context.Context, get streamGetter, stream *imagev1.ImageStream, tag *imagev1.TagReference, at *field.Path) (*imagev1.TagEvent, *field.Error) {
	from := tag.From
	switch {
	case from == nil, from.Name == "":
		return nil, nil
	case from.Kind == validation.KindDockerImage && tag.Reference:
		return ofTag(&imagev1.TagEvent{Created: metav1.Now().Rfc3339Copy(), DockerImageReference: from.Name}, tag), nil
	case from.Kind != validation.KindImageStreamTag && from.Kind != validation.KindImageStreamImage:
		return nil, nil
	}
	namespace, name, id := followed(stream, tag)
	source := stream
	if namespace != stream.Namespace || name != stream.Name {
		var err error
		source, err = get(ctx, namespace, name)
		if apierrors.IsNotFound(err) {
			return nil, field.NotFound(at.Child("name"), quote.Cut(from.Name))
		}
		if err != nil {
			return nil, field.InternalError(at.Child("name"), err)
		}
	}
	if from.Kind == validation.KindImageStreamTag {
		if newest := newestEvent(source, id); newest != nil {
			return ofTag(newest.DeepCopy(), tag), nil
		}
		return nil, nil
	}
	event, err := eventOfImage(source, id)
	if err != "" {
		return nil, field.Invalid(at.Child("name"), quote.Cut(from.Name), err)
	}
	return ofTag(event, tag), nil
}

// ofTag is the event at the generation of the tag that gets it.
func ofTag(event *imagev1.TagEvent, tag *imagev1.TagReference) *imagev1.TagEvent {
	if tag.Generation != nil {
		event.Generation = *tag.Generation
	}
	return event
}

// followed is parseFromReference there: the stream that the tag follows, and the tag
// or the image of it.
func followed(stream *imagev1.ImageStream, tag *imagev1.TagReference) (namespace, name, id string) {
	namespace = tag.From.Namespace
	if namespace == "" {
		namespace = stream.Namespace
	}
	separator := ":"
	if tag.From.Kind == validation.KindImageStreamImage {
		separator = "@"
	}
	if name, id, ok := strings.Cut(tag.From.Name, separator); ok {
		return namespace, name, id
	}
	return namespace, stream.Name, tag.From.Name
}

// eventOfImage is ResolveImageID (pkg/image/apiserver/internalimageutil/helpers.go,
// 0c44269): the event of the one image whose digest begins so, or why there is none.
func eventOfImage(stream *imagev1.ImageStream, id string) (*imagev1.TagEvent, string) {
	var found *imagev1.TagEvent
	for i := range stream.Status.Tags {
		for j := range stream.Status.Tags[i].Items {
			event := &stream.Status.Tags[i].Items[j]
			if !digestFits(event.Image, id) {
				continue
			}
			if found != nil && found.Image != event.Image {
				return nil, fmt.Sprintf("several images of image stream %s/%s have a digest that begins so", stream.Namespace, stream.Name)
			}
			found = event
		}
	}
	if found == nil {
		return nil, fmt.Sprintf("image stream %s/%s has no such image", stream.Namespace, stream.Name)
	}
	return &imagev1.TagEvent{Created: metav1.Now().Rfc3339Copy(), DockerImageReference: found.DockerImageReference, Image: found.Image}, ""
}

// passOn gives the tags that follow a tag of this stream what is new of it: the
// newest event, and the conditions. A tag that follows one that follows gets it too;
// a circle ends where it began. Upstream goes one step, in random order, and loses
// the events of a tag to which it passes a condition.
func passOn(stream, stored *imagev1.ImageStream) {
	var queue []string
	for _, history := range stream.Status.Tags {
		if news(stream, stored, history.Tag) {
			queue = append(queue, history.Tag)
		}
	}
	reached := map[string]bool{}
	for len(queue) > 0 {
		of := queue[0]
		queue = queue[1:]
		for i := range stream.Spec.Tags {
			tag := &stream.Spec.Tags[i]
			if tag.Name == of || reached[tag.Name] || !followsHere(stream, tag, of) {
				continue
			}
			reached[tag.Name] = true
			queue = append(queue, tag.Name)
			if newest := newestEvent(stream, of); newest != nil {
				event := newest.DeepCopy()
				if tag.Generation != nil {
					event.Generation = max(event.Generation, *tag.Generation)
				}
				addEvent(stream, tag.Name, *event)
			}
			if conditions := statusTag(stream, of).Conditions; len(conditions) > 0 || statusTag(stream, tag.Name) != nil {
				ensureStatusTag(stream, tag.Name).Conditions = slices.Clone(conditions)
			}
		}
	}
}

// followsHere reports whether the tag follows that tag of the same stream.
func followsHere(stream *imagev1.ImageStream, tag *imagev1.TagReference, of string) bool {
	if tag.From == nil || tag.From.Kind != validation.KindImageStreamTag {
		return false
	}
	namespace, name, id := followed(stream, tag)
	return namespace == stream.Namespace && name == stream.Name && id == of
}

// news reports whether the tag points to something else than it did, or has other
// conditions.
func news(stream, stored *imagev1.ImageStream, tag string) bool {
	is := statusTag(stream, tag)
	if stored == nil {
		return len(is.Items) > 0 || len(is.Conditions) > 0
	}
	was := statusTag(stored, tag)
	switch {
	case was == nil:
		return true
	case !equality.Semantic.DeepEqual(is.Conditions, was.Conditions):
		return true
	case len(is.Items) == 0:
		return false
	}
	return len(was.Items) == 0 || !equality.Semantic.DeepEqual(is.Items[0], was.Items[0])
}
