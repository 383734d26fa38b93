package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-containerregistry/pkg/name"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// effect asks what it takes to have all tags hold whole lists, does it, and looks
// whether that was true.
func (c *importsChapter) effect(ctx context.Context) {
	var effect importmode.Effect
	var fixes []fix
	var atFirst map[string]int
	c.w.step("The effect report: which tags stay Legacy, and what their fixes would add", func(s *step) (err error) {
		if atFirst, err = c.w.storedImages(ctx); err != nil {
			return err
		}
		effect, fixes, err = c.report(ctx)
		if err != nil {
			return err
		}
		var tags []string
		for _, f := range fixes {
			tags = append(tags, fmt.Sprintf("%s:%s %s, %d images", f.stream, f.tag.Name, f.tag.Reason, f.tag.Objects))
			s.note("oc patch is %s --type=json -p '%s'", f.stream, f.patch)
		}
		s.expect("tags that a patch would fix, and what each alone adds", tags,
			[]string{"ancient:latest ModeEmpty, 3 images", "app:before ModeGiven, 3 images", "app:unasked ModeGiven, 3 images"})
		s.expect("tags that the migration itself changes", effect.Totals.Changed, int64(0))
		s.expect("images that the patches add together, as app:after has the list of app", effect.Totals.ByFixes.Objects, int64(3))
		return nil
	})
	c.w.step("Its patches are applied: what was predicted is what is stored", func(s *step) error {
		for _, f := range fixes {
			if err := c.w.client.Patch(ctx, &imagev1.ImageStream{ObjectMeta: inNamespace(f.stream)}, client.RawPatch(types.JSONPatchType, f.patch)); err != nil {
				return err
			}
		}
		for _, tag := range []string{"ancient:latest", "app:before", "app:unasked"} {
			s.eventually(ctx, tag, c.holds(tag), "a list for amd64, arm64, ppc64le; runs on amd64, arm64")
		}
		added, err := c.w.storedImages(ctx)
		if err != nil {
			return err
		}
		var was int
		for digest, size := range atFirst {
			delete(added, digest)
			was += size
		}
		var predicted []string
		for digest, use := range effect.Digests {
			if use.ByFixes && !use.Stored {
				predicted = append(predicted, digest)
			}
		}
		slices.Sort(predicted)
		s.expect("images added in etcd are those predicted, one by one", slices.Equal(slices.Sorted(maps.Keys(added)), predicted), true)
		s.expect("how many", len(added), 3)
		var now int
		for _, size := range added {
			now += size
		}
		s.note("etcd: predicted %d objects of %d bytes, the mean of those before; measured %d keys with %d bytes in all",
			len(predicted), was/len(atFirst), len(added), now)
		again, _, err := c.report(ctx)
		if err != nil {
			return err
		}
		s.expect("tags that the report would fix now", again.Totals.ByFixes.Tags, int64(0))
		return nil
	})
}

// A fix is the patch for a tag that stays Legacy.
type fix struct {
	stream string
	tag    importmode.TagEffect
	patch  []byte
}

// report looks at every stream, and at what its tags are from in the registry.
func (c *importsChapter) report(ctx context.Context) (effect importmode.Effect, fixes []fix, err error) {
	var nodes corev1.NodeList
	var streams imagev1.ImageStreamList
	if err := c.w.client.List(ctx, &nodes); err != nil {
		return effect, nil, err
	}
	if err := c.w.client.List(ctx, &streams, client.InNamespace(namespace)); err != nil {
		return effect, nil, err
	}
	effect = importmode.Effect{
		From: imagev1.ImportModeLegacy, To: imagev1.ImportModePreserveOriginal,
		Nodes: nodearch.FromNodes(nodes.Items).All, Digests: map[string]importmode.DigestUse{},
	}
	for i := range streams.Items {
		is := &streams.Items[i]
		var manifests []importmode.Manifest
		for _, tag := range is.Spec.Tags {
			manifest, err := listed(ctx, tag.From.Name)
			if err != nil {
				return effect, nil, err
			}
			manifests = append(manifests, manifest)
		}
		for _, tag := range effect.Add(nil, is, manifests) {
			if patch := tag.JSONPatch(tag.Fix); patch != nil {
				fixes = append(fixes, fix{is.Name, tag, patch})
			}
		}
	}
	return effect, fixes, nil
}

// listed reads a list from the registry.
func listed(ctx context.Context, image string) (importmode.Manifest, error) {
	tag, err := name.NewTag(image)
	if err != nil {
		return importmode.Manifest{}, err
	}
	bytes, err := pulledIndex(ctx, tag)
	if err != nil {
		return importmode.Manifest{}, err
	}
	index, err := manifestlist.Parse(bytes)
	if err != nil {
		return importmode.Manifest{}, err
	}
	manifest := importmode.Manifest{Digest: digestOf(bytes)}
	for _, entry := range index.Manifests {
		manifest.Children = append(manifest.Children, importmode.Child{Digest: entry.Digest.String()})
	}
	return manifest, nil
}
