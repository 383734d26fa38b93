package importmode

import (
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
)

// DefaultManagedImageStream appends to dst one decision for each of spec.tags of
// a manifest out of the release payload, in their order. Existing is the stream
// as it is in the cluster, nil if it is not there. The rules:
//
//  1. The manifest names a mode: that mode, with a finding if it takes an
//     existing PreserveOriginal back to Legacy. Given
//  2. It names none: PreserveOriginal, whether the tag exists or not, so that
//     the tag has its mode from the first sync on. Managed
//
// The cluster's mode plays no part: what the payload brings must run on every
// node the payload supports. Tags that only the existing stream has belong to
// others and are not decided.
func DefaultManagedImageStream(dst []TagDecision, manifest, existing *imagev1.ImageStream) []TagDecision {
	if manifest == nil {
		return dst
	}
	in := lookup{tags: specTags(existing)}
	n := len(dst)
	dst = slices.Grow(dst, len(manifest.Spec.Tags))[:n+len(manifest.Spec.Tags)]
	for i := range manifest.Spec.Tags {
		t := &manifest.Spec.Tags[i]
		stored := in.find(t.Name)
		d := TagDecision{Index: i, New: stored == nil, Mode: t.ImportPolicy.ImportMode, rule: ruleGiven}
		if d.Mode == "" {
			d.Mode, d.rule = imagev1.ImportModePreserveOriginal, ruleManaged
		}
		if stored != nil {
			was := stored.ImportPolicy.ImportMode
			d.Changed = ModeChanged(was, d.Mode)
			if was == imagev1.ImportModePreserveOriginal && d.Mode == imagev1.ImportModeLegacy {
				d.marks = legacyOverPreserveOriginal
			}
		}
		dst[n+i] = d
	}
	return dst
}
