package server

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/distribution/reference"
	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

// The names and the content of image streams are held to what openshift-apiserver
// holds them to (pkg/image/apis/image/validation/validation.go, 1ff12ed), but for
// two things. What is stored may be put back, so that an object with a flaw of
// old can still be changed elsewhere. And names of tags are checked in streams as
// well: upstream takes any there, and a tag a/b can then never be read as an
// image stream tag.

const (
	kindDockerImage      = "DockerImage"
	kindImageStreamTag   = "ImageStreamTag"
	kindImageStreamImage = "ImageStreamImage"
)

// streamName is RepositoryNameComponentAnchoredRegexp of validation.go.
var streamName = regexp.MustCompile(`^[a-z0-9]+(?:[._-][a-z0-9]+)*$`)

// tagName is what registries take for a tag.
var tagName = regexp.MustCompile(`^` + reference.TagRegexp.String() + `$`)

// validateStreamName is ValidateImageStreamName of validation.go, and the limit of
// ValidateImageStreamWithWhitelister: a stream's namespace and name are to make
// the name of a repository.
func validateStreamName(namespace, name string, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	reasons := content.IsPathSegmentName(name)
	if len(reasons) == 0 && !streamName.MatchString(name) {
		reasons = []string{fmt.Sprintf("must match %q", strings.Trim(streamName.String(), "^$"))}
	}
	for _, reason := range reasons {
		problems = append(problems, field.Invalid(at, quote.Cut(name), reason))
	}
	if len(namespace+"/"+name) > reference.RepositoryNameTotalLengthMax {
		problems = append(problems, field.Invalid(at, quote.Cut(name),
			fmt.Sprintf("'namespace/name' cannot be longer than %d characters", reference.RepositoryNameTotalLengthMax)))
	}
	return problems
}

// validateTagName wants a name that a tag can be reached by, as stream:tag.
func validateTagName(name string, at *field.Path) field.ErrorList {
	if tagName.MatchString(name) {
		return nil
	}
	return field.ErrorList{field.Invalid(at, quote.Cut(name), fmt.Sprintf("must match %q, as tags of a registry", reference.TagRegexp))}
}

// validateStream holds a stream against the rules, and at an update only what is
// not stored already. A name cannot change, so it is looked at once.
func validateStream(stream, stored *imagev1.ImageStream) field.ErrorList {
	var problems field.ErrorList
	if stored == nil {
		problems = validateStreamName(stream.Namespace, stream.Name, field.NewPath("metadata", "name"))
	}
	if repository := stream.Spec.DockerImageRepository; repository != "" && (stored == nil || stored.Spec.DockerImageRepository != repository) {
		problems = append(problems, validateRepository(repository, field.NewPath("spec", "dockerImageRepository"))...)
	}
	spec := field.NewPath("spec", "tags")
	storedTags, seen := tagsByName(stored), make(map[string]bool, len(stream.Spec.Tags))
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		was, at := storedTags[tag.Name], spec.Index(i).Child("name")
		switch {
		case tag.Name == "":
			problems = append(problems, field.Required(at, ""))
		case seen[tag.Name]:
			problems = append(problems, field.Duplicate(at, quote.Cut(tag.Name)))
		case was == nil:
			problems = append(problems, validateTagName(tag.Name, at)...)
		}
		seen[tag.Name] = true
		if was == nil || !sameContent(was, tag) {
			problems = append(problems, validateTag(tag, spec.Key(quote.Cut(tag.Name)))...)
		}
	}
	return problems
}

// sameContent reports whether two tags agree in all that validateTag looks at.
func sameContent(a, b *imagev1.TagReference) bool {
	return equality.Semantic.DeepEqual(a.From, b.From) && a.ReferencePolicy == b.ReferencePolicy &&
		a.ImportPolicy.Scheduled == b.ImportPolicy.Scheduled
}

// validateTag is ValidateImageStreamTagReference of validation.go, with the form
// of names that parseFromReference (pkg/image/apiserver/registry/imagestream/
// strategy.go) wants.
func validateTag(tag *imagev1.TagReference, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	if tag.From != nil {
		problems = validateFrom(tag.From, at.Child("from"))
		if kind := tag.From.Kind; (kind == kindImageStreamTag || kind == kindImageStreamImage) && tag.ImportPolicy.Scheduled {
			problems = append(problems, field.Invalid(at.Child("importPolicy", "scheduled"), true,
				"only tags pointing to Docker repositories may be scheduled for background import"))
		}
	}
	return append(problems, validatePolicy(tag.ReferencePolicy.Type, at)...)
}

func validateFrom(from *corev1.ObjectReference, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	if from.Name == "" {
		problems = append(problems, field.Required(at.Child("name"), ""))
	}
	separator := ""
	switch from.Kind {
	case kindDockerImage:
		if _, err := reference.Parse(from.Name); err != nil && from.Name != "" {
			problems = append(problems, field.Invalid(at.Child("name"), quote.Cut(from.Name), err.Error()))
		}
		return problems
	case kindImageStreamTag:
		separator = ":"
	case kindImageStreamImage:
		separator = "@"
	default:
		return append(problems, field.Required(at.Child("kind"), "valid values are 'DockerImage', 'ImageStreamImage', 'ImageStreamTag'"))
	}
	if strings.Count(from.Name, separator) > 1 {
		problems = append(problems, field.Invalid(at.Child("name"), quote.Cut(from.Name), "must be of the form <tag>, <repo>:<tag>, <id>, or <repo>@<id>"))
	}
	return problems
}

// validateRepository wants the name of a repository, without tag and digest.
func validateRepository(repository string, at *field.Path) field.ErrorList {
	parsed, err := reference.Parse(repository)
	if err != nil {
		return field.ErrorList{field.Invalid(at, quote.Cut(repository), err.Error())}
	}
	var problems field.ErrorList
	if _, ok := parsed.(reference.Tagged); ok {
		problems = append(problems, field.Invalid(at, quote.Cut(repository), "the repository name may not contain a tag"))
	}
	if _, ok := parsed.(reference.Digested); ok {
		problems = append(problems, field.Invalid(at, quote.Cut(repository), "the repository name may not contain an ID"))
	}
	return problems
}

// validatePolicy takes the empty policy, which is left where it is stored.
func validatePolicy(policy imagev1.TagReferencePolicyType, at *field.Path) field.ErrorList {
	switch policy {
	case imagev1.SourceTagReferencePolicy, imagev1.LocalTagReferencePolicy, "":
		return nil
	}
	return field.ErrorList{field.Invalid(at.Child("referencePolicy", "type"), quote.Cut(string(policy)),
		fmt.Sprintf("valid values are %q, %q", imagev1.SourceTagReferencePolicy, imagev1.LocalTagReferencePolicy))}
}

// defaultReferencePolicies makes an omitted policy Source, as
// SetDefaults_TagReferencePolicy (pkg/image/apis/image/v1/defaults.go, 4616af6)
// does. A tag that is stored without one stays as it is: that it reads as Source
// is no reason to write it.
func defaultReferencePolicies(stream *imagev1.ImageStream, stored map[string]*imagev1.TagReference) {
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		if was := stored[tag.Name]; was == nil || was.ReferencePolicy.Type != "" {
			tag.ReferencePolicy.Type = effectivePolicy(tag.ReferencePolicy.Type)
		}
	}
}

func effectivePolicy(policy imagev1.TagReferencePolicyType) imagev1.TagReferencePolicyType {
	if policy == "" {
		return imagev1.SourceTagReferencePolicy
	}
	return policy
}
