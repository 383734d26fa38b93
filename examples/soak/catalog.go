package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// A catalog is the lists that a registry has tags of. There are as many as there were
// at the beginning: the tags move from one to the other, and nothing grows.
type catalog struct {
	repository name.Repository
	lists      []v1.ImageIndex
	digests    []images
	children   map[string][]string // list → what it lists
}

// importedPlatform is the architecture that the server imports for Legacy.
const importedPlatform = "amd64"

// lists and their architectures.
const listsOfCatalog = 4

var listed = []string{"amd64", "arm64", "ppc64le"}

// newCatalog pushes the lists to a repository.
func newCatalog(repository string) (*catalog, error) {
	repo, err := name.NewRepository(repository)
	if err != nil {
		return nil, err
	}
	c := &catalog{repository: repo, children: map[string][]string{}}
	for i := range listsOfCatalog {
		list, digests, err := newList(fmt.Sprintf("%s %d", repo.RepositoryStr(), i))
		if err != nil {
			return nil, err
		}
		if err := remote.WriteIndex(repo.Digest(digests[0]), list); err != nil {
			return nil, err
		}
		c.lists = append(c.lists, list)
		c.digests = append(c.digests, images{preserve: digests[0], legacy: digests[1]})
		c.children[digests[0]] = digests[1:]
	}
	return c, nil
}

// newList makes a list of an image for each architecture, that of the imported platform
// first. Digests are that of the list and those of the images.
func newList(content string) (list v1.ImageIndex, digests []string, err error) {
	list = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, architecture := range listed {
		base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
		base, err = mutate.ConfigFile(base, &v1.ConfigFile{
			OS: "linux", Architecture: architecture, Created: v1.Time{Time: time.Unix(0, 0)}, RootFS: v1.RootFS{Type: "layers"},
		})
		if err != nil {
			return nil, nil, err
		}
		image, err := mutate.AppendLayers(base, static.NewLayer([]byte(strings.Repeat(content+" for "+architecture+"\n", 10)), types.OCIUncompressedLayer))
		if err != nil {
			return nil, nil, err
		}
		digest, err := image.Digest()
		if err != nil {
			return nil, nil, err
		}
		digests = append(digests, digest.String())
		list = mutate.AppendManifests(list, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}}})
	}
	digest, err := list.Digest()
	return list, append([]string{digest.String()}, digests...), err
}

// move has a tag lead to a list.
func (c *catalog) move(tag string, to int) error {
	return remote.Tag(c.repository.Tag(tag), c.lists[to])
}
