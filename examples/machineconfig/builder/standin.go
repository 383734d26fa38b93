package builder

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"maps"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/polyarch/polyarch/examples/machineconfig/controller"
)

// standIn makes the image without running anything: the base image, the rendered
// config where the containerfile would have put it, and the labels.
func standIn(ctx context.Context, o order, base v1.Image) (digest string, err error) {
	rendered, err := gunzip(o.machineConf)
	if err != nil {
		return "", err
	}
	layer, err := layerOf(file{controller.CurrentConfig, 0o644, rendered})
	if err != nil {
		return "", err
	}
	image, err := mutate.AppendLayers(base, layer)
	if err != nil {
		return "", err
	}
	stored, err := image.ConfigFile()
	if err != nil {
		return "", err
	}
	config := stored.DeepCopy()
	if config.Config.Labels == nil {
		config.Config.Labels = map[string]string{}
	}
	for line := range strings.Lines(o.containerfile) {
		if label, is := strings.CutPrefix(line, "LABEL "); is {
			key, value, _ := strings.Cut(strings.TrimSpace(label), "=")
			config.Config.Labels[key] = value
		}
	}
	maps.Copy(config.Config.Labels, o.labels)
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return "", err
	}
	tag, err := name.NewTag(o.pushSpec)
	if err != nil {
		return "", err
	}
	hash, err := image.Digest()
	if err != nil {
		return "", err
	}
	return hash.String(), remote.Write(tag, image, remote.WithContext(ctx), remote.WithAuthFromKeychain(o.keys.push))
}

func gunzip(text string) ([]byte, error) {
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// A file of a layer.
type file struct {
	path    string
	mode    int64
	content []byte
}

func layerOf(files ...file) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		header := &tar.Header{Name: strings.TrimPrefix(f.path, "/"), Mode: f.mode, Size: int64(len(f.content)), Format: tar.FormatPAX}
		if strings.HasSuffix(f.path, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return static.NewLayer(b.Bytes(), types.OCIUncompressedLayer), nil
}
