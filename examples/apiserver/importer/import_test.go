package importer_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/openshift/api/image/docker10"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

// A counted registry knows what was asked of it, without /v2/.
type counted struct {
	host  string
	delay time.Duration
	mu    sync.Mutex
	asked []string
}

func (c *counted) requests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.asked = nil }()
	return c.asked
}

func start(t testing.TB) *counted {
	t.Helper()
	c := &counted{}
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path != "/v2/" {
			c.mu.Lock()
			c.asked = append(c.asked, r.URL.Path)
			c.mu.Unlock()
		}
		time.Sleep(c.delay)
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c.host = strings.TrimPrefix(server.URL, "http://")
	return c
}

func session(o importer.Options) *importer.Session {
	o.Host = ocispec.Platform{OS: "linux", Architecture: "amd64"}
	return importer.New(o).Session(importer.Policy{}, nil)
}

func TestModes(t *testing.T) {
	t.Parallel()
	r := start(t)
	amd64, arm64, s390x := testimages.Image(t, "amd64", "x"), testimages.Image(t, "arm64", "x"), testimages.Image(t, "s390x", "x")
	list := testimages.List(t, amd64, arm64, s390x)
	attested := testimages.With(testimages.List(t, amd64, arm64), testimages.Attestation(t, amd64), testimages.Attestation(t, arm64))
	nested := testimages.With(testimages.List(t, amd64), testimages.Entry(testimages.List(t, s390x, arm64), "linux", "arm64"))
	windows := testimages.With(empty.Index, testimages.Entry(s390x, "windows", "s390x"))
	for tag, what := range map[string]interface{ RawManifest() ([]byte, error) }{"list": list, "single": arm64, "attested": attested, "nested": nested, "windows": windows} {
		testimages.Push(t, r.host+"/x/y:"+tag, what)
	}
	entriesOf := func(digests []string) string { return strings.Join(digests, " ") }
	d := func(of interface{ Digest() (v1.Hash, error) }) string { return testimages.Digest(t, of) }
	for _, c := range []struct {
		name     string
		wish     importer.Wish
		image    string // the digest that the tag points to
		children string
		notes    string
		requests int
	}{
		{"1: Legacy takes the host's image", importer.Wish{From: "list", Mode: legacy}, d(amd64), "", "", 3},
		{"1: empty is Legacy", importer.Wish{From: "list"}, d(amd64), "", "", 3},
		{"1: nothing fits: the first, and it is noted", importer.Wish{From: "windows", Mode: legacy}, d(s390x), "", "no image for linux/amd64", 3},
		{"2: PreserveOriginal takes all", importer.Wish{From: "list", Mode: preserve}, d(list), entriesOf(testimages.Entries(t, list)), "", 7},
		{"3: a single image, Legacy", importer.Wish{From: "single", Mode: legacy}, d(arm64), "", "", 2},
		{"3: a single image, PreserveOriginal", importer.Wish{From: "single", Mode: preserve}, d(arm64), "", "", 2},
		{"4: the preferred architecture", importer.Wish{From: "list", Mode: legacy, PreferArch: "s390x"}, d(s390x), "", "", 3},
		{"4: a preference that there is no image for", importer.Wish{From: "list", Mode: legacy, PreferArch: "riscv64"}, d(amd64), "", "no image for linux/riscv64, its image for linux/amd64", 3},
		{"4: by digest, no preference counts", importer.Wish{From: "@" + d(list), Mode: legacy, PreferArch: "s390x"}, d(amd64), "", "", 3},
		{"4: by digest, PreserveOriginal", importer.Wish{From: "@" + d(list), Mode: preserve}, d(list), entriesOf(testimages.Entries(t, list)), "", 7},
		{"5: attestations", importer.Wish{From: "attested", Mode: preserve}, d(attested), entriesOf(testimages.Entries(t, attested)), "2 of the 4 entries", 9},
		{"6: a list in a list", importer.Wish{From: "nested", Mode: preserve}, d(nested), d(amd64) + " " + d(s390x), "is a manifest list itself", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.requests()
			if strings.HasPrefix(c.wish.From, "@") {
				c.wish.From = r.host + "/x/y" + c.wish.From
			} else {
				c.wish.From = r.host + "/x/y:" + c.wish.From
			}
			c.wish.Insecure = true
			got, err := session(importer.Options{}).Import(t.Context(), c.wish)
			if err != nil {
				t.Fatal(err)
			}
			var children, listed []string
			for _, m := range got.Manifests {
				children = append(children, m.Name)
			}
			for _, m := range got.Image.DockerImageManifests {
				listed = append(listed, m.Digest)
			}
			if got.Image.Name != c.image || entriesOf(children) != c.children || !slices.Equal(children, listed) {
				t.Errorf("image %s of %v, listed as %v; want %s of %s", got.Image.Name, children, listed, c.image, c.children)
			}
			if got.Image.DockerImageReference != r.host+"/x/y@"+c.image {
				t.Errorf("reference %s", got.Image.DockerImageReference)
			}
			if notes := strings.Join(got.Notes, "; "); !strings.Contains(notes, c.notes) || (notes == "") != (c.notes == "") {
				t.Errorf("notes %q, want %q", notes, c.notes)
			}
			if asked := r.requests(); len(asked) != c.requests {
				t.Errorf("8: %d requests, want %d: %v", len(asked), c.requests, asked)
			}
		})
	}

	t.Run("8: what is shared is requested once", func(t *testing.T) {
		r.requests()
		s := session(importer.Options{})
		for _, tag := range []string{"list", "attested"} {
			for _, mode := range []imagev1.ImportModeType{legacy, preserve} {
				if _, err := s.Import(t.Context(), importer.Wish{From: r.host + "/x/y:" + tag, Mode: mode, Insecure: true}); err != nil {
					t.Fatal(err)
				}
			}
		}
		// Two lists, three images, two attestations.
		if asked := r.requests(); len(asked) != 2+2*3+2*2 {
			t.Errorf("%d requests: %v", len(asked), asked)
		}
	})
}

