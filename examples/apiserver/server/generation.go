package server

import (
	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/polyarch/polyarch/examples/apiserver/validation"
	"github.com/polyarch/polyarch/importmode"
)

// countGenerations counts up the generation of the stream if its spec changes,
// and gives that number to the tags that are new or changed: it is what makes
// the import controller of a cluster import them again. The server counts, so what the
// request says is not used, but for 0, by which clients ask for an import.
//
// Modes and reference policies that mean the same are no change, nor is another
// order of the tags. Annotations of a tag change the stream; the tag they change only
// where they say which image to import.
func countGenerations(stream, stored *imagev1.ImageStream, storedTags map[string]*imagev1.TagReference) {
	if stored == nil {
		stream.Generation = 1
		for i := range stream.Spec.Tags {
			stream.Spec.Tags[i].Generation = new(int64(1))
		}
		return
	}
	changed := len(stream.Spec.Tags) != len(stored.Spec.Tags) ||
		stream.Spec.LookupPolicy != stored.Spec.LookupPolicy ||
		stream.Spec.DockerImageRepository != stored.Spec.DockerImageRepository
	var changedTags []*imagev1.TagReference
	for i := range stream.Spec.Tags {
		tag := &stream.Spec.Tags[i]
		was, known := storedTags[tag.Name]
		asked := tag.Generation != nil && *tag.Generation == 0
		changed = changed || known && !equality.Semantic.DeepEqual(was.Annotations, tag.Annotations)
		if !known || asked || tagChanged(was, tag) {
			changedTags = append(changedTags, tag)
			continue
		}
		tag.Generation = was.Generation
	}
	stream.Generation = stored.Generation
	if changed || len(changedTags) > 0 {
		stream.Generation++
	}
	for _, tag := range changedTags {
		tag.Generation = new(stream.Generation)
	}
}

func tagChanged(stored, request *imagev1.TagReference) bool {
	was, is := *stored, *request
	was.Generation, is.Generation = nil, nil
	was.ImportPolicy.ImportMode = importmode.EffectiveMode(was.ImportPolicy.ImportMode)
	is.ImportPolicy.ImportMode = importmode.EffectiveMode(is.ImportPolicy.ImportMode)
	was.ReferencePolicy.Type = validation.EffectivePolicy(was.ReferencePolicy.Type)
	is.ReferencePolicy.Type = validation.EffectivePolicy(is.ReferencePolicy.Type)
	for _, preference := range []string{imagev1.ImporterPreferArchAnnotation, imagev1.ImporterPreferOSAnnotation} {
		if was.Annotations[preference] != is.Annotations[preference] {
			return true
		}
	}
	was.Annotations, is.Annotations = nil, nil
	return !equality.Semantic.DeepEqual(was, is)
}
