package controller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/operator"
)

// inspect returns the labels of the images that can be inspected, and why others
// cannot. All pull specs are digests, so what was read once is true as long as the
// release has the image, and only what it did not have before costs a request.
func (r *Streams) inspect(ctx context.Context, images []string) (map[string]map[string]string, error) {
	labels := make(map[string]map[string]string, len(images))
	var errs []error
	for _, image := range images {
		known, ok := r.inspected[image]
		if !ok {
			var err error
			if known, err = r.Labels(ctx, image); err != nil {
				errs = append(errs, fmt.Errorf("inspecting %s: %w", image, err))
				continue
			}
		}
		labels[image] = known
	}
	r.inspected = maps.Clone(labels)
	return labels, errors.Join(errs...)
}

// PullSecret is where a cluster keeps its credentials for registries.
var PullSecret = client.ObjectKey{Namespace: "openshift-config", Name: "pull-secret"}

// Registry reads the labels of images from their registries, with the credentials
// of the cluster's pull secret.
type Registry struct {
	// Secrets reads the pull secret. If the cluster has none, no credentials are
	// sent.
	Secrets client.Reader
}

// Labels returns the labels of an image, or of an index's first image for Linux:
// all of a multi payload's images belong to one stream.
func (r Registry) Labels(ctx context.Context, pullSpec string) (map[string]string, error) {
	ref, err := name.NewDigest(pullSpec)
	if err != nil {
		return nil, err
	}
	credentials, err := operator.Credentials(ctx, r.Secrets, PullSecret)
	if err != nil {
		return nil, err
	}
	descriptor, err := remote.Get(ref, remote.WithContext(ctx), remote.WithAuthFromKeychain(credentials))
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
			return nil, err
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

func firstImage(index v1.ImageIndex) (v1.Image, error) {
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(manifest.Manifests, func(child v1.Descriptor) bool {
		return child.MediaType.IsImage() && child.Platform != nil && child.Platform.OS == "linux"
	})
	if i < 0 {
		return nil, fmt.Errorf("index %v holds no Linux image", manifest.MediaType)
	}
	return index.Image(manifest.Manifests[i].Digest)
}
