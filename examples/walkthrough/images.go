package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/polyarch/polyarch/manifestlist"
)

// upload builds a tiny but whole image, a config and one layer with one file,
// and pushes it by digest.
func upload(ctx context.Context, to name.Repository, architecture, content string) (name.Digest, error) {
	var layer bytes.Buffer
	zip := gzip.NewWriter(&layer)
	files := tar.NewWriter(zip)
	err := files.WriteHeader(&tar.Header{Name: "etc/release", Mode: 0o644, Size: int64(len(content)), Format: tar.FormatPAX})
	if err == nil {
		_, err = io.WriteString(files, content)
	}
	if err := errors.Join(err, files.Close(), zip.Close()); err != nil {
		return name.Digest{}, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	base, err = mutate.ConfigFile(base, &v1.ConfigFile{OS: "linux", Architecture: architecture, RootFS: v1.RootFS{Type: "layers"}})
	if err != nil {
		return name.Digest{}, err
	}
	image, err := mutate.AppendLayers(base, static.NewLayer(layer.Bytes(), types.OCILayer))
	if err != nil {
		return name.Digest{}, err
	}
	digest, err := image.Digest()
	if err != nil {
		return name.Digest{}, err
	}
	ref := to.Digest(digest.String())
	return ref, remote.Write(ref, image, remote.WithContext(ctx))
}

// pull gets the image for an architecture as a client on such a machine does,
// and returns its digest and the content of its file.
func pull(ctx context.Context, tag name.Tag, architecture string) (digest, content string, err error) {
	image, err := remote.Image(tag, remote.WithContext(ctx), remote.WithPlatform(v1.Platform{OS: "linux", Architecture: architecture}))
	if err != nil {
		return "", "", err
	}
	hash, err := image.Digest()
	if err != nil {
		return "", "", err
	}
	flat := mutate.Extract(image)
	defer flat.Close()
	files := tar.NewReader(flat)
	if _, err := files.Next(); err != nil {
		return "", "", err
	}
	data, err := io.ReadAll(files)
	return hash.String(), string(data), err
}

// pulledIndex returns the bytes that a tag leads to.
func pulledIndex(ctx context.Context, tag name.Tag) ([]byte, error) {
	got, err := remote.Get(tag, remote.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	return got.Manifest, nil
}

func rawConfig(ctx context.Context, image name.Digest) ([]byte, error) {
	img, err := remote.Image(image, remote.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	return img.RawConfigFile()
}

// platforms lists what an index offers, in its order.
func platforms(index []byte) string {
	parsed, err := manifestlist.Parse(index)
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, m := range parsed.Manifests {
		all = append(all, m.Platform.OS+"/"+m.Platform.Architecture)
	}
	return strings.Join(all, " ")
}

func digestOf(manifest []byte) string {
	hash, _, err := v1.SHA256(bytes.NewReader(manifest))
	if err != nil {
		return err.Error()
	}
	return hash.String()
}

// A rawIndex is pushed as it is, byte for byte.
type rawIndex []byte

func (r rawIndex) RawManifest() ([]byte, error)        { return r, nil }
func (r rawIndex) MediaType() (types.MediaType, error) { return types.OCIImageIndex, nil }
