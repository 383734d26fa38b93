package main

import (
	"context"
	"errors"

	"github.com/google/go-containerregistry/pkg/name"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/manifestlist"
)

// An indexChapter publishes images of four architectures as one index on a real
// registry, and pulls them back.
type indexChapter struct {
	w             *world
	builds        name.Repository // where the images are
	released      name.Repository // where the index is to be
	architectures []string
	images        []name.Digest // one for each
	options       push.Options
	first         manifestlist.Result // what was published first
}

// imageIndexes tells the parts of the chapter in their order.
func imageIndexes(ctx context.Context, w *world) (err error) {
	r, err := registry.Start(registry.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()

	c := &indexChapter{w: w, architectures: []string{"s390x", "amd64", "ppc64le", "arm64"}}
	if err := c.build(ctx, r.Host); err != nil {
		return err
	}
	c.publish(ctx)
	c.pullEach(ctx)
	c.architectureMissing(ctx)
	c.anotherOrder(ctx)
	c.replace(ctx)
	return nil
}

// build makes an image for each architecture, and asks for all of them.
func (c *indexChapter) build(ctx context.Context, host string) (err error) {
	if c.builds, err = name.NewRepository(host + "/builds/os"); err != nil {
		return err
	}
	c.released = c.builds.Registry.Repo("demo", "os")
	for _, a := range c.architectures {
		image, err := upload(ctx, c.builds, a, "release 1 for "+a)
		if err != nil {
			return err
		}
		c.images = append(c.images, image)
		c.options.Index.Required = append(c.options.Index.Required, ocispec.Platform{OS: "linux", Architecture: a})
	}
	return nil
}

// publish copies the images and pushes their index.
func (c *indexChapter) publish(ctx context.Context) {
	c.w.step("Four images of one repository are published as an index in another", func(s *step) error {
		var err error
		if c.first, err = push.Push(ctx, c.released.Tag("latest"), c.images, c.options); err != nil {
			return err
		}
		index, err := pulledIndex(ctx, c.released.Tag("latest"))
		if err != nil {
			return err
		}
		s.expect("platforms of the index in the registry", platforms(index), "linux/amd64 linux/arm64 linux/ppc64le linux/s390x")
		s.expect("its digest is the one that was announced", digestOf(index), c.first.Descriptor.Digest.String())
		return nil
	})
}

// pullEach asks for the image of each architecture, and for one that is not there.
func (c *indexChapter) pullEach(ctx context.Context) {
	c.w.step("Each platform pulls its own image", func(s *step) error {
		index, err := pulledIndex(ctx, c.released.Tag("latest"))
		if err != nil {
			return err
		}
		parsed, err := manifestlist.Parse(index)
		if err != nil {
			return err
		}
		for _, a := range c.architectures {
			choice, err := manifestlist.Select(parsed.Index, ocispec.Platform{OS: "linux", Architecture: a}, manifestlist.SelectOptions{})
			if err != nil {
				return err
			}
			pulled, content, err := pull(ctx, c.released.Tag("latest"), a)
			if err != nil {
				return err
			}
			s.expect("linux/"+a+": content of the image", content, "release 1 for "+a)
			s.expect("linux/"+a+": chosen by", string(choice.Reason), string(manifestlist.ReasonExact))
			s.expect("linux/"+a+": the client pulls what Select chooses", pulled, choice.Digest.String())
		}
		_, err = manifestlist.Select(parsed.Index, ocispec.Platform{OS: "linux", Architecture: "riscv64"}, manifestlist.SelectOptions{})
		s.note("%v", err)
		var none *manifestlist.NoMatchError
		s.expect("linux/riscv64 gets no image, rather than a wrong one", errors.As(err, &none), true)
		return nil
	})
}
