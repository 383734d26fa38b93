package server

import (
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
)

// The history of tags is kept as openshift-apiserver keeps it (pkg/image/apiserver/
// internalimageutil/helpers.go, 0c44269): newest first and without limit.

// addEvent is AddTagEventToImageStream: an event of the same image or the same
// reference as the newest takes its place, keeping its time, and any event clears
// the conditions.
func addEvent(stream *imagev1.ImageStream, tag string, next imagev1.TagEvent) {
	history := ensureStatusTag(stream, tag)
	history.Conditions = nil
	if len(history.Items) > 0 {
		newest := &history.Items[0]
		if newest.Image == next.Image || newest.DockerImageReference == next.DockerImageReference {
			newest.Image, newest.DockerImageReference, newest.Generation = next.Image, next.DockerImageReference, next.Generation
			return
		}
	}
	history.Items = slices.Insert(history.Items, 0, next)
}

// setCondition makes it the only condition of the tag. The events stay.
func setCondition(stream *imagev1.ImageStream, tag string, condition imagev1.TagEventCondition) {
	ensureStatusTag(stream, tag).Conditions = []imagev1.TagEventCondition{condition}
}

// clearConditions takes the conditions of the tag away.
func clearConditions(stream *imagev1.ImageStream, tag string) {
	if history := statusTag(stream, tag); history != nil {
		history.Conditions = nil
	}
}

func ensureStatusTag(stream *imagev1.ImageStream, tag string) *imagev1.NamedTagEventList {
	if history := statusTag(stream, tag); history != nil {
		return history
	}
	stream.Status.Tags = append(stream.Status.Tags, imagev1.NamedTagEventList{Tag: tag})
	return &stream.Status.Tags[len(stream.Status.Tags)-1]
}

// newestEvent returns the event that the tag points to, nil if it has none.
func newestEvent(stream *imagev1.ImageStream, tag string) *imagev1.TagEvent {
	if history := statusTag(stream, tag); history != nil && len(history.Items) > 0 {
		return &history.Items[0]
	}
	return nil
}

// failure returns the condition of a tag whose import failed, nil if it has none.
func failure(stream *imagev1.ImageStream, tag string) *imagev1.TagEventCondition {
	history := statusTag(stream, tag)
	if history == nil {
		return nil
	}
	for i := range history.Conditions {
		if c := &history.Conditions[i]; c.Type == imagev1.ImportSuccess && c.Status == corev1.ConditionFalse {
			return c
		}
	}
	return nil
}

// observe is updateObservedGenerationForStatusUpdate of openshift-apiserver (pkg/image/
// apiserver/registry/imagestream/strategy.go, 0c44269): whoever writes the status need
// not say at which generation. Another image is that of the spec tag as it is; anything
// else has seen the whole stream.
func observe(stream, stored *imagev1.ImageStream) {
	for i := range stream.Status.Tags {
		history := &stream.Status.Tags[i]
		if len(history.Items) == 0 || history.Items[0].Generation != 0 {
			continue
		}
		newest, was, tag := &history.Items[0], newestEvent(stored, history.Tag), specTag(stream, history.Tag)
		newest.Generation = stream.Generation
		if was != nil && (was.Image != newest.Image || was.DockerImageReference != newest.DockerImageReference) && tag != nil && tag.Generation != nil {
			newest.Generation = *tag.Generation
		}
	}
}
