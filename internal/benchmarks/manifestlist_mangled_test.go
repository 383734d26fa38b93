package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/containerd/containerd/v2/core/content"
	"github.com/containerd/containerd/v2/core/images"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"go.podman.io/image/v5/manifest"

	"github.com/polyarch/polyarch/internal/mangle"
	"github.com/polyarch/polyarch/manifestlist"
)

// Of mangled indexes and manifests, containerd and containers/image read as an
// image, or refuse as ambiguous, nothing that manifestlist accepts as an index, and
// the other way round. They are what runtimes and CRI-O, podman, skopeo and buildah
// read with. FuzzMangled of manifestlist asks encoding/json.
//
// core/images/image.go of containerd 2.2.9, which is required here, is that of 2.4.2,
// which would raise the versions of Kubernetes that the other claims are held against.

var (
	imageTypes = []string{ocispec.MediaTypeImageManifest, manifest.DockerV2Schema2MediaType}
	indexTypes = []string{ocispec.MediaTypeImageIndex, manifest.DockerV2ListMediaType}
)

// blob is a content store of one document.
type blob []byte

func (b blob) ReaderAt(context.Context, ocispec.Descriptor) (content.ReaderAt, error) {
	return readerAt{bytes.NewReader(b)}, nil
}

type readerAt struct{ *bytes.Reader }

func (readerAt) Close() error { return nil }

// containerdReads returns what containerd finds in a document of that media type:
// the entries of an index, or the config and layers of an image.
func containerdReads(src []byte, mediaType string) ([]ocispec.Descriptor, error) {
	return images.Children(context.Background(), blob(src), ocispec.Descriptor{
		MediaType: mediaType, Digest: digest.FromBytes(src), Size: int64(len(src)),
	})
}

func randomEntropy(r *rand.Rand) []byte {
	entropy := make([]byte, r.IntN(40))
	for i := range entropy {
		entropy[i] = byte(r.Uint32())
	}
	return entropy
}

func TestMangledIndexesAgainstTheLibraries(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 34))
	const total = 30000
	accepted, guessed := 0, 0
	for range total {
		src := mangle.Index(randomEntropy(r))
		if guess := manifest.GuessMIMEType(src); !manifest.MIMETypeIsMultiImage(guess) {
			guessed++
		}
		x, err := manifestlist.Parse(src)
		if err != nil {
			continue
		}
		accepted++
		var want []digest.Digest
		for _, d := range x.Manifests {
			want = append(want, d.Digest)
		}
		same := func(who string, got []digest.Digest) {
			t.Helper()
			if len(got) != len(want) {
				t.Fatalf("Parse finds %d entries in %s, %s %d", len(want), src, who, len(got))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("entry %d of %s is %s for Parse, %s for %s", i, src, want[i], got[i], who)
				}
			}
		}

		if guess := manifest.GuessMIMEType(src); !manifest.MIMETypeIsMultiImage(guess) {
			t.Fatalf("containers/image takes %s, which Parse accepts, for %q", src, guess)
		}
		for _, mediaType := range imageTypes {
			if _, err := manifest.FromBlob(src, mediaType); err == nil {
				t.Fatalf("containers/image reads %s, which Parse accepts, as %s", src, mediaType)
			}
			if _, err := containerdReads(src, mediaType); err == nil {
				t.Fatalf("containerd reads %s, which Parse accepts, as %s", src, mediaType)
			}
		}
		for _, mediaType := range indexTypes {
			list, err := manifest.ListFromBlob(src, mediaType)
			if err != nil {
				t.Fatalf("containers/image refuses %s, which Parse accepts: %v", src, err)
			}
			same("containers/image", list.Instances())
			entries, err := containerdReads(src, mediaType)
			if err != nil {
				t.Fatalf("containerd refuses %s, which Parse accepts: %v", src, err)
			}
			var digests []digest.Digest
			for _, d := range entries {
				digests = append(digests, d.Digest)
			}
			same("containerd", digests)
		}
	}
	if accepted < total/5 || guessed < total/10 {
		t.Errorf("of %d indexes Parse accepts %d, and containers/image takes %d for images", total, accepted, guessed)
	}
}

func TestMangledManifestsAgainstTheLibraries(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 89))
	const total = 30000
	accepted := 0
	for range total {
		src := mangle.Manifest(randomEntropy(r))
		child := manifestlist.Child{Manifest: src, Descriptor: ocispec.Descriptor{Platform: &ocispec.Platform{OS: "linux", Architecture: "amd64"}}}
		d, _, err := manifestlist.Describe(child, manifestlist.Options{})
		if err != nil || d.MediaType != imageTypes[0] && d.MediaType != imageTypes[1] {
			continue
		}
		accepted++
		if guess := manifest.GuessMIMEType(src); manifest.MIMETypeIsMultiImage(guess) {
			t.Fatalf("containers/image takes %s, which Describe calls %s, for %q", src, d.MediaType, guess)
		}
		parts, err := containerdReads(src, d.MediaType)
		if err != nil {
			t.Fatalf("containerd refuses %s, which Describe accepts: %v", src, err)
		}
		m, err := manifest.FromBlob(src, d.MediaType)
		switch {
		case err == nil:
			if m.ConfigInfo().Digest != parts[0].Digest || len(m.LayerInfos()) != len(parts)-1 {
				t.Fatalf("containerd and containers/image read %s differently", src)
			}
		case strings.Contains(err.Error(), "ambiguous") || d.MediaType == ocispec.MediaTypeImageManifest:
			// Docker's media types of layers are containers/image's own business.
			t.Fatalf("containers/image refuses %s, which Describe accepts: %v", src, err)
		}
		for _, mediaType := range indexTypes {
			if _, err := manifest.ListFromBlob(src, mediaType); err == nil {
				t.Fatalf("containers/image reads %s, which Describe accepts, as %s", src, mediaType)
			}
			if _, err := containerdReads(src, mediaType); err == nil {
				t.Fatalf("containerd reads %s, which Describe accepts, as %s", src, mediaType)
			}
		}
	}
	if accepted < total/8 {
		t.Errorf("Describe accepts %d of %d manifests", accepted, total)
	}
}
