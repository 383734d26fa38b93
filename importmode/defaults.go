package importmode

import (
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
)

// Options changes how requests are read. The zero value takes them literally.
type Options struct {
	// IgnoreLegacy takes Legacy in the request as not given. It is for requests
	// of clients that are known to send Legacy unasked (oc import-image, oc tag
	// and oc new-app do): which client sent the request is the caller's to tell.
	// Each decision it touches shows in Findings.
	IgnoreLegacy bool
}

// DefaultImageStream appends to dst one decision for each of spec.tags of the
// request, in their order. Stored is the stream in storage, nil at create;
// cluster is the mode out of Configure, where empty means Legacy. The rules:
//
//  1. The request names a mode: that mode, also one that is none, which
//     ValidateImageStream refuses. Given
//  2. No tag of that name is stored: the cluster's mode. ClusterMode
//  3. The stored tag has a mode: that mode. Stored
//  4. The stored tag has none: it stays empty. StoredEmpty
//
// What a tag points to plays no part: references, tags without from and tags of
// other kinds follow the same rules. A stored mode that is none is kept, with a
// finding. Tag names are unique unless validation was bypassed; where a name is
// stored twice, a tag of the request goes with the stored tag that follows the
// one before it, if that has its name, else with the first of its name. So a
// request that repeats the stored list changes nothing even then.
//
// It allocates nothing if dst has room, as long as the tags of the request are
// those that are stored, in their order, or nothing is stored. The first tag that
// is not found in its place costs one map over the stored tags.
func DefaultImageStream(dst []TagDecision, request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []TagDecision {
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
		decideTag(&dst[n+i], i, t.ImportPolicy.ImportMode, in.find(t.Name), cluster, opts)
	}
	return dst
}

// DefaultImageStreamTag decides the mode of an image stream tag that is created
// or updated, by the rules of DefaultImageStream. Stored is the image stream
// that it belongs to, nil if there is none yet. The tag is looked up by what
// follows the colon in the request's name, which is how the API addresses it,
// and by tag.name if the request has no such name.
//
// A request without a spec tag leaves nothing to decide: the reason is then
// NoSpecTag and nothing is to be written.
func DefaultImageStreamTag(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) TagDecision {
	if request == nil || request.Tag == nil {
		return TagDecision{Index: -1, rule: ruleNoSpecTag}
	}
	_, name, _ := strings.Cut(request.Name, ":")
	if name == "" {
		name = request.Tag.Name
	}
	in := lookup{tags: specTags(stored)}
	var d TagDecision
	decideTag(&d, -1, request.Tag.ImportPolicy.ImportMode, in.find(name), EffectiveMode(cluster), opts)
	return d
}

// decideNew is decideTag for the most common write of all, a stream of which
// nothing is stored. Fields are set one by one, here and there: a whole
// TagDecision assigned through a pointer is built aside and then moved, which
// takes several times as long.
func decideNew(dst []TagDecision, tags []imagev1.TagReference, cluster imagev1.ImportModeType) {
	dst = dst[:len(tags)]
	for i := range tags {
		d := &dst[i]
		d.Index = i
		if given := tags[i].ImportPolicy.ImportMode; given == "" {
			d.Mode = cluster
			d.New, d.Changed, d.rule, d.marks = true, false, ruleClusterMode, 0
		} else {
			d.Mode = given
			d.New, d.Changed, d.rule, d.marks = true, false, ruleGiven, 0
		}
	}
}

// decideTag fills d, which holds whatever was in the caller's memory before.
func decideTag(d *TagDecision, index int, given imagev1.ImportModeType, stored *imagev1.TagReference, cluster imagev1.ImportModeType, opts Options) {
	d.Index, d.New, d.Changed, d.marks = index, stored == nil, false, 0
	if opts.IgnoreLegacy && given == imagev1.ImportModeLegacy {
		given = ""
		d.marks = legacyIgnored
	}
	switch {
	case given != "":
		d.Mode, d.rule = given, ruleGiven
		d.Changed = stored != nil && ModeChanged(stored.ImportPolicy.ImportMode, given)
	case stored == nil:
		d.Mode, d.rule = cluster, ruleClusterMode
	case stored.ImportPolicy.ImportMode == "":
		d.Mode, d.rule = "", ruleStoredEmpty
	default:
		d.Mode, d.rule = stored.ImportPolicy.ImportMode, ruleStored
		if !known(d.Mode) {
			d.marks |= unknownStored
		}
	}
}
