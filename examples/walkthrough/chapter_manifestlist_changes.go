package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/manifestlist"
)

// architectureMissing must not replace an index that has all of them.
func (c *indexChapter) architectureMissing(ctx context.Context) {
	c.w.step("One architecture is missing: nothing is published", func(s *step) error {
		_, err := push.Push(ctx, c.released.Tag("latest"), c.images[1:], c.options)
		s.note("%v", err)
		var e *manifestlist.IndexError
		s.expect("the error says which", errors.As(err, &e) && e.Code == manifestlist.CodeMissingPlatform && strings.Contains(err.Error(), "s390x"), true)
		index, err := pulledIndex(ctx, c.released.Tag("latest"))
		if err != nil {
			return err
		}
		s.expect("the tag leads to the index it led to", digestOf(index), c.first.Descriptor.Digest.String())
		return nil
	})
}

// anotherOrder of the images makes the same index.
func (c *indexChapter) anotherOrder(ctx context.Context) {
	c.w.step("The same images in another order", func(s *step) error {
		reversed := slices.Clone(c.images)
		slices.Reverse(reversed)
		again, err := push.Push(ctx, c.released.Tag("reversed"), reversed, c.options)
		if err != nil {
			return err
		}
		s.expect("the digest is the same", again.Descriptor.Digest, c.first.Descriptor.Digest)
		return nil
	})
}

// replace changes one image of the index, and no other.
func (c *indexChapter) replace(ctx context.Context) {
	c.w.step("arm64 is built again and replaced", func(s *step) error {
		image, err := upload(ctx, c.released, "arm64", "release 2 for arm64")
		if err != nil {
			return err
		}
		got, err := remote.Get(image, remote.WithContext(ctx))
		if err != nil {
			return err
		}
		config, err := rawConfig(ctx, image)
		if err != nil {
			return err
		}
		old, err := manifestlist.Parse(c.first.Bytes)
		if err != nil {
			return err
		}
		updated, err := manifestlist.Update(old, []manifestlist.Child{{Manifest: got.Manifest, Config: config}}, manifestlist.Options{})
		if err != nil {
			return err
		}
		if err := remote.Tag(c.released.Tag("latest"), rawIndex(updated.Bytes), remote.WithContext(ctx)); err != nil {
			return err
		}
		parsed, err := manifestlist.Parse(updated.Bytes)
		if err != nil {
			return err
		}
		for i, m := range parsed.Manifests {
			s.expect("linux/"+m.Platform.Architecture+": entry unchanged", m.Digest == old.Manifests[i].Digest, m.Platform.Architecture != "arm64")
			_, content, err := pull(ctx, c.released.Tag("latest"), m.Platform.Architecture)
			if err != nil {
				return err
			}
			want := "release 1 for " + m.Platform.Architecture
			if m.Platform.Architecture == "arm64" {
				want = "release 2 for arm64"
			}
			s.expect("linux/"+m.Platform.Architecture+": content of the image", content, want)
		}
		return nil
	})
}
