package manifestlist

import (
	"maps"
	"slices"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// Describe returns the descriptor that [Assemble] would write for the child, by
// rules D1 to D3: what to publish where one image needs no index. The error is an
// [IndexErrors].
func Describe(child Child, opts Options) (ocispec.Descriptor, []Finding, error) {
	a := assembly{
		opts:     Options{Format: opts.Format, Required: opts.Required, SizeLimit: opts.SizeLimit, Attestations: KeepAttestations},
		children: []Child{child},
	}
	a.checkOptions()
	a.add()
	a.checkRequired()
	a.index.MediaType = a.mediaType(nil)
	a.checkFormat(nil)
	if len(a.errs) > 0 {
		a.errs.sort()
		return ocispec.Descriptor{}, nil, a.errs
	}
	return cloneDescriptor(a.entries[0].desc), a.findings, nil
}

func cloneDescriptor(d *ocispec.Descriptor) ocispec.Descriptor {
	c := *d
	c.URLs, c.Data, c.Annotations = slices.Clone(d.URLs), slices.Clone(d.Data), maps.Clone(d.Annotations)
	if d.Platform != nil {
		p := *d.Platform
		p.OSFeatures = slices.Clone(p.OSFeatures)
		c.Platform = &p
	}
	return c
}
