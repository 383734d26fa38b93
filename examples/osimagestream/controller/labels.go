package controller

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// RegistryLabels reads the labels of an image from its registry.
func RegistryLabels(ctx context.Context, pullSpec string) (map[string]string, error) {
	ref, err := name.NewDigest(pullSpec)
	if err != nil {
		return nil, err
	}
	descriptor, err := remote.Get(ref, remote.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	var image v1.Image
	if descriptor.MediaType.IsIndex() {
		index, err := descriptor.ImageIndex()
		if err != nil {
			return nil, err
		}
		if image, err = firstImage(index); err != nil {
			return nil, fmt.Errorf("%s: %w", pullSpec, err)
		}
	} else if image, err = descriptor.Image(); err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	return config.Config.Labels, nil
}

// firstImage returns an image of a multi payload's index: all of them belong to
// one stream.
func firstImage(index v1.ImageIndex) (v1.Image, error) {
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	for _, child := range manifest.Manifests {
		if child.MediaType.IsImage() && child.Platform != nil && child.Platform.OS == "linux" {
			return index.Image(child.Digest)
		}
	}
	return nil, fmt.Errorf("index %v holds no Linux image", manifest.MediaType)
}
