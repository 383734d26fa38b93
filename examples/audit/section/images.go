package section

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	digest "github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/payloadarch"
)

// imageFacts are what an Image object says of where it runs: the entries of a list, or
// one for an image.
type imageFacts struct {
	index ocispec.Index
	list  bool
}

// readImages reads the wanted Image objects. Those that are not there stay nil.
func readImages(ctx context.Context, from source.Source, f *Facts, wanted map[string]*imageFacts) error {
	var keys []source.Key
	for name := range wanted {
		keys = append(keys, source.Key{Name: name})
	}
	slices.SortFunc(keys, func(a, b source.Key) int { return strings.Compare(a.Name, b.Name) })
	if len(keys) == 0 {
		return nil
	}
	return from.Pick(ctx, source.Images, keys, func(o source.Object) error {
		if image := into[imagev1.Image](f, source.Images, o); image != nil {
			wanted[o.Name] = factsOf(image)
		}
		return nil
	})
}

// factsOf returns nil for an image that does not say what it is for.
func factsOf(image *imagev1.Image) *imageFacts {
	facts := &imageFacts{list: len(image.DockerImageManifests) > 0}
	for _, m := range image.DockerImageManifests {
		facts.index.Manifests = append(facts.index.Manifests, ocispec.Descriptor{
			MediaType: m.MediaType, Digest: digest.Digest(m.Digest), Size: m.ManifestSize,
			Platform: &ocispec.Platform{OS: m.OS, Architecture: m.Architecture, Variant: m.Variant},
		})
	}
	if facts.list {
		return facts
	}
	var metadata struct {
		Architecture string `json:"Architecture"`
	}
	if json.Unmarshal(image.DockerImageMetadata.Raw, &metadata) != nil || metadata.Architecture == "" {
		return nil
	}
	facts.index.Manifests = []ocispec.Descriptor{{
		MediaType: ocispec.MediaTypeImageManifest, Digest: digest.Digest(image.Name), Size: 1,
		Platform: &ocispec.Platform{OS: "linux", Architecture: metadata.Architecture},
	}}
	return facts
}

// manifest is the list as importmode takes it.
func (i *imageFacts) manifest(name string) importmode.Manifest {
	m := importmode.Manifest{Digest: name}
	for _, d := range i.index.Manifests {
		m.Children = append(m.Children, importmode.Child{Digest: string(d.Digest)})
	}
	return m
}

// architectures are those that the image says it is for.
func (i *imageFacts) architectures() payloadarch.Set {
	var names []string
	for _, m := range i.index.Manifests {
		if !manifestlist.IsAttestation(m) {
			names = append(names, m.Platform.Architecture)
		}
	}
	return payloadarch.SetOf(names...)
}

// missing are the architectures of nodes for which CRI-O, which reads lists as
// containers/image does, finds no entry.
func (i *imageFacts) missing(nodes payloadarch.Set) payloadarch.Set {
	var names []string
	for arch := range nodes.All() {
		_, err := manifestlist.Select(i.index, ocispec.Platform{OS: "linux", Architecture: arch}, manifestlist.SelectOptions{Policy: manifestlist.ContainersImage})
		var none *manifestlist.NoMatchError
		if errors.As(err, &none) {
			names = append(names, arch)
		}
	}
	return payloadarch.SetOf(names...)
}
