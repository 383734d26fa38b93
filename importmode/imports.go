package importmode

import (
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
)

// DefaultImageStreamImport appends to dst one decision for each of spec.images
// of the request, in their order: DefaultTag with the stored tag that the image
// goes to. Stored is the image stream that is imported into, nil if there is none
// yet. The image is imported by Import, and its tag is given Store.
//
// Rule 35 says which tag an image goes to. One that goes to no tag has an empty
// name in its decision and is decided as a new tag is (rule 36).
func DefaultImageStreamImport(dst []DecidedTag, request *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []DecidedTag {
	if request == nil {
		return dst
	}
	mode := readCluster(cluster)
	in := lookupFor(len(request.Spec.Images), stored)
	n := len(dst)
	dst = slices.Grow(dst, len(request.Spec.Images))[:n+len(request.Spec.Images)]
	for i := range request.Spec.Images {
		image := &request.Spec.Images[i]
		decideImport(&dst[n+i], targetTag(image), image.ImportPolicy.ImportMode, &in, mode, opts)
	}
	return dst
}

// DefaultRepositoryImport appends to dst one decision for each of the tags that
// the import of spec.repository results in, in their order, as
// DefaultImageStreamImport decides an image that goes to that tag. Tags are the
// names that the registry listed and the caller is about to import: a single
// answer for the whole repository would change the modes of tags that the stream
// has already.
func DefaultRepositoryImport(dst []DecidedTag, request *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []DecidedTag {
	if request == nil || request.Spec.Repository == nil {
		return dst
	}
	given := request.Spec.Repository.ImportPolicy.ImportMode
	mode := readCluster(cluster)
	in := lookupFor(len(tags), stored)
	n := len(dst)
	dst = slices.Grow(dst, len(tags))[:n+len(tags)]
	for i, tag := range tags {
		decideImport(&dst[n+i], tag, given, &in, mode, opts)
	}
	return dst
}

// decideImport decides an image that goes to the named tag, or to none.
func decideImport(d *DecidedTag, tag string, given imagev1.ImportModeType, in *lookup, cluster clusterMode, opts Options) {
	var was imagev1.ImportModeType
	var isStored bool
	if tag != "" {
		was, isStored = in.find(tag)
	}
	d.Name = tag
	d.decide(given, was, isStored, cluster, opts)
}

// targetTag returns the tag that an image is imported to. The reference in
// from.name is [registry[:port]/]path[:tag][@digest], in which a colon before the
// last slash is a port's.
func targetTag(image *imagev1.ImageImportSpec) string {
	if image.To != nil && image.To.Name != "" {
		return image.To.Name
	}
	name, _, _ := strings.Cut(image.From.Name, "@")
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, tag, _ := strings.Cut(name, ":")
	return tag
}
