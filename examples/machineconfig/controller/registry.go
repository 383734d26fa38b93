package controller

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
)

// ImageFor returns the pull spec by digest of the image of one architecture that
// a pull spec leads to, empty if it leads to none.
func ImageFor(ctx context.Context, pullSpec, architecture string) (string, error) {
	if pullSpec == "" {
		return "", nil
	}
	ref, err := name.ParseReference(pullSpec)
	if err != nil {
		return "", err
	}
	descriptor, err := remote.Get(ref, remote.WithContext(ctx))
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

// Exists reports whether the registry has an image and lets us read it. Any other
// trouble is an error: a registry that does not answer has lost nothing.
func Exists(ctx context.Context, pullSpec string) (bool, error) {
	ref, err := name.NewDigest(pullSpec)
	if err != nil {
		return false, err
	}
	_, err = remote.Head(ref, remote.WithContext(ctx))
	var answer *transport.Error
	if errors.As(err, &answer) {
		switch answer.StatusCode {
		case http.StatusNotFound, http.StatusUnauthorized, http.StatusForbidden:
			return false, nil
		}
	}
	return err == nil, err
}
