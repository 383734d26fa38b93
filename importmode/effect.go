package importmode

import (
	"slices"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// Effect tells what a change of the cluster's mode does to image streams, and what it
// would take to have the other tags import whole manifest lists too, by rules 47 to
// 66. The caller sets what changes, adds one stream after the other and reads the
// totals at any time:
//
//	effect := importmode.Effect{From: imagev1.ImportModeLegacy, To: imagev1.ImportModePreserveOriginal, Nodes: nodes}
//	for stream := range streams {
//		tags = effect.Add(tags[:0], stream, manifests(stream))
//	}
//
// It keeps nothing of a stream but numbers, unless it is given Digests. The totals do
// not depend on the order of the streams. The zero value is Legacy before and after, on
// nodes that are not known: nothing changes, and nothing is to be fixed.
type Effect struct {
	// From and To are the cluster's mode before and after the change.
	From, To imagev1.ImportModeType
	// Nodes is the set of the architectures of the nodes that images run on, those of
	// today or those that are planned. Fixes are given where it holds several.
	Nodes payloadarch.Set
	// Digests makes the totals exact for images that several tags share. The caller
	// makes the map, empty, before the first stream. It takes memory for each digest of
	// the streams and of the manifests that are given.
	Digests map[string]DigestUse
	// Totals is what the streams that were added come to.
	Totals EffectTotals
}

// Manifest is what the source of a tag holds in its registry. The zero value is not
// known.
type Manifest struct {
	// Digest is the digest of the list, or of the single image. It is empty if it is
	// not known.
	Digest string
	// Children are the entries of the list, attestations included, since an import
	// stores them as well. A single image has none.
	Children []Child
}

// Child is an entry of a manifest list.
type Child struct {
	// Digest is the digest of the image that is stored. An entry that is a list itself is
	// reduced to one of its images, as Legacy would: it is that image's.
	Digest string
	// Size is how many bytes a pull of the image copies into the internal registry:
	// its layers and its configuration. 0 is not known.
	Size int64
}

// maxChildSize is the largest size that is believed, so that sums stay in range.
const maxChildSize = 1 << 40

// Add counts the tags of a stream as it is stored, and appends one verdict for each to
// dst: those of spec.tags in their order, then those that only status.tags has, in
// theirs. Manifests are those of spec.tags, at the same positions. Where they end, the
// manifests of the other tags are not known.
//
// It allocates nothing if dst has room, digests are not remembered, no list has more than
// 32 children, and spec.tags and status.tags are in the same order or have at most 32
// tags each.
func (e *Effect) Add(dst []TagEffect, stream *imagev1.ImageStream, manifests []Manifest) []TagEffect {
	if stream == nil {
		return dst
	}
	e.Totals.Streams++
	if stream.Spec.DockerImageRepository != "" {
		e.Totals.Repositories++
	}
	was, is := readCluster(e.From).mode, readCluster(e.To).mode
	heterogeneous := e.Nodes.Len() > 1
	specOf := finder[imagev1.TagReference]{items: stream.Spec.Tags, name: specName}
	statusOf := finder[imagev1.NamedTagEventList]{items: stream.Status.Tags, name: statusName}
	dst = slices.Grow(dst, len(stream.Spec.Tags))
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		var manifest *Manifest
		if i < len(manifests) {
			manifest = &manifests[i]
		}
		dst = append(dst, TagEffect{Name: tag.Name, Index: i})
		d := &dst[len(dst)-1]
		d.decide(tag, was, is, heterogeneous, manifest)
		var events []imagev1.TagEvent
		if list := statusOf.find(tag.Name); list != nil {
			events = list.Items
		}
		local := tag.ReferencePolicy.Type == imagev1.LocalTagReferencePolicy
		if d.grows() {
			d.grow(events, manifest, local)
		}
		e.count(d)
		e.remember(d, events, manifest, local)
	}
	for i := range stream.Status.Tags {
		list := &stream.Status.Tags[i]
		if specOf.find(list.Tag) != nil {
			continue
		}
		dst = append(dst, TagEffect{Name: list.Tag, Index: -1, Reason: ReasonStatusOnly})
		d := &dst[len(dst)-1]
		e.count(d)
		// The internal registry is where a pushed image lives.
		e.remember(d, list.Items, nil, true)
	}
	return dst
}

// count adds a tag to the totals.
func (e *Effect) count(d *TagEffect) {
	t := &e.Totals
	t.Tags++
	t.Reasons[d.Reason]++
	if d.Changed {
		t.Changed++
	}
	if g := t.growth(d); g != nil {
		g.Tags++
		if d.Content == ContentUnknown {
			g.Unknown++
		}
		if d.BytesUnknown {
			g.BytesUnknown++
		}
		if d.LayersGone {
			g.LayersGone++
		}
		if e.Digests == nil {
			g.Objects += d.Objects
			g.Bytes += d.Bytes
		}
	}
}

// EffectTotals is what the tags of all streams come to. In the zero value, no stream
// was added.
type EffectTotals struct {
	Streams, Tags int64
	// Repositories is the number of streams with spec.dockerImageRepository. Tags that
	// are found there later are new tags, and get the mode after the change.
	Repositories int64
	// Changed is the number of tags that are imported by another mode after the change.
	// All others stay as they are.
	Changed int64
	// Reasons is the number of tags of each reason: Reasons[ReasonModeEmpty].
	Reasons [ReasonStatusOnly + 1]int64
	// ByChange is what the tags add that change to PreserveOriginal, at their next
	// import.
	ByChange Growth
	// ByFixes is what the fixes would add, on top of ByChange. ByFixes.Tags is the
	// number of tags that stay Legacy although the nodes are of several architectures.
	ByFixes Growth
}

// growth returns where the tag's growth is counted, nil if it has none.
func (t *EffectTotals) growth(d *TagEffect) *Growth {
	switch {
	case d.Fix != PatchNone:
		return &t.ByFixes
	case d.grows():
		return &t.ByChange
	}
	return nil
}

// Growth is what tags add when they are imported as PreserveOriginal.
type Growth struct {
	Tags int64
	// Unknown is the number of those tags whose manifest is not known. They are in
	// none of the numbers below.
	Unknown int64
	// Objects is the number of Image objects.
	Objects int64
	// Bytes is how much the internal registry grows when each added image was pulled.
	// It is predicted: an import copies no layers, and layers that images share are
	// stored once.
	Bytes int64
	// BytesUnknown is the number of tags with referencePolicy Local some of whose
	// children have no known size. Their other children are in Bytes.
	BytesUnknown int64
	// LayersGone is the number of tags whose top image loses dockerImageLayers and
	// dockerImageMetadata, which are on the images of its children then.
	LayersGone int64
}
