package builder

import (
	"archive/tar"
	"bytes"
	"context"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// Contents reads, by architecture, the containerfile that went into each image
// that a pull spec leads to, as a node of each architecture would.
func Contents(ctx context.Context, pullSpec string, architectures ...string) (map[string]string, error) {
	all := map[string]string{}
	for _, a := range architectures {
		spec, err := controller.ImageFor(ctx, pullSpec, a, dockerconfig.Keychain{})
		if err != nil {
			return nil, err
		}
		if spec == "" {
			continue
		}
		ref, err := name.NewDigest(spec)
		if err != nil {
			return nil, err
		}
		image, err := remote.Image(ref, remote.WithContext(ctx))
		if err != nil {
			return nil, err
		}
		layers, err := image.Layers()
		if err != nil {
			return nil, err
		}
		if all[a], err = fileIn(layers[len(layers)-1]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func fileIn(layer v1.Layer) (string, error) {
	content, err := layer.Uncompressed()
	if err != nil {
		return "", err
	}
	defer content.Close()
	files := tar.NewReader(content)
	if _, err := files.Next(); err != nil {
		return "", err
	}
	var file bytes.Buffer
	if _, err := file.ReadFrom(files); err != nil {
		return "", err
	}
	return file.String(), nil
}

// Push puts an image of each architecture, and their index, under a tag, as a
// release has its OS images. What is in them is told apart by the version. It
// returns the pull spec by digest of the index.
func Push(ctx context.Context, tag, version string, architectures ...string) (string, error) {
	ref, err := name.NewTag(tag)
	if err != nil {
		return "", err
	}
	var children []manifestlist.Child
	for _, a := range architectures {
		base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
		image, err := mutate.ConfigFile(base, &v1.ConfigFile{
			OS: "linux", Architecture: a, Config: v1.Config{Labels: map[string]string{"version": version}}, RootFS: v1.RootFS{Type: "layers"},
		})
		if err != nil {
			return "", err
		}
		hash, err := image.Digest()
		if err != nil {
			return "", err
		}
		if err := remote.Write(ref.Context().Digest(hash.String()), image, remote.WithContext(ctx)); err != nil {
			return "", err
		}
		manifest, err := image.RawManifest()
		if err != nil {
			return "", err
		}
		config, err := image.RawConfigFile()
		if err != nil {
			return "", err
		}
		children = append(children, manifestlist.Child{Manifest: manifest, Config: config})
	}
	result, err := manifestlist.Assemble(children, manifestlist.Options{})
	if err != nil {
		return "", err
	}
	index := document{buildplan.Publication{Bytes: result.Bytes, MediaType: ocispec.MediaTypeImageIndex}}
	if err := remote.Put(ref, index, remote.WithContext(ctx)); err != nil {
		return "", err
	}
	return ref.Context().Digest(string(result.Descriptor.Digest)).String(), nil
}
