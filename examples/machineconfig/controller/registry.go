package controller

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// ImageFor returns the pull spec by digest of the image of one architecture that
// a pull spec leads to, empty if it leads to none.
func ImageFor(ctx context.Context, pullSpec, architecture string, credentials authn.Keychain) (string, error) {
	if pullSpec == "" {
		return "", nil
	}
	ref, err := name.ParseReference(pullSpec)
	if err != nil {
		return "", err
	}
	descriptor, err := remote.Get(ref, remote.WithContext(ctx), remote.WithAuthFromKeychain(credentials))
	if err != nil {
		return "", err
	}
	if descriptor.MediaType.IsIndex() {
		index, err := manifestlist.Parse(descriptor.Manifest)
		if err != nil {
			return "", fmt.Errorf("%s: %w", pullSpec, err)
		}
		choice, err := manifestlist.Select(index.Index, ocispec.Platform{OS: "linux", Architecture: architecture}, manifestlist.SelectOptions{})
		var none *manifestlist.NoMatchError
		if errors.As(err, &none) {
			return "", nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", pullSpec, err)
		}
		return ref.Context().Digest(string(choice.Digest)).String(), nil
	}
	image, err := descriptor.Image()
	if err != nil {
		return "", err
	}
	config, err := image.ConfigFile()
	if err != nil || config.Architecture != architecture {
		return "", err
	}
	return ref.Context().Digest(descriptor.Digest.String()).String(), nil
}
