package push_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/manifestlist"
)

var architectures = []string{"amd64", "arm64", "ppc64le", "s390x"}

// image is tiny but whole: a config and one layer of one file.
func image(t testing.TB, architecture, content string) v1.Image {
	t.Helper()
	var layer bytes.Buffer
	zip := gzip.NewWriter(&layer)
	files := tar.NewWriter(zip)
	must(t, files.WriteHeader(&tar.Header{Name: "etc/architecture", Mode: 0o644, Size: int64(len(content)), Format: tar.FormatPAX}))
	_, err := files.Write([]byte(content))
	must(t, err)
	must(t, files.Close())
	must(t, zip.Close())
	return imageOf(t, architecture, layer.Bytes())
}

// imageOf puts the config first and appends the layer, which records its diff ID.
func imageOf(t testing.TB, architecture string, layer []byte) v1.Image {
	t.Helper()
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	base, err := mutate.ConfigFile(base, &v1.ConfigFile{
		OS: "linux", Architecture: architecture, Config: v1.Config{Labels: map[string]string{"architecture": architecture}},
		RootFS: v1.RootFS{Type: "layers"},
	})
	must(t, err)
	img, err := mutate.AppendLayers(base, static.NewLayer(layer, types.OCILayer))
	must(t, err)
	return img
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start runs a registry until the end of the test.
func start(t testing.TB, wrap func(http.Handler) http.Handler) *registry.Registry {
	t.Helper()
	r, err := registry.Start(registry.Options{Wrap: wrap})
	must(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("registry: %v", err)
		}
	})
	return r
}

// build pushes an image of each architecture by digest, as a build would.
func build(t testing.TB, repository, content string) []name.Digest {
	t.Helper()
	var all []name.Digest
	for _, a := range architectures {
		all = append(all, upload(t, repository, image(t, a, a+" "+content)))
	}
	return all
}

func upload(t testing.TB, repository string, img v1.Image) name.Digest {
	t.Helper()
	repo, err := name.NewRepository(repository)
	must(t, err)
	h, err := img.Digest()
	must(t, err)
	must(t, remote.Write(repo.Digest(h.String()), img, quick()...))
	return repo.Digest(h.String())
}

func tag(t testing.TB, s string) name.Tag {
	t.Helper()
	ref, err := name.NewTag(s)
	must(t, err)
	return ref
}

// quick gives up at once where a test cuts connections.
func quick() []remote.Option {
	return []remote.Option{
		remote.WithJobs(1), remote.WithRetryBackoff(remote.Backoff{Duration: time.Millisecond, Steps: 1}), remote.WithTransport(&http.Transport{DisableKeepAlives: true}),
	}
}

func options(required ...string) push.Options {
	opts := push.Options{Remote: quick()}
	for _, a := range required {
		opts.Index.Required = append(opts.Index.Required, ocispec.Platform{OS: "linux", Architecture: a})
	}
	return opts
}

// pullable fetches everything that the tag leads to, and returns the digest of
// the index and the content of the file for each architecture.
func pullable(t testing.TB, ref name.Tag) (string, map[string]string) {
	t.Helper()
	d, err := remote.Get(ref, quick()...)
	must(t, err)
	index, err := manifestlist.Parse(d.Manifest)
	must(t, err)
	contents := map[string]string{}
	for _, m := range index.Manifests {
		img, err := remote.Image(ref.Context().Digest(string(m.Digest)), quick()...)
		must(t, err)
		contents[m.Platform.Architecture] = file(t, img)
	}
	return d.Digest.String(), contents
}

// file reads the one file of an image, and with it every blob.
func file(t testing.TB, img v1.Image) string {
	t.Helper()
	config, err := img.ConfigFile()
	must(t, err)
	layers, err := img.Layers()
	must(t, err)
	blob, err := layers[0].Compressed()
	must(t, err)
	defer blob.Close()
	zip, err := gzip.NewReader(blob)
	must(t, err)
	files := tar.NewReader(zip)
	_, err = files.Next()
	must(t, err)
	content, err := io.ReadAll(files)
	must(t, err)
	if config.OS != "linux" {
		t.Errorf("os %q", config.OS)
	}
	return string(content)
}
