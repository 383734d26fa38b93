package importmode

import (
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
)

// DefaultImageStreamImport appends to dst one decision for each of spec.images
// of the request, in their order, by which the image is imported and which its
// tag is given. Stored is the image stream that is imported into, nil if there
// is none yet. The rules, by the tag that the image goes to:
//
//  1. The request names a mode: that mode. Given
//  2. No tag of that name is stored, or the image goes to no tag: the cluster's
//     mode. ClusterMode
//  3. The stored tag has a mode: that mode. Stored
//  4. The stored tag has none: Legacy, under which it was imported so far.
//     StoredEmpty
//
// The tag is to.name, else the one in from.name; an image without either goes
// to no tag. An import needs a mode to go by, so it is never empty, and writing
// it to a tag that is stored with an empty one is no change.
func DefaultImageStreamImport(dst []TagDecision, request *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []TagDecision {
	if request == nil {
		return dst
	}
	images := request.Spec.Images
	cluster = EffectiveMode(cluster)
	in := lookup{tags: specTags(stored)}
	n := len(dst)
	dst = slices.Grow(dst, len(images))[:n+len(images)]
	for i := range images {
		decideImport(&dst[n+i], i, targetTag(&images[i]), images[i].ImportPolicy.ImportMode, &in, cluster, opts)
	}
	return dst
}

// DefaultRepositoryImport appends to dst one decision for each of the tags that
// the import of spec.repository results in, in their order, by the rules of
// DefaultImageStreamImport. Tags are the names that the registry listed and the
// caller is about to import; a single answer for the whole repository would turn
// some of the tags that the stream has already.
func DefaultRepositoryImport(dst []TagDecision, request *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []TagDecision {
	if request == nil || request.Spec.Repository == nil {
		return dst
	}
	given := request.Spec.Repository.ImportPolicy.ImportMode
	cluster = EffectiveMode(cluster)
	in := lookup{tags: specTags(stored)}
	n := len(dst)
	dst = slices.Grow(dst, len(tags))[:n+len(tags)]
	for i, tag := range tags {
		decideImport(&dst[n+i], i, tag, given, &in, cluster, opts)
	}
	return dst
}

func decideImport(d *TagDecision, index int, tag string, given imagev1.ImportModeType, in *lookup, cluster imagev1.ImportModeType, opts Options) {
	var stored *imagev1.TagReference
	if tag != "" {
		stored = in.find(tag)
	}
	decideTag(d, index, given, stored, cluster, opts)
	d.Mode = EffectiveMode(d.Mode)
}

// targetTag returns the tag that an image is imported to: [registry[:port]/]
// path[:tag][@digest], in which a colon before the last slash is a port's.
func targetTag(image *imagev1.ImageImportSpec) string {
	if image.To != nil && image.To.Name != "" {
		return image.To.Name
	}
	name, _, _ := strings.Cut(image.From.Name, "@")
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, tag, _ := strings.Cut(name, ":")
	return tag
}
