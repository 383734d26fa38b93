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

// TagDecision is the import mode that one tag of a request is to have. The
// caller writes Mode to the tag's importPolicy.importMode, in every case: where
// nothing changes, it is what is there already.
type TagDecision struct {
	// Index is the position of the tag in the list that was decided.
	Index int
	// Tag is the name of the tag, "" for an import that names none.
	Tag string
	// Mode may be empty: the mode of a tag that is stored without one.
	Mode   imagev1.ImportModeType
	Reason Reason
	// New says that no tag of that name is stored.
	New bool
	// Changed says that the effective mode differs from that of the stored tag,
	// as in ModeChanged. A new tag has nothing to differ from.
	Changed bool
	marks   mark
}

// EffectiveMode returns the mode under which a tag is imported: an empty one is
// Legacy. A value that is no mode comes back as it is, so that it never passes
// for one.
func EffectiveMode(m imagev1.ImportModeType) imagev1.ImportModeType {
	if m == "" {
		return imagev1.ImportModeLegacy
	}
	return m
}

// ModeChanged reports whether a tag that is stored with one mode and requested
// with another is to be imported again, under a new generation. It compares
// effective modes: an explicit Legacy on a tag that is stored with an empty mode
// is no change.
func ModeChanged(stored, request imagev1.ImportModeType) bool {
	return EffectiveMode(stored) != EffectiveMode(request)
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
// It does not allocate if dst has room and the tags that are in both lists are
// in one order, but for new tags at the end or removed ones: there it costs one
// map over the stored tags.
func DefaultImageStream(dst []TagDecision, request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) []TagDecision {
	if request == nil {
		return dst
	}
	cluster = EffectiveMode(cluster)
	in := lookup{tags: specTags(stored)}
	n := len(dst)
	dst = slices.Grow(dst, len(request.Spec.Tags))[:n+len(request.Spec.Tags)]
	for i := range request.Spec.Tags {
		t := &request.Spec.Tags[i]
		decideTag(&dst[n+i], i, t.Name, t.ImportPolicy.ImportMode, in.find(t.Name), cluster, opts)
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
// NoSpecTag and nothing is to be written. Index is always 0.
func DefaultImageStreamTag(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType, opts Options) TagDecision {
	if request == nil || request.Tag == nil {
		return TagDecision{Reason: ReasonNoSpecTag}
	}
	_, name, _ := strings.Cut(request.Name, ":")
	if name == "" {
		name = request.Tag.Name
	}
	in := lookup{tags: specTags(stored)}
	var d TagDecision
	decideTag(&d, 0, name, request.Tag.ImportPolicy.ImportMode, in.find(name), EffectiveMode(cluster), opts)
	return d
}

// decideTag fills d, which holds whatever was in the caller's memory before.
func decideTag(d *TagDecision, index int, name string, given imagev1.ImportModeType, stored *imagev1.TagReference, cluster imagev1.ImportModeType, opts Options) {
	*d = TagDecision{Index: index, Tag: name, New: stored == nil}
	if opts.IgnoreLegacy && given == imagev1.ImportModeLegacy {
		given = ""
		d.marks = legacyIgnored
	}
	switch {
	case given != "":
		d.Mode, d.Reason = given, ReasonGiven
		d.Changed = stored != nil && ModeChanged(stored.ImportPolicy.ImportMode, given)
	case stored == nil:
		d.Mode, d.Reason = cluster, ReasonClusterMode
	case stored.ImportPolicy.ImportMode == "":
		d.Reason = ReasonStoredEmpty
	default:
		d.Mode, d.Reason = stored.ImportPolicy.ImportMode, ReasonStored
		if !known(d.Mode) {
			d.marks |= unknownStored
		}
	}
}

// lookup finds stored tags by name. It costs nothing while it is asked in the
// order in which the tags are stored, and makes an index when it first is not.
type lookup struct {
	tags  []imagev1.TagReference
	next  int
	index map[string]int
}

func specTags(stream *imagev1.ImageStream) []imagev1.TagReference {
	if stream == nil {
		return nil
	}
	return stream.Spec.Tags
}

func (l *lookup) find(name string) *imagev1.TagReference {
	if l.next < len(l.tags) && l.tags[l.next].Name == name {
		l.next++
		return &l.tags[l.next-1]
	}
	if len(l.tags) == 0 {
		return nil
	}
	return l.search(name)
}

func (l *lookup) search(name string) *imagev1.TagReference {
	if l.index == nil {
		l.index = make(map[string]int, len(l.tags))
		for i := range l.tags {
			if _, twice := l.index[l.tags[i].Name]; !twice {
				l.index[l.tags[i].Name] = i
			}
		}
	}
	i, ok := l.index[name]
	if !ok {
		return nil
	}
	l.next = i + 1
	return &l.tags[i]
}
