package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/manifestlist"
)

// imageIndexes builds images for four architectures, publishes them as one
// index on a real registry, and pulls them back.
func imageIndexes(ctx context.Context, w *world) (err error) {
	r, err := registry.Start(registry.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	builds, err := name.NewRepository(r.Host + "/builds/os")
	if err != nil {
		return err
	}
	released := builds.Registry.Repo("demo", "os")
	architectures := []string{"s390x", "amd64", "ppc64le", "arm64"}
	var images []name.Digest
	options := push.Options{}
	for _, a := range architectures {
		image, err := upload(ctx, builds, a, "release 1 for "+a)
		if err != nil {
			return err
		}
		images = append(images, image)
		options.Index.Required = append(options.Index.Required, ocispec.Platform{OS: "linux", Architecture: a})
	}

	var first manifestlist.Result
	w.step("Four images of one repository are published as an index in another", func(s *step) error {
		var err error
		if first, err = push.Push(ctx, released.Tag("latest"), images, options); err != nil {
			return err
		}
		index, err := pulledIndex(ctx, released.Tag("latest"))
		if err != nil {
			return err
		}
		s.expect("platforms of the index in the registry", platforms(index), "linux/amd64 linux/arm64 linux/ppc64le linux/s390x")
		s.expect("its digest is the one that was announced", digestOf(index), first.Descriptor.Digest.String())
		return nil
	})

	w.step("Each platform pulls its own image", func(s *step) error {
		index, err := pulledIndex(ctx, released.Tag("latest"))
		if err != nil {
			return err
		}
		parsed, err := manifestlist.Parse(index)
		if err != nil {
			return err
		}
		for _, a := range architectures {
			choice, err := manifestlist.Select(parsed.Index, ocispec.Platform{OS: "linux", Architecture: a}, manifestlist.SelectOptions{})
			if err != nil {
				return err
			}
			pulled, content, err := pull(ctx, released.Tag("latest"), a)
			if err != nil {
				return err
			}
			s.expect("linux/"+a+": content of the image", content, "release 1 for "+a)
			s.expect("linux/"+a+": the client pulls what Select chooses", pulled, choice.Digest.String())
		}
		_, err = manifestlist.Select(parsed.Index, ocispec.Platform{OS: "linux", Architecture: "riscv64"}, manifestlist.SelectOptions{})
		s.note("%v", err)
		var none *manifestlist.NoMatchError
		s.expect("linux/riscv64 gets no image, rather than a wrong one", errors.As(err, &none), true)
		return nil
	})

	w.step("One architecture is missing: nothing is published", func(s *step) error {
		_, err := push.Push(ctx, released.Tag("latest"), images[1:], options)
		s.note("%v", err)
		var e *manifestlist.Error
		s.expect("the error says which", errors.As(err, &e) && e.Code == manifestlist.MissingPlatform && strings.Contains(err.Error(), "s390x"), true)
		index, err := pulledIndex(ctx, released.Tag("latest"))
		if err != nil {
			return err
		}
		s.expect("the tag leads to the index it led to", digestOf(index), first.Descriptor.Digest.String())
		return nil
	})

	w.step("The same images in another order", func(s *step) error {
		reversed := slices.Clone(images)
		slices.Reverse(reversed)
		again, err := push.Push(ctx, released.Tag("reversed"), reversed, options)
		if err != nil {
			return err
		}
		s.expect("the digest is the same", again.Descriptor.Digest, first.Descriptor.Digest)
		return nil
	})

	w.step("arm64 is built again and replaced", func(s *step) error {
		image, err := upload(ctx, released, "arm64", "release 2 for arm64")
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
		old, err := manifestlist.Parse(first.Bytes)
		if err != nil {
			return err
		}
		updated, err := manifestlist.Update(old, []manifestlist.Child{{Manifest: got.Manifest, Config: config}}, manifestlist.Options{})
		if err != nil {
			return err
		}
		if err := remote.Tag(released.Tag("latest"), rawIndex(updated.Bytes), remote.WithContext(ctx)); err != nil {
			return err
		}
		parsed, err := manifestlist.Parse(updated.Bytes)
		if err != nil {
			return err
		}
		for i, m := range parsed.Manifests {
			s.expect("linux/"+m.Platform.Architecture+": entry unchanged", m.Digest == old.Manifests[i].Digest, m.Platform.Architecture != "arm64")
			_, content, err := pull(ctx, released.Tag("latest"), m.Platform.Architecture)
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
	return err
}

// upload builds a tiny but whole image, a config and one layer with one file,
// and pushes it by digest.
func upload(ctx context.Context, to name.Repository, architecture, content string) (name.Digest, error) {
	var layer bytes.Buffer
	zip := gzip.NewWriter(&layer)
	files := tar.NewWriter(zip)
	err := files.WriteHeader(&tar.Header{Name: "etc/release", Mode: 0o644, Size: int64(len(content)), Format: tar.FormatPAX})
	if err == nil {
		_, err = io.WriteString(files, content)
	}
	if err := errors.Join(err, files.Close(), zip.Close()); err != nil {
		return name.Digest{}, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	base, err = mutate.ConfigFile(base, &v1.ConfigFile{OS: "linux", Architecture: architecture, RootFS: v1.RootFS{Type: "layers"}})
	if err != nil {
		return name.Digest{}, err
	}
	image, err := mutate.AppendLayers(base, static.NewLayer(layer.Bytes(), types.OCILayer))
	if err != nil {
		return name.Digest{}, err
	}
	digest, err := image.Digest()
	if err != nil {
		return name.Digest{}, err
	}
	ref := to.Digest(digest.String())
	return ref, remote.Write(ref, image, remote.WithContext(ctx))
}

// pull gets the image for an architecture as a client on such a machine does,
// and returns its digest and the content of its file.
func pull(ctx context.Context, tag name.Tag, architecture string) (digest, content string, err error) {
	image, err := remote.Image(tag, remote.WithContext(ctx), remote.WithPlatform(v1.Platform{OS: "linux", Architecture: architecture}))
	if err != nil {
		return "", "", err
	}
	hash, err := image.Digest()
	if err != nil {
		return "", "", err
	}
	flat := mutate.Extract(image)
	defer flat.Close()
	files := tar.NewReader(flat)
	if _, err := files.Next(); err != nil {
		return "", "", err
	}
	data, err := io.ReadAll(files)
	return hash.String(), string(data), err
}

// pulledIndex returns the bytes that a tag leads to.
func pulledIndex(ctx context.Context, tag name.Tag) ([]byte, error) {
	got, err := remote.Get(tag, remote.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	return got.Manifest, nil
}

func rawConfig(ctx context.Context, image name.Digest) ([]byte, error) {
	img, err := remote.Image(image, remote.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	return img.RawConfigFile()
}

// platforms lists what an index offers, in its order.
func platforms(index []byte) string {
	parsed, err := manifestlist.Parse(index)
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, m := range parsed.Manifests {
		all = append(all, m.Platform.OS+"/"+m.Platform.Architecture)
	}
	return strings.Join(all, " ")
}

func digestOf(manifest []byte) string {
	hash, _, err := v1.SHA256(bytes.NewReader(manifest))
	if err != nil {
		return err.Error()
	}
	return hash.String()
}

// A rawIndex is pushed as it is, byte for byte.
type rawIndex []byte

func (r rawIndex) RawManifest() ([]byte, error)        { return r, nil }
func (r rawIndex) MediaType() (types.MediaType, error) { return types.OCIImageIndex, nil }
