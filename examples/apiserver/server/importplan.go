package server

import (
	"strings"

	"github.com/distribution/reference"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
	"github.com/polyarch/polyarch/importmode"
)

// A target is one image of an import: where it is from, how it is imported, and the
// tag that it goes to.
type target struct {
	importmode.DecidedTag
	wish   importer.Wish
	tag    string // of the stream; empty for an image that is only looked up
	policy imagev1.TagImportPolicy
	local  imagev1.TagReferencePolicy
}

// planImages decides the images of a request against the stored stream, which is
// nil if there is none yet.
func planImages(requested *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts importmode.Options) []target {
	decided := importmode.DefaultImageStreamImport(nil, requested, stored, cluster, opts)
	targets := make([]target, len(decided))
	for i, d := range decided {
		image := &requested.Spec.Images[i]
		targets[i] = target{DecidedTag: d, policy: image.ImportPolicy, local: image.ReferencePolicy}
		if image.To != nil {
			targets[i].tag = image.To.Name
		}
		targets[i].wishFor(image.From.Name, d.Name, stored)
	}
	return targets
}

// planRepository decides those tags of the repository that are imported.
func planRepository(requested *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts importmode.Options) []target {
	decided := importmode.DefaultRepositoryImport(nil, requested, tags, stored, cluster, opts)
	targets := make([]target, len(decided))
	for i, d := range decided {
		repository := requested.Spec.Repository
		targets[i] = target{DecidedTag: d, tag: tags[i], policy: repository.ImportPolicy, local: repository.ReferencePolicy}
		targets[i].wishFor(repository.From.Name+":"+tags[i], tags[i], stored)
	}
	return targets
}

// wishFor sets what to ask of the registry. The preferred platform is that of the
// stored spec tag, and only where the image is named by a tag. Upstream looks at it
// for single images alone, so that importing the whole repository again gives a tag
// another platform; here it counts for both.
func (t *target) wishFor(from, tag string, stored *imagev1.ImageStream) {
	t.policy.ImportMode = t.Store
	t.wish = importer.Wish{From: from, Mode: importmode.EffectiveMode(t.Import), Insecure: t.policy.Insecure}
	if was := specTag(stored, tag); was != nil && !strings.Contains(from, "@") {
		t.wish.PreferArch = was.Annotations[imagev1.ImporterPreferArchAnnotation]
		t.wish.PreferOS = was.Annotations[imagev1.ImporterPreferOSAnnotation]
	}
}

// sourceTag is the tag that the image is under in its registry, empty where it is
// named by digest.
func sourceTag(from string) string {
	parsed, err := reference.Parse(from)
	if err != nil {
		return ""
	}
	if _, ok := parsed.(reference.Digested); ok {
		return ""
	}
	if tagged, ok := parsed.(reference.Tagged); ok {
		return tagged.Tag()
	}
	return imagev1.DefaultImageTag
}
