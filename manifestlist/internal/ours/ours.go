// Package ours fits package manifestlist to the conformance tests.
package ours

import (
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// Impl is package manifestlist.
func Impl() manifestlisttest.Impl {
	return manifestlisttest.Impl{
		Assemble: func(children []manifestlisttest.Child, o manifestlisttest.Options) ([]byte, ocispec.Descriptor, error) {
			r, err := manifestlist.Assemble(Children(children), Options(o))
			return r.Bytes, r.Descriptor, err
		},
		Describe: func(child manifestlisttest.Child, o manifestlisttest.Options) (ocispec.Descriptor, error) {
			d, _, err := manifestlist.Describe(Children([]manifestlisttest.Child{child})[0], Options(o))
			return d, err
		},
		Update: func(index []byte, children []manifestlisttest.Child, o manifestlisttest.Options) ([]byte, ocispec.Descriptor, error) {
			x, err := manifestlist.Parse(index) // the limit of the options is for what is made
			if err != nil {
				return nil, ocispec.Descriptor{}, err
			}
			r, err := manifestlist.Update(x, Children(children), Options(o))
			return r.Bytes, r.Descriptor, err
		},
		Edit: func(index []byte, edit func(*ocispec.Index)) ([]byte, error) {
			x, err := manifestlist.Parse(index)
			if err != nil {
				return nil, err
			}
			edit(&x.Index)
			r, err := manifestlist.Update(x, nil, manifestlist.Options{})
			return r.Bytes, err
		},
		Parse: func(index []byte, limit int) (ocispec.Index, error) {
			x, err := manifestlist.ParseLimit(index, limit)
			return x.Index, err
		},
		Strict:          chooser(manifestlist.Strict),
		OpenShiftLegacy: chooser(manifestlist.OpenShiftLegacy),
		Containerd:      chooser(manifestlist.Containerd),
		ContainersImage: chooser(manifestlist.ContainersImage),
	}
}

func chooser(policy manifestlist.Policy) manifestlisttest.Chooser {
	return func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
		c, err := manifestlist.Select(index, wanted, manifestlist.SelectOptions{Policy: policy, Host: host})
		return c.Position, err
	}
}

// Children are the same children for package manifestlist.
func Children(children []manifestlisttest.Child) []manifestlist.Child {
	var all []manifestlist.Child
	for _, c := range children {
		all = append(all, manifestlist.Child{Name: c.Name, Descriptor: c.Descriptor, Manifest: c.Manifest, Config: c.Config})
	}
	return all
}

// Options are the same options for package manifestlist.
func Options(o manifestlisttest.Options) manifestlist.Options {
	return manifestlist.Options{
		Format: manifestlist.Format(o.Format), Required: o.Required, Duplicates: manifestlist.Duplicates(o.Duplicates),
		Nested: manifestlist.Nested(o.Nested), Attestations: manifestlist.Attestations(o.Attestations), Remove: o.Remove,
		Annotations: o.Annotations, ArtifactType: o.ArtifactType, Subject: o.Subject,
		ClearAnnotations: o.ClearAnnotations, SizeLimit: o.SizeLimit,
	}
}
