package validation

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

// The kinds that a tag can be from.
const (
	KindDockerImage      = "DockerImage"
	KindImageStreamTag   = "ImageStreamTag"
	KindImageStreamImage = "ImageStreamImage"
)

// streamName is RepositoryNameComponentAnchoredRegexp of validation.go.
var streamName = regexp.MustCompile(`^[a-z0-9]+(?:[._-][a-z0-9]+)*$`)

// tagName is what registries take for a tag.
var tagName = regexp.MustCompile(`^` + reference.TagRegexp.String() + `$`)

// checkStreamName is ValidateImageStreamName of validation.go, and the limit of
// ValidateImageStreamWithWhitelister: a stream's namespace and name are to make
// the name of a repository.
func checkStreamName(namespace, name string, at *field.Path) field.ErrorList {
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

// TagName wants a name that a tag can be reached by, as stream:tag.
func TagName(name string, at *field.Path) field.ErrorList {
	if tagName.MatchString(name) {
		return nil
	}
	return field.ErrorList{field.Invalid(at, quote.Cut(name), fmt.Sprintf("must match %q, as tags of a registry", reference.TagRegexp))}
}

// Stream holds a stream against the rules, and at an update only what is
// not stored already. A name cannot change, so it is looked at once.
func Stream(stream, stored *imagev1.ImageStream) field.ErrorList {
	var problems field.ErrorList
	if stored == nil {
		problems = checkStreamName(stream.Namespace, stream.Name, field.NewPath("metadata", "name"))
	}
	if repository := stream.Spec.DockerImageRepository; repository != "" && (stored == nil || stored.Spec.DockerImageRepository != repository) {
		problems = append(problems, checkRepository(repository, field.NewPath("spec", "dockerImageRepository"))...)
	}
	spec := field.NewPath("spec", "tags")
	storedTags, seen := TagsByName(stored), make(map[string]bool, len(stream.Spec.Tags))
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		was, at := storedTags[tag.Name], spec.Index(i).Child("name")
		switch {
		case tag.Name == "":
			problems = append(problems, field.Required(at, ""))
		case seen[tag.Name]:
			problems = append(problems, field.Duplicate(at, quote.Cut(tag.Name)))
		case was == nil:
			problems = append(problems, TagName(tag.Name, at)...)
		}
		seen[tag.Name] = true
		if was == nil || !SameContent(was, tag) {
			problems = append(problems, Tag(tag, spec.Key(quote.Cut(tag.Name)))...)
		}
	}
	return problems
}

// TagsByName returns the spec tags of a stream, which may be nil.
func TagsByName(stream *imagev1.ImageStream) map[string]*imagev1.TagReference {
	if stream == nil {
		return nil
	}
	tags := make(map[string]*imagev1.TagReference, len(stream.Spec.Tags))
	for i := range stream.Spec.Tags {
		tags[stream.Spec.Tags[i].Name] = &stream.Spec.Tags[i]
	}
	return tags
}

// SameContent reports whether two tags agree in all that Tag looks at.
func SameContent(a, b *imagev1.TagReference) bool {
	return equality.Semantic.DeepEqual(a.From, b.From) && a.ReferencePolicy == b.ReferencePolicy &&
		a.ImportPolicy.Scheduled == b.ImportPolicy.Scheduled
}

// Tag is ValidateImageStreamTagReference of validation.go, with the form
// of names that parseFromReference (pkg/image/apiserver/registry/imagestream/
// strategy.go) wants.
func Tag(tag *imagev1.TagReference, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	if tag.From != nil {
		problems = checkFrom(tag.From, at.Child("from"))
		if kind := tag.From.Kind; (kind == KindImageStreamTag || kind == KindImageStreamImage) && tag.ImportPolicy.Scheduled {
			problems = append(problems, field.Invalid(at.Child("importPolicy", "scheduled"), true,
				"only tags pointing to Docker repositories may be scheduled for background import"))
		}
	}
	return append(problems, checkPolicy(tag.ReferencePolicy.Type, at)...)
}

func checkFrom(from *corev1.ObjectReference, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	if from.Name == "" {
		problems = append(problems, field.Required(at.Child("name"), ""))
	}
	separator := ""
	switch from.Kind {
	case KindDockerImage:
		if _, err := reference.Parse(from.Name); err != nil && from.Name != "" {
			problems = append(problems, field.Invalid(at.Child("name"), quote.Cut(from.Name), err.Error()))
		}
		return problems
	case KindImageStreamTag:
		separator = ":"
	case KindImageStreamImage:
		separator = "@"
	default:
		return append(problems, field.Required(at.Child("kind"), "valid values are 'DockerImage', 'ImageStreamImage', 'ImageStreamTag'"))
	}
	if strings.Count(from.Name, separator) > 1 {
		problems = append(problems, field.Invalid(at.Child("name"), quote.Cut(from.Name), "must be of the form <tag>, <repo>:<tag>, <id>, or <repo>@<id>"))
	}
	return problems
}

// checkRepository wants the name of a repository, without tag and digest.
func checkRepository(repository string, at *field.Path) field.ErrorList {
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

// checkPolicy takes the empty policy, which is left where it is stored.
func checkPolicy(policy imagev1.TagReferencePolicyType, at *field.Path) field.ErrorList {
	switch policy {
	case imagev1.SourceTagReferencePolicy, imagev1.LocalTagReferencePolicy, "":
		return nil
	}
	return field.ErrorList{field.Invalid(at.Child("referencePolicy", "type"), quote.Cut(string(policy)),
		fmt.Sprintf("valid values are %q, %q", imagev1.SourceTagReferencePolicy, imagev1.LocalTagReferencePolicy))}
}

// DefaultReferencePolicies makes an omitted policy Source, as
// SetDefaults_TagReferencePolicy (pkg/image/apis/image/v1/defaults.go, 4616af6)
// does. A tag that is stored without one stays as it is: that it reads as Source
// is no reason to write it.
func DefaultReferencePolicies(stream *imagev1.ImageStream, stored map[string]*imagev1.TagReference) {
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		if was := stored[tag.Name]; was == nil || was.ReferencePolicy.Type != "" {
			tag.ReferencePolicy.Type = EffectivePolicy(tag.ReferencePolicy.Type)
		}
	}
}

// EffectivePolicy is Source for an omitted policy.
func EffectivePolicy(policy imagev1.TagReferencePolicyType) imagev1.TagReferencePolicyType {
	if policy == "" {
		return imagev1.SourceTagReferencePolicy
	}
	return policy
}
