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
// Rule 30 says which stored tag has that name. What a tag points to plays no part
// (rule 26).
//
// It allocates nothing if dst has room, as long as the tags of the request are
// those that are stored, in their order, or nothing is stored. The first tag that
// is not found in its place costs one map over the stored tags.
func DefaultImageStream(dst []DecidedTag, request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []DecidedTag {
	if request == nil {
		return dst
	}
	cluster = EffectiveMode(cluster)
	in := lookup{tags: specTags(stored)}
	n := len(dst)
	dst = slices.Grow(dst, len(request.Spec.Tags))[:n+len(request.Spec.Tags)]
	if len(in.tags) == 0 && !opts.IgnoreLegacy {
		decideNew(dst[n:], request.Spec.Tags, cluster)
		return dst
	}
	for i := range request.Spec.Tags {
		t := &request.Spec.Tags[i]
		was, isStored := in.find(t.Name)
		d := &dst[n+i]
		d.Name = t.Name
		d.decide(t.ImportPolicy.ImportMode, was, isStored, cluster, opts)
	}
	return dst
}

// DefaultImageStreamTag decides the mode of an image stream tag that is created
// or updated, as DefaultImageStream decides a tag. Stored is the image stream
// that it belongs to, nil if there is none yet. Rule 31 says which of its tags is
// meant.
//
// A request without a spec tag leaves nothing to decide (rule 32): the reason is
// then ReasonNoSpecTag, and nothing is to be written.
func DefaultImageStreamTag(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) TagDecision {
	if request == nil || request.Tag == nil {
		return TagDecision{Reason: ReasonNoSpecTag}
	}
	_, name, _ := strings.Cut(request.Name, ":")
	if name == "" {
		name = request.Tag.Name
	}
	in := lookup{tags: specTags(stored)}
	was, isStored := in.find(name)
	return DefaultTag(request.Tag.ImportPolicy.ImportMode, was, isStored, cluster, opts)
}

// decideNew is TagDecision.decide for the most common write of all, a stream of
// which nothing is stored.
func decideNew(dst []DecidedTag, tags []imagev1.TagReference, cluster imagev1.ImportModeType) {
	dst = dst[:len(tags)]
	for i := range tags {
		d := &dst[i]
		d.Name = tags[i].Name
		d.New, d.Changed = true, false
		d.LegacyIgnored, d.UnknownStored, d.LegacyOverPreserveOriginal = false, false, false
		if given := tags[i].ImportPolicy.ImportMode; given == "" {
			d.Import, d.Store, d.Reason = cluster, cluster, ReasonClusterMode
		} else {
			d.Import, d.Store, d.Reason = given, given, ReasonGiven
		}
	}
}
