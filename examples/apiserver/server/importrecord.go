package server

import (
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/examples/apiserver/validation"
	"github.com/polyarch/polyarch/importmode"
)

// record writes what an import has come to into the stream: its second half of
// Create of openshift-apiserver (pkg/image/apiserver/registry/imagestreamimport/
// rest.go, 08af395). An import that finds everything as it is leaves the stream as it
// is, so that scheduled ones do not write.
func record(stream *imagev1.ImageStream, targets []target, results outcomes, now metav1.Time) {
	original := stream.DeepCopy()
	generation := stream.Generation + 1
	for _, t := range targets {
		if t.tag == "" {
			continue
		}
		if got := results[t.wish]; got.status.Status == metav1.StatusSuccess {
			recordSuccess(stream, t, got, generation, now)
		} else {
			recordFailure(stream, t, got.status, generation, now)
		}
	}
	_, checked := stream.Annotations[imagev1.DockerImageRepositoryCheckAnnotation]
	if checked && equality.Semantic.DeepEqual(original, stream) {
		return
	}
	if stream.Annotations == nil {
		stream.Annotations = map[string]string{}
	}
	stream.Annotations[imagev1.DockerImageRepositoryCheckAnnotation] = now.UTC().Format(time.RFC3339)
}

// recordSuccess is importSuccessful there. A spec tag that is generation 0 gets the
// next generation of the stream, by its strategy.
func recordSuccess(stream *imagev1.ImageStream, t target, got outcome, generation int64, now metav1.Time) {
	event := imagev1.TagEvent{Created: now, DockerImageReference: got.Image.DockerImageReference, Image: got.Image.Name, Generation: generation}
	tag, newest := specTag(stream, t.tag), newestEvent(stream, t.tag)
	same := newest != nil && newest.Image == event.Image && newest.DockerImageReference == event.DockerImageReference
	observed := tag != nil && tag.Generation != nil && newest != nil && *tag.Generation <= newest.Generation
	if !same || !observed || saysOtherwise(tag, t) {
		tag = writeSpecTag(stream, t, tag)
		addEvent(stream, t.tag, event)
	}
	tag.ImportPolicy = t.policy
	clearConditions(stream, t.tag)
}

// saysOtherwise reports whether the spec tag names another source or policy than was
// imported by. Upstream does not look: there a tag keeps naming the source that it
// had if the new one has the same image.
func saysOtherwise(tag *imagev1.TagReference, t target) bool {
	was, is := tag.ImportPolicy, t.policy
	was.ImportMode, is.ImportMode = importmode.EffectiveMode(was.ImportMode), importmode.EffectiveMode(is.ImportMode)
	return tag.From == nil || tag.From.Kind != validation.KindDockerImage || tag.From.Name != t.wish.From || was != is
}

// recordFailure is checkImportFailure there: the tag keeps its events. A tag that is
// new is written all the same, so that it is known what to try again; one that is
// there keeps what it says. The condition has the generation of the tag, by which a
// controller sees that it has been tried. Upstream leaves an equal condition at the
// generation that it had, and the tag looks as if nobody had tried.
func recordFailure(stream *imagev1.ImageStream, t target, status metav1.Status, generation int64, now metav1.Time) {
	condition := imagev1.TagEventCondition{
		Type: imagev1.ImportSuccess, Status: corev1.ConditionFalse, LastTransitionTime: now,
		Reason: string(status.Reason), Message: status.Message, Generation: generation,
	}
	tag, was := specTag(stream, t.tag), failure(stream, t.tag)
	switch {
	case tag == nil:
		tag = writeSpecTag(stream, t, nil)
		tag.ImportPolicy = t.policy
	case was != nil && was.Reason == condition.Reason && was.Message == condition.Message && tag.Generation != nil:
		was.Generation = max(was.Generation, *tag.Generation)
		return
	default:
		tag.Generation = new(int64(0))
	}
	setCondition(stream, t.tag, condition)
}

// writeSpecTag is ensureSpecTag there, with reset: a reference policy that is there
// stays.
func writeSpecTag(stream *imagev1.ImageStream, t target, tag *imagev1.TagReference) *imagev1.TagReference {
	if tag == nil {
		stream.Spec.Tags = append(stream.Spec.Tags, imagev1.TagReference{Name: t.tag})
		tag = &stream.Spec.Tags[len(stream.Spec.Tags)-1]
	}
	tag.From = &corev1.ObjectReference{Kind: validation.KindDockerImage, Name: t.wish.From}
	tag.Generation = new(int64(0))
	if tag.ReferencePolicy.Type == "" {
		tag.ReferencePolicy = t.local
	}
	return tag
}
