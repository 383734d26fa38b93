// Package testimages makes tiny but whole images and manifest lists, and pushes them
// to the registries of tests.
package testimages

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// created is in the config of every image, so that equal arguments give equal images.
var created = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Image is an image for linux on an architecture, with one layer of that content.
func Image(t testing.TB, architecture, content string) v1.Image {
	t.Helper()
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	base, err := mutate.ConfigFile(base, &v1.ConfigFile{
		OS: "linux", Architecture: architecture, Created: v1.Time{Time: created}, Author: "tests",
		Config: v1.Config{Labels: map[string]string{"architecture": architecture}, Cmd: []string{"/bin/" + architecture}},
		RootFS: v1.RootFS{Type: "layers"},
	})
	must(t, err)
	image, err := mutate.AppendLayers(base, static.NewLayer([]byte(architecture+" "+content), types.OCIUncompressedLayer))
	must(t, err)
	return image
}

// List lists images under the platforms of their configs.
func List(t testing.TB, images ...v1.Image) v1.ImageIndex {
	t.Helper()
	var entries []mutate.IndexAddendum
	for _, image := range images {
		config, err := image.ConfigFile()
		must(t, err)
		entries = append(entries, Entry(image, config.OS, config.Architecture))
	}
	return With(empty.Index, entries...)
}

// With is the list with further entries.
func With(list v1.ImageIndex, entries ...mutate.IndexAddendum) v1.ImageIndex {
	return mutate.AppendManifests(mutate.IndexMediaType(list, types.OCIImageIndex), entries...)
}

// Entry is an entry of a list under that platform.
func Entry(of mutate.Appendable, os, architecture string) mutate.IndexAddendum {
	return mutate.IndexAddendum{Add: of, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: os, Architecture: architecture}}}
}

// Attestation is an entry as BuildKit adds one for each image.
func Attestation(t testing.TB, of v1.Image) mutate.IndexAddendum {
	t.Helper()
	entry := Entry(Image(t, "unknown", "attests "+Digest(t, of)), "unknown", "unknown")
	entry.Descriptor.Annotations = map[string]string{
		"vnd.docker.reference.type": "attestation-manifest", "vnd.docker.reference.digest": Digest(t, of),
	}
	return entry
}

// Multi is a list of one image for each architecture.
func Multi(t testing.TB, content string, architectures ...string) v1.ImageIndex {
	t.Helper()
	var images []v1.Image
	for _, a := range architectures {
		images = append(images, Image(t, a, content))
	}
	return List(t, images...)
}

// Digest is the digest of an image or of a list.
func Digest(t testing.TB, of interface{ Digest() (v1.Hash, error) }) string {
	t.Helper()
	d, err := of.Digest()
	must(t, err)
	return d.String()
}

// Entries are the digests that a list lists.
func Entries(t testing.TB, list v1.ImageIndex) []string {
	t.Helper()
	manifest, err := list.IndexManifest()
	must(t, err)
	var digests []string
	for _, entry := range manifest.Manifests {
		digests = append(digests, entry.Digest.String())
	}
	return digests
}

// Push pushes an image or a list and all that it lists under a tag.
func Push(t testing.TB, to string, what partial.WithRawManifest, options ...remote.Option) {
	t.Helper()
	ref, err := name.ParseReference(to)
	must(t, err)
	switch pushed := what.(type) {
	case v1.ImageIndex:
		must(t, remote.WriteIndex(ref, pushed, options...))
	case v1.Image:
		must(t, remote.Write(ref, pushed, options...))
	default:
		must(t, fmt.Errorf("cannot push a %T", what))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
