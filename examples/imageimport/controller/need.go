package controller

import (
	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

const kindDockerImage = "DockerImage"

// requestFor makes the import that the stream needs, nil if it needs none. Scheduled
// says that it is time for scheduled tags.
func requestFor(stream *imagev1.ImageStream, scheduled bool) *imagev1.ImageStreamImport {
	unchecked := stream.Annotations[imagev1.DockerImageRepositoryCheckAnnotation] == ""
	repository := stream.Spec.DockerImageRepository
	whole := unchecked && repository != ""
	request := &imagev1.ImageStreamImport{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: stream.Namespace, Name: stream.Name, ResourceVersion: stream.ResourceVersion, UID: stream.UID,
		},
		Spec: imagev1.ImageStreamImportSpec{Import: true},
	}
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		switch {
		case !importable(tag):
			continue
		case whole, behind(stream, tag, unchecked), scheduled && onSchedule(stream, tag):
		default:
			continue
		}
		policy := tag.ImportPolicy
		policy.ImportMode = sendable(policy.ImportMode)
		request.Spec.Images = append(request.Spec.Images, imagev1.ImageImportSpec{
			From:         corev1.ObjectReference{Kind: kindDockerImage, Name: tag.From.Name},
			To:           &corev1.LocalObjectReference{Name: tag.Name},
			ImportPolicy: policy, ReferencePolicy: tag.ReferencePolicy,
		})
	}
	if whole {
		request.Spec.Repository = &imagev1.RepositoryImportSpec{
			From:         corev1.ObjectReference{Kind: kindDockerImage, Name: repository},
			ImportPolicy: imagev1.TagImportPolicy{Insecure: stream.Annotations[imagev1.InsecureRepositoryAnnotation] == "true"},
		}
	}
	if len(request.Spec.Images) == 0 && request.Spec.Repository == nil {
		return nil
	}
	return request
}

func importable(tag *imagev1.TagReference) bool {
	return tag.From != nil && tag.From.Kind == kindDockerImage && !tag.Reference
}

// behind reports whether nobody has tried to import the tag as it stands. Of a tag
// without a generation only the stream can tell.
func behind(stream *imagev1.ImageStream, tag *imagev1.TagReference, unchecked bool) bool {
	if tag.Generation == nil {
		return unchecked
	}
	event, condition := observed(stream, tag.Name)
	return *tag.Generation > max(event, condition)
}

// observed returns the generation of the newest event of the tag, -1 without one, and
// that of its condition, 0 without one.
func observed(stream *imagev1.ImageStream, tag string) (event, condition int64) {
	event = -1
	for i := range stream.Status.Tags {
		history := &stream.Status.Tags[i]
		if history.Tag != tag {
			continue
		}
		if len(history.Items) > 0 {
			event = history.Items[0].Generation
		}
		for _, c := range history.Conditions {
			if c.Type == imagev1.ImportSuccess {
				return event, c.Generation
			}
		}
		break
	}
	return event, 0
}

// onSchedule reports whether the tag is imported again whenever it is time.
func onSchedule(stream *imagev1.ImageStream, tag *imagev1.TagReference) bool {
	if !importable(tag) || !tag.ImportPolicy.Scheduled {
		return false
	}
	from, err := reference.Parse(tag.From.Name)
	if err != nil {
		return false
	}
	if _, byDigest := from.(reference.Digested); !byDigest {
		return true
	}
	event, _ := observed(stream, tag.Name)
	return event < 0 || tag.Generation != nil && *tag.Generation > event
}

// hasSchedule reports whether a tag of the stream is on schedule.
func hasSchedule(stream *imagev1.ImageStream) bool {
	for i := range stream.Spec.Tags {
		if onSchedule(stream, &stream.Spec.Tags[i]) {
			return true
		}
	}
	return false
}

// sendable is the mode to ask for: that of the tag, if it is one.
func sendable(mode imagev1.ImportModeType) imagev1.ImportModeType {
	if _, err := importmode.Convert[imagev1.ImportModeType](mode); err != nil {
		return ""
	}
	return mode
}
