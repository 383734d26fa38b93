package importmode

import (
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
)

// DefaultManagedImageStream appends to dst one decision for each of spec.tags of
// a manifest out of the release payload, in their order: DefaultManagedTag with
// the existing tag of that name (rule 32). Existing is the stream as it is in the
// cluster, nil if it is not there.
//
// The cluster's mode plays no part: what the payload brings must run on every
// node that the payload supports. A tag that only the existing stream has belongs
// to somebody else and is not decided (rule 37).
func DefaultManagedImageStream(dst []DecidedTag, manifest, existing *imagev1.ImageStream) []DecidedTag {
	if manifest == nil {
		return dst
	}
	in := lookupFor(len(manifest.Spec.Tags), existing)
	n := len(dst)
	dst = slices.Grow(dst, len(manifest.Spec.Tags))[:n+len(manifest.Spec.Tags)]
	for i := range manifest.Spec.Tags {
		t := &manifest.Spec.Tags[i]
		was, isStored := in.find(t.Name)
		dst[n+i] = DecidedTag{t.Name, DefaultManagedTag(t.ImportPolicy.ImportMode, was, isStored)}
	}
	return dst
}
