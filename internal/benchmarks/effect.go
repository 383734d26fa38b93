package main

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

const effectTags = 10 // of each stream

func effectClaims() []claim {
	return []claim{
		// The effect of a mode change on 100 streams of ten tags, each with its list of
		// four, against one DeepCopy of the same streams.
		{name: "effect_100", limit: 1.0, setup: func() (ours, floor func() error, err error) {
			streams := make([]*imagev1.ImageStream, 100)
			for i := range streams {
				streams[i] = effectStream(strconv.Itoa(i))
			}
			manifests := effectManifests()
			room := make([]importmode.TagEffect, 0, effectTags)
			ours = func() error {
				effect := newEffect()
				for _, s := range streams {
					effect.Add(room, s, manifests)
				}
				return checkEffect(effect.Totals, len(streams))
			}
			floor = func() error {
				for _, s := range streams {
					if c := s.DeepCopy(); len(c.Spec.Tags) != effectTags || len(c.Status.Tags) != effectTags {
						return fmt.Errorf("the copy of %s has other tags", s.Name)
					}
				}
				return nil
			}
			return ours, floor, nil
		}},
		// 100,000 streams against 10,000. They pass through one object, as they do in a
		// caller that lists them page by page.
		{name: "effect_growth", limit: 12, setup: func() (ours, floor func() error, err error) {
			return effectOn(100_000), effectOn(10_000), nil
		}},
	}
}

func newEffect() importmode.Effect {
	return importmode.Effect{
		From: imagev1.ImportModeLegacy, To: imagev1.ImportModePreserveOriginal,
		Nodes: payloadarch.SetOf("amd64", "arm64"),
	}
}

// effectOn adds n streams of varying names.
func effectOn(n int) func() error {
	names := make([]string, 1000)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	s, manifests := effectStream(""), effectManifests()
	room := make([]importmode.TagEffect, 0, effectTags)
	return func() error {
		effect := newEffect()
		for i := range n {
			s.Name = names[i%len(names)]
			s.Spec.Tags[i%effectTags].From.Name = s.Name
			effect.Add(room, s, manifests)
		}
		return checkEffect(effect.Totals, n)
	}
}

// effectStream is a stream whose tags are Legacy and hold the first image of their
// lists.
func effectStream(name string) *imagev1.ImageStream {
	s := streamOf(effectTags, imagev1.ImportModeLegacy)
	s.Namespace, s.Name = "ns", name
	manifests := effectManifests()
	for i := range s.Spec.Tags {
		t := &s.Spec.Tags[i]
		t.From = &corev1.ObjectReference{Kind: "DockerImage", Name: "registry.example.com/" + name + ":" + t.Name}
		t.ReferencePolicy.Type = imagev1.LocalTagReferencePolicy
		image := manifests[i].Children[0].Digest
		s.Status.Tags = append(s.Status.Tags, imagev1.NamedTagEventList{Tag: t.Name, Items: []imagev1.TagEvent{
			{Image: image, DockerImageReference: "registry.example.com/" + name + "@" + image},
		}})
	}
	return s
}

func effectManifests() []importmode.Manifest {
	digest := func(of string, i int) string { return sha(fmt.Sprint(of, i)) }
	manifests := make([]importmode.Manifest, effectTags)
	for i := range manifests {
		manifests[i].Digest = digest("list", i)
		for k := range 4 {
			manifests[i].Children = append(manifests[i].Children, importmode.Child{Digest: digest("child", 4*i+k), Size: 1 << 20})
		}
	}
	return manifests
}

// checkEffect wants the list and three more images of each tag.
func checkEffect(t importmode.EffectTotals, streams int) error {
	tags := int64(streams) * effectTags
	if g := t.ByFixes; g.Tags != tags || g.Objects != 4*tags || g.Bytes != 3*tags<<20 || g.LayersGone != tags {
		return fmt.Errorf("%d tags come to %+v", tags, t)
	}
	return nil
}
