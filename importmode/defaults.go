package importmode

import (
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
)

// DefaultImageStream appends to dst one decision for each of spec.tags of the
// request, in their order: DefaultTag with the stored tag of that name. Stored is
// the stream in storage, nil at create; cluster is the mode out of Configure.
//
// Rule 32 says which stored tag has that name. What a tag points to plays no part
// (rule 28).
//
// It allocates nothing if dst has room, as long as the tags of the request are
// those that are stored, in their order, or nothing is stored, or the request has one
// tag. Otherwise the first tag that is not found in its place costs one map over the
// stored tags.
func DefaultImageStream(dst []DecidedTag, request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []DecidedTag {
	if request == nil {
		return dst
	}
	mode := readCluster(cluster)
	in := lookupFor(len(request.Spec.Tags), stored)
	n := len(dst)
	dst = slices.Grow(dst, len(request.Spec.Tags))[:n+len(request.Spec.Tags)]
	if len(in.tags) == 0 && !opts.IgnoreLegacy {
		decideNew(dst[n:], request.Spec.Tags, mode)
		return dst
	}
	for i := range request.Spec.Tags {
		t := &request.Spec.Tags[i]
		was, isStored := in.find(t.Name)
		d := &dst[n+i]
		d.Name = t.Name
		d.decide(t.ImportPolicy.ImportMode, was, isStored, mode, opts)
	}
	return dst
}

// DefaultImageStreamTag decides the mode of an image stream tag that is created
// or updated, as DefaultImageStream decides a tag. Stored is the image stream
// that it belongs to, nil if there is none yet. Rule 33 says which of its tags is
// meant.
//
// A request without a spec tag leaves nothing to decide (rule 34): the reason is
// then ReasonNoSpecTag, and nothing is to be written.
func DefaultImageStreamTag(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) TagDecision {
	if request == nil || request.Tag == nil {
		return TagDecision{Reason: ReasonNoSpecTag}
	}
	_, name, _ := strings.Cut(request.Name, ":")
	if name == "" {
		name = request.Tag.Name
	}
	in := lookupFor(1, stored)
	was, isStored := in.find(name)
	return DefaultTag(request.Tag.ImportPolicy.ImportMode, was, isStored, cluster, opts)
}

// decideNew is TagDecision.decide for the most common write of all, a stream of
// which nothing is stored.
func decideNew(dst []DecidedTag, tags []imagev1.TagReference, cluster clusterMode) {
	dst = dst[:len(tags)]
	for i := range tags {
		d := &dst[i]
		d.Name = tags[i].Name
		d.New, d.Changed = true, false
		d.LegacyIgnored, d.UnknownStored, d.UnknownCluster, d.LegacyOverPreserveOriginal = false, false, false, false
		given := tags[i].ImportPolicy.ImportMode
		if given == "" {
			d.Import, d.Store, d.Reason = cluster.mode, cluster.mode, ReasonClusterMode
			d.UnknownCluster = cluster.unknown
			continue
		}
		d.Import, d.Store, d.Reason = given, given, ReasonGiven
		if !known(given) {
			d.Import, d.UnknownCluster = cluster.mode, cluster.unknown
		}
	}
}