func TestImages(t *testing.T) {
	t.Parallel()
	r := start(t)
	amd64 := testimages.Image(t, "amd64", "x")
	list := testimages.List(t, amd64, testimages.Image(t, "arm64", "x"))
	testimages.Push(t, r.host+"/x/y:list", list)
	got, err := session(importer.Options{}).Import(t.Context(), importer.Wish{From: r.host + "/x/y:list", Mode: preserve, Insecure: true})
	if err != nil {
		t.Fatal(err)
	}

	var metadata docker10.DockerImage
	if err := json.Unmarshal(got.Image.DockerImageMetadata.Raw, &metadata); err != nil {
		t.Fatal(err)
	}
	if metadata.Kind != "DockerImage" || metadata.APIVersion != "1.0" || metadata.ID != got.Image.Name || metadata.Created.IsZero() || metadata.Config != nil {
		t.Errorf("7: metadata of the list: %+v", metadata)
	}
	if got.Image.DockerImageLayers != nil || got.Image.DockerImageConfig != "" || got.Image.Annotations != nil {
		t.Errorf("7: the list has layers %v, config %q, annotations %v", got.Image.DockerImageLayers, got.Image.DockerImageConfig, got.Image.Annotations)
	}
	if m := got.Image.DockerImageManifests[1]; m.Architecture != "arm64" || m.OS != "linux" || m.MediaType != ocispec.MediaTypeImageManifest || m.ManifestSize == 0 {
		t.Errorf("7: entry of the list: %+v", m)
	}

	child := got.Manifests[0]
	manifest, err := amd64.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	metadata = docker10.DockerImage{}
	if err := json.Unmarshal(child.DockerImageMetadata.Raw, &metadata); err != nil {
		t.Fatal(err)
	}
	if metadata.ID != manifest.Config.Digest.String() || metadata.Architecture != "amd64" || metadata.Author != "tests" || metadata.Created.Year() != 2026 ||
		metadata.Config.Labels["architecture"] != "amd64" || metadata.Size != manifest.Config.Size+manifest.Layers[0].Size {
		t.Errorf("7: metadata of the image: %+v", metadata)
	}
	want := []imagev1.ImageLayer{{Name: manifest.Layers[0].Digest.String(), LayerSize: manifest.Layers[0].Size, MediaType: string(manifest.Layers[0].MediaType)}}
	if diff := cmp.Diff(want, child.DockerImageLayers); diff != "" || child.Annotations["image.openshift.io/dockerLayersOrder"] != "ascending" {
		t.Errorf("7: annotations %v, layers (-want +got):\n%s", child.Annotations, diff)
	}
	if child.DockerImageReference != fmt.Sprintf("%s/x/y@%s", r.host, child.Name) || child.DockerImageMetadataVersion != "1.0" {
		t.Errorf("7: reference %s, version %s", child.DockerImageReference, child.DockerImageMetadataVersion)
	}
}
