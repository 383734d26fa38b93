package importmode

import (
	"encoding/json"
	"slices"
	"strconv"

	imagev1 "github.com/openshift/api/image/v1"
)

// TagEffect is what a change of the cluster's mode means for one tag. The zero value is
// of no tag.
type TagEffect struct {
	Name string
	// Index is the position in spec.tags, -1 for a tag that is only in the status.
	Index  int
	Reason EffectReason
	// Changed says that the mode by which the tag is imported differs before and after.
	Changed bool
	// Mode is the mode by which the tag is imported after the change, empty if it is
	// not imported.
	Mode imagev1.ImportModeType
	// Content is what the source of the tag holds, as far as the caller gave it.
	Content Content
	// Fix is PatchPreserveOriginal for a tag that stays Legacy although the nodes are of
	// several architectures.
	Fix Patch
	// Reverse is PatchLegacy where the tag holds or would hold a whole list, and that may
	// cost too much. ReverseBytes is PatchSource where the bytes in the internal
	// registry alone can be saved.
	Reverse, ReverseBytes Patch
	// Objects and Bytes are what this tag alone adds: Image objects, and bytes in the
	// internal registry once each image was pulled. They are 0 where Content is
	// unknown, which Totals counts apart.
	Objects, Bytes int64
	// BytesUnknown says that Bytes lacks a child whose size is not known.
	BytesUnknown bool
	// LayersGone says that the top image loses dockerImageLayers and
	// dockerImageMetadata.
	LayersGone bool
}

// decide fills in the reason, the modes and the patches, by rules 48 to 57 and 60.
func (d *TagEffect) decide(tag *imagev1.TagReference, was, is imagev1.ImportModeType, heterogeneous bool, manifest *Manifest) {
	switch {
	case tag.Reference:
		d.Reason = ReasonReference
		return
	case tag.From != nil && (tag.From.Kind == "ImageStreamTag" || tag.From.Kind == "ImageStreamImage"):
		d.Reason = ReasonFollows
		return
	case tag.From == nil || tag.From.Kind != "DockerImage":
		d.Reason = ReasonNoSource
		return
	}
	switch mode := tag.ImportPolicy.ImportMode; {
	case mode == "":
		d.Reason, d.Mode = ReasonModeEmpty, imagev1.ImportModeLegacy
	case known(mode):
		d.Reason, d.Mode = ReasonModeGiven, mode
	default:
		d.Reason, d.Mode, d.Changed = ReasonModeUnknown, is, was != is
	}
	if d.Content = manifest.content(); d.Content == ContentImage {
		return
	}
	if d.Mode == imagev1.ImportModeLegacy && heterogeneous {
		d.Fix = PatchPreserveOriginal
	}
	if d.Mode == imagev1.ImportModePreserveOriginal || d.Fix != PatchNone {
		d.Reverse = PatchLegacy
		if tag.ReferencePolicy.Type == imagev1.LocalTagReferencePolicy {
			d.ReverseBytes = PatchSource
		}
	}
}

// grows reports whether the tag comes to hold a whole list, by the change or its fix.
func (d *TagEffect) grows() bool {
	return d.Fix != PatchNone ||
		d.Changed && d.Mode == imagev1.ImportModePreserveOriginal && d.Content != ContentImage
}

// grow fills in what the tag alone adds, by rules 61 to 63.
func (d *TagEffect) grow(events []imagev1.TagEvent, manifest *Manifest, local bool) {
	if d.Content != ContentList {
		return
	}
	d.LayersGone = len(events) > 0 && events[0].Image != "" && events[0].Image != manifest.Digest
	if names(events, manifest.Digest) {
		return
	}
	d.Objects = 1
	manifest.each(func(c Child) {
		if same(c.Digest, manifest.Digest) || names(events, c.Digest) {
			return
		}
		d.Objects++
		if local {
			d.Bytes += c.Size
			d.BytesUnknown = d.BytesUnknown || c.Size == 0
		}
	})
}

// names reports whether an event names the image.
func names(events []imagev1.TagEvent, digest string) bool {
	for i := range events {
		if same(events[i].Image, digest) {
			return true
		}
	}
	return false
}

// same reports whether two digests are equal. Those that differ nearly always do so
// in their last digit too, which costs less to look at.
func same(a, b string) bool {
	n := len(a)
	return n == len(b) && (n == 0 || a[n-1] == b[n-1]) && a == b
}

// JSONPatch returns p, one of the patches of d, as a JSON patch (RFC 6902) of the image
// stream, by rule 58. It is nil for PatchNone and for a tag that is not in the spec.
func (d TagEffect) JSONPatch(p Patch) []byte {
	field, value := "", ""
	switch p {
	case PatchPreserveOriginal:
		field, value = "importPolicy/importMode", preserveOriginal
	case PatchLegacy:
		field, value = "importPolicy/importMode", legacy
	case PatchSource:
		field, value = "referencePolicy/type", string(imagev1.SourceTagReferencePolicy)
	}
	if field == "" || d.Index < 0 {
		return nil
	}
	// The fields stand in the order in which RFC 6902 shows them.
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value string `json:"value"`
	}
	at := "/spec/tags/" + strconv.Itoa(d.Index) + "/"
	text, err := json.Marshal([]operation{{"test", at + "name", d.Name}, {"add", at + field, value}})
	if err != nil { // texts alone can always be written
		return nil
	}
	return text
}

// content tells what a manifest is, by rules 59 and 60.
func (m *Manifest) content() Content {
	switch {
	case m == nil || m.Digest == "" || slices.ContainsFunc(m.Children, func(c Child) bool { return c.Digest == "" }):
		return ContentUnknown
	case len(m.Children) == 0:
		return ContentImage
	}
	return ContentList
}

// fewChildren is how many children are compared with each other. For more, a map of
// their digests costs less.
const fewChildren = 32

// each calls f with each child, of several with one digest once: with the largest known
// size, so that the order of a list plays no part, and with 0 if none is known.
func (m *Manifest) each(f func(Child)) {
	if len(m.Children) <= fewChildren {
		for i, c := range m.Children {
			if has(m.Children[:i], c.Digest) {
				continue
			}
			size := c.known()
			for _, o := range m.Children[i+1:] {
				if same(o.Digest, c.Digest) {
					size = max(size, o.known())
				}
			}
			f(Child{c.Digest, size})
		}
		return
	}
	sizes := make(map[string]int64, len(m.Children))
	for _, c := range m.Children {
		sizes[c.Digest] = max(sizes[c.Digest], c.known())
	}
	for digest, size := range sizes {
		f(Child{digest, size})
	}
}

func has(children []Child, digest string) bool {
	for i := range children {
		if same(children[i].Digest, digest) {
			return true
		}
	}
	return false
}

// known returns the size, 0 if it is not known.
func (c Child) known() int64 {
	if c.Size > maxChildSize {
		return 0
	}
	return max(c.Size, 0)
}
