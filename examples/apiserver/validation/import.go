package validation

import (
	"github.com/distribution/reference"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

// DefaultImport fills in what openshift-apiserver's decoding does, but for the
// mode (pkg/image/apis/image/v1/defaults.go, 4616af6): an image goes to the tag
// that its reference names, and an omitted reference policy is Source. An import
// is stored nowhere, so there is nothing that this could alter.
func DefaultImport(request *imagev1.ImageStreamImport) {
	for i := range request.Spec.Images {
		image := &request.Spec.Images[i]
		image.ReferencePolicy.Type = EffectivePolicy(image.ReferencePolicy.Type)
		if image.To != nil {
			continue
		}
		if parsed, err := reference.Parse(image.From.Name); err == nil {
			if tagged, ok := parsed.(reference.Tagged); ok {
				image.To = &corev1.LocalObjectReference{Name: tagged.Tag()}
			}
		}
	}
	if repository := request.Spec.Repository; repository != nil {
		repository.ReferencePolicy.Type = EffectivePolicy(repository.ReferencePolicy.Type)
	}
}

// Import is ValidateImageStreamImport of validation.go. It also wants
// names of tags and reference policies that can be stored.
func Import(request *imagev1.ImageStreamImport, namespace string) field.ErrorList {
	var problems field.ErrorList
	images, repository := field.NewPath("spec", "images"), field.NewPath("spec", "repository")
	for i := range request.Spec.Images {
		image, at := &request.Spec.Images[i], images.Index(i)
		problems = append(problems, checkPolicy(image.ReferencePolicy.Type, at)...)
		if image.From.Kind != KindDockerImage {
			problems = append(problems, onlyDockerImages(image.From.Kind, at))
			continue
		}
		if image.To != nil && image.To.Name == "" {
			problems = append(problems, field.Invalid(at.Child("to", "name"), "", "the name of the target tag must be specified"))
		} else if image.To != nil {
			problems = append(problems, TagName(image.To.Name, at.Child("to", "name"))...)
		}
		problems = append(problems, checkFrom(&image.From, at.Child("from"))...)
	}
	if spec := request.Spec.Repository; spec != nil {
		problems = append(problems, checkPolicy(spec.ReferencePolicy.Type, repository)...)
		switch at := repository.Child("from", "name"); {
		case spec.From.Kind != KindDockerImage:
			problems = append(problems, onlyDockerImages(spec.From.Kind, repository))
		case spec.From.Name == "":
			problems = append(problems, field.Required(at, "container image references require a name"))
		default:
			problems = append(problems, checkRepository(spec.From.Name, at)...)
		}
	}
	if len(request.Spec.Images) == 0 && request.Spec.Repository == nil {
		problems = append(problems, field.Invalid(images, nil, "you must specify at least one image or a repository import"))
	}
	name := field.NewPath("metadata", "name")
	if request.Name == "" {
		return append(problems, field.Required(name, "the name of the image stream"))
	}
	return append(problems, checkStreamName(namespace, request.Name, name)...)
}

func onlyDockerImages(kind string, at *field.Path) *field.Error {
	return field.Invalid(at.Child("from", "kind"), quote.Cut(kind), "only DockerImage is supported")
}
