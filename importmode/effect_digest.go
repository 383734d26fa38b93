package importmode

import (
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
)

// DigestUse is what Effect remembers of a digest, for rule 65. The zero value is a digest
// that was not met. It is for Effect alone to write.
type DigestUse struct {
	// Stored says that an event names the image or a list that it belongs to. ByChange
	// and ByFixes say that a tag adds it.
	Stored, ByChange, ByFixes bool
	// The same among the tags that have their layers in the internal registry.
	LocalStored, LocalByChange bool
	// Size is the largest known size that such a tag gives it by the change or by its fix.
	Size int64
	// Children are the digests of a list, in the order in which they were met.
	Children []string
	// Digest is the key. It is a copy, since what Effect is given is a part of the
	// caller's stream.
	Digest string
}

// remember notes which images a tag has and which ones it adds, and brings the totals
// up to date. A digest whose use changes is taken out of the totals and put back in,
// so that they come out the same in any order of the streams.
func (e *Effect) remember(d *TagEffect, events []imagev1.TagEvent, manifest *Manifest, local bool) {
	if e.Digests == nil {
		return
	}
	for i := range events {
		if events[i].Image != "" {
			e.use(events[i].Image, DigestUse{Stored: true, LocalStored: local})
		}
	}
	if d.Content != ContentList {
		return
	}
	e.family(manifest)
	if !d.grows() {
		return
	}
	fixes := d.Fix != PatchNone
	e.use(manifest.Digest, DigestUse{ByChange: !fixes, ByFixes: fixes})
	manifest.each(func(c Child) {
		if c.Digest == manifest.Digest {
			return
		}
		use := DigestUse{ByChange: !fixes, ByFixes: fixes, LocalByChange: !fixes && local}
		if local {
			use.Size = c.Size
		}
		e.use(c.Digest, use)
	})
}

// family notes which children a list has. They are stored if the list is.
func (e *Effect) family(manifest *Manifest) {
	list := e.Digests[manifest.Digest]
	if slices.EqualFunc(list.Children, manifest.Children, func(known string, c Child) bool { return known == c.Digest }) {
		return
	}
	// Content under one digest is the same each time, so that what follows is for lists
	// that are met first, and for those that are given wrongly.
	children := slices.Grow(list.Children, len(manifest.Children))
	known := make(map[string]bool, len(children))
	for _, c := range children {
		known[c] = true
	}
	for _, c := range manifest.Children {
		if !known[c.Digest] {
			known[c.Digest] = true
			children = append(children, strings.Clone(c.Digest))
		}
	}
	list.Children = children
	e.keep(manifest.Digest, list)
	if list.Stored {
		for _, c := range list.Children {
			e.use(c, DigestUse{Stored: true, LocalStored: list.LocalStored})
		}
	}
}

// use joins what is known of a digest with more.
func (e *Effect) use(digest string, more DigestUse) {
	before := e.Digests[digest]
	after := before
	after.Stored = before.Stored || more.Stored
	after.ByChange = before.ByChange || more.ByChange
	after.ByFixes = before.ByFixes || more.ByFixes
	after.LocalStored = before.LocalStored || more.LocalStored
	after.LocalByChange = before.LocalByChange || more.LocalByChange
	after.Size = max(before.Size, more.Size)
	before.count(&e.Totals, -1)
	after.count(&e.Totals, 1)
	e.keep(digest, after)
	// What is new is handed on. A circle ends, since it is not new the second time.
	if after.Stored != before.Stored || after.LocalStored != before.LocalStored {
		for _, c := range after.Children {
			e.use(c, DigestUse{Stored: true, LocalStored: after.LocalStored})
		}
	}
}

// keep stores a use under the copy of its digest. A map takes over the key of each
// assignment, not only of the first.
func (e *Effect) keep(digest string, u DigestUse) {
	if u.Digest == "" {
		u.Digest = strings.Clone(digest)
	}
	e.Digests[u.Digest] = u
}

// count adds what a digest adds to the totals, so many times.
func (u DigestUse) count(t *EffectTotals, times int64) {
	switch {
	case u.Stored:
	case u.ByChange:
		t.ByChange.Objects += times
	case u.ByFixes:
		t.ByFixes.Objects += times
	}
	switch {
	case u.LocalStored:
	case u.LocalByChange:
		t.ByChange.Bytes += times * u.Size
	default: // by fixes, where there is a size
		t.ByFixes.Bytes += times * u.Size
	}
}
