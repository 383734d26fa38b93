package builder

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"
	"runtime"

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

// Pull returns the image that a node of an architecture gets of a pull spec, nil if
// it gets none.
func Pull(ctx context.Context, pullSpec, architecture string) (v1.Image, error) {
	spec, err := controller.ImageFor(ctx, pullSpec, architecture, dockerconfig.Keychain{})
	if err != nil || spec == "" {
		return nil, err
	}
	ref, err := name.NewDigest(spec)
	if err != nil {
		return nil, err
	}
	return remote.Image(ref, remote.WithContext(ctx))
}

// Labels reads, by architecture, the labels of each image that a pull spec leads to.
func Labels(ctx context.Context, pullSpec string, architectures ...string) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	for _, a := range architectures {
		image, err := Pull(ctx, pullSpec, a)
		if err != nil {
			return nil, err
		}
		if image == nil {
			continue
		}
		config, err := image.ConfigFile()
		if err != nil {
			return nil, err
		}
		all[a] = config.Config.Labels
	}
	return all, nil
}

// Contents reads, by architecture, the containerfile that went into each image that
// a pull spec leads to.
func Contents(ctx context.Context, pullSpec string, architectures ...string) (map[string]string, error) {
	labels, err := Labels(ctx, pullSpec, architectures...)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for a := range labels {
		all[a] = labels[a][LabelContainerfile]
	}
	return all, nil
}

// ReadFile returns the content of a file of an image, empty if there is no such
// file.
func ReadFile(image v1.Image, path string) (string, error) {
	flat := mutate.Extract(image)
	defer flat.Close()
	files := tar.NewReader(flat)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if "/"+header.Name == path {
			content, err := io.ReadAll(files)
			return string(content), err
		}
	}
}

// Push puts an image of each architecture, and their index, under a tag, as a
// release has its OS images. What is in them is told apart by the version. With the
// path of a shell, the one of this machine's architecture can run commands. Push
// returns the pull spec by digest of the index.
func Push(ctx context.Context, tag, version, shell string, architectures ...string) (string, error) {
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
		if shell != "" && a == runtime.GOARCH {
			if image, err = withShell(image, shell); err != nil {
				return "", err
			}
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

// withShell returns the image with a program at /bin/sh.
func withShell(base v1.Image, shell string) (v1.Image, error) {
	program, err := os.ReadFile(shell)
	if err != nil {
		return nil, err
	}
	layer, err := layerOf(file{"/bin/", 0o755, nil}, file{"/bin/sh", 0o755, program}, file{"/etc/", 0o755, nil}, file{"/tmp/", 0o1777, nil})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(base, layer)
}
