package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/containerd/platforms"
	"github.com/google/go-containerregistry/pkg/name"
	ggcr "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"go.podman.io/image/v5/manifest"
	imagetypes "go.podman.io/image/v5/types"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/memory"

	"github.com/polyarch/polyarch/manifestlist"
)

// The real libraries are the oracles of manifestlist.Select: two policies must
// choose what their library chooses, and policy Strict differs from all of them
// on purpose, for the reasons listed here and for no other.

// A library chooses out of an index, and returns -1 if nothing is for wanted.
type library struct {
	name   string
	choose func(t *testing.T, index ocispec.Index, wanted ocispec.Platform) int
	cases  int // how many random indexes: some go through HTTP
}

func libraries() []library {
	return []library{
		{"containerd", chooseContainerd, 20000},
		{"containers/image", chooseContainersImage, 5000},
		{"go-containerregistry", chooseGGCR, 6000},
		{"oras", chooseORAS, 3000},
	}
}

// chooseContainerd is the part of images.Manifest in containerd 2.4 that chooses.
func chooseContainerd(_ *testing.T, index ocispec.Index, wanted ocispec.Platform) int {
	platform := platforms.Only(wanted)
	var descs []ocispec.Descriptor
	for _, d := range index.Manifests {
		if d.Platform == nil || platform.Match(*d.Platform) {
			descs = append(descs, d)
		}
	}
	sort.SliceStable(descs, func(i, j int) bool {
		if descs[i].Platform == nil {
			return false
		}
		if descs[j].Platform == nil {
			return true
		}
		return platform.Less(*descs[i].Platform, *descs[j].Platform)
	})
	if len(descs) == 0 {
		return -1
	}
	return place(index, descs[0].Digest)
}

func chooseContainersImage(t *testing.T, index ocispec.Index, wanted ocispec.Platform) int {
	mediaType := index.MediaType
	if mediaType == "" {
		mediaType = ocispec.MediaTypeImageIndex
	}
	list, err := manifest.ListFromBlob(encode(t, index), mediaType)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := list.ChooseInstance(&imagetypes.SystemContext{ArchitectureChoice: wanted.Architecture, OSChoice: wanted.OS, VariantChoice: wanted.Variant})
	if err != nil {
		return -1
	}
	return place(index, chosen)
}

// blobs is a registry that has nothing but manifests.
type blobs map[string][]byte

func (b blobs) RoundTrip(req *http.Request) (*http.Response, error) {
	body, mediaType := []byte("{}"), "application/json"
	status := http.StatusOK
	if strings.Contains(req.URL.Path, "/manifests/") {
		var ok bool
		if body, ok = b[path.Base(req.URL.Path)]; !ok {
			status = http.StatusNotFound
		}
		var m struct {
			MediaType string `json:"mediaType"`
		}
		if err := json.Unmarshal(body, &m); err == nil {
			mediaType = m.MediaType
		}
	}
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {mediaType}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

func chooseGGCR(t *testing.T, index ocispec.Index, wanted ocispec.Platform) int {
	registry := blobs{"latest": encode(t, index)}
	for i := range index.Manifests {
		registry[string(index.Manifests[i].Digest)] = childManifest(i)
	}
	ref, err := name.ParseReference("registry.example/image:latest")
	if err != nil {
		t.Fatal(err)
	}
	image, err := remote.Image(ref, remote.WithTransport(registry), remote.WithPlatform(ggcr.Platform{
		OS: wanted.OS, Architecture: wanted.Architecture, Variant: wanted.Variant, OSVersion: wanted.OSVersion, OSFeatures: wanted.OSFeatures,
	}))
	if err != nil {
		if !strings.Contains(err.Error(), "no child with platform") {
			t.Fatal(err)
		}
		return -1
	}
	chosen, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return place(index, digest.Digest(chosen.String()))
}

func chooseORAS(t *testing.T, index ocispec.Index, wanted ocispec.Platform) int {
	store := memory.New()
	b := encode(t, index)
	d := ocispec.Descriptor{MediaType: index.MediaType, Digest: digest.FromBytes(b), Size: int64(len(b))}
	if err := store.Push(context.Background(), d, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	if err := store.Tag(context.Background(), d, "latest"); err != nil {
		t.Fatal(err)
	}
	chosen, err := oras.Resolve(context.Background(), store, "latest", oras.ResolveOptions{TargetPlatform: &wanted})
	if err != nil {
		if !strings.Contains(err.Error(), "no matching manifest") {
			t.Fatal(err)
		}
		return -1
	}
	return place(index, chosen.Digest)
}

func encode(t *testing.T, index ocispec.Index) []byte {
	b, err := json.Marshal(index)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func place(index ocispec.Index, chosen digest.Digest) int {
	return slices.IndexFunc(index.Manifests, func(d ocispec.Descriptor) bool { return d.Digest == chosen })
}

func childManifest(i int) []byte {
	return fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":%q,"digest":%q,"size":2},"layers":[],"annotations":{"child":"%d"}}`,
		ocispec.MediaTypeImageManifest, ocispec.MediaTypeImageConfig, digest.FromString("{}"), i)
}

// indexOf makes an index of os/architecture/variant@os.version+os.feature words.
func indexOf(words ...string) ocispec.Index {
	index := ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex, Manifests: []ocispec.Descriptor{}}
	for i, w := range words {
		b := childManifest(i)
		d := ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(b), Size: int64(len(b))}
		if w, zstd := strings.CutPrefix(w, "zstd:"); zstd {
			d.Annotations = map[string]string{"io.github.containers.compression.zstd": "true"}
			d.Platform = platformOf(w)
		} else if w != "nil" {
			d.Platform = platformOf(w)
		}
		index.Manifests = append(index.Manifests, d)
	}
	return index
}

func platformOf(w string) *ocispec.Platform {
	w, features, _ := strings.Cut(w, "+")
	w, version, _ := strings.Cut(w, "@")
	parts := append(strings.Split(w, "/"), "", "")
	p := &ocispec.Platform{OS: parts[0], Architecture: parts[1], Variant: parts[2], OSVersion: version}
	if features != "" {
		p.OSFeatures = strings.Split(features, "+")
	}
	return p
}

func choose(index ocispec.Index, wanted ocispec.Platform, policy manifestlist.Policy) int {
	choice, err := manifestlist.Select(index, wanted, manifestlist.SelectOptions{
		Policy: policy, Host: ocispec.Platform{OS: runtime.GOOS, Architecture: runtime.GOARCH},
	})
	if err != nil {
		return -1
	}
	return choice.Position
}

// TestMeasuredTable: the libraries choose today as they were measured, and the
// policies with them.
func TestMeasuredTable(t *testing.T) {
	for _, row := range []struct {
		index, wanted                                   string
		legacy, containerd, containersImage, ggcr, oras int
	}{
		{"linux/arm/v6 linux/arm/v7", "linux/arm/v7", 0, 1, 1, 1, 1},
		{"linux/arm64", "linux/arm64/v8", 0, 0, 0, -1, -1},
		{"linux/amd64/v2 linux/amd64", "linux/amd64", 0, 1, 1, 0, 0},
		{"linux/amd64/v8", "linux/amd64", 0, -1, -1, 0, 0},
		{"nil linux/amd64", "linux/amd64", 1, 1, 1, 0, 1},
		{"nil linux/amd64", "linux/s390x", 1, 0, 0, -1, -1},
		{"linux/amd64 linux/aarch64", "linux/arm64", 0, 1, -1, -1, -1},
		{"linux/arm/v7", "linux/arm64", 0, 0, -1, -1, -1},
		{"unknown/unknown linux/arm64", "linux/s390x", 0, -1, -1, -1, -1},
	} {
		index, wanted := indexOf(strings.Fields(row.index)...), *platformOf(row.wanted)
		for policy, want := range map[manifestlist.Policy]int{
			manifestlist.OpenShiftLegacy: row.legacy, manifestlist.Containerd: row.containerd, manifestlist.ContainersImage: row.containersImage,
		} {
			if got := choose(index, wanted, policy); got != want {
				t.Errorf("policy %s: [%s] → %s: %d, want %d", policy, row.index, row.wanted, got, want)
			}
		}
		want := map[string]int{"containerd": row.containerd, "containers/image": row.containersImage, "go-containerregistry": row.ggcr, "oras": row.oras}
		for _, l := range libraries() {
			if got := l.choose(t, index, wanted); got != want[l.name] {
				t.Errorf("%s: [%s] → %s: %d, measured %d", l.name, row.index, row.wanted, got, want[l.name])
			}
		}
	}
}

// randomPlatform draws from few words, so that they meet.
func randomPlatform(r *rand.Rand) string {
	pick := func(words string) string { w := strings.Fields(words); return w[r.IntN(len(w))] }
	p := pick("linux linux linux linux windows darwin Linux macos") + "/"
	architecture := pick("amd64 amd64 arm64 arm64 arm arm s390x 386 x86_64 aarch64 armhf i386 ppc64le AMD64")
	p += architecture
	if r.IntN(2) == 0 {
		p += "/" + pick("v1 v2 v3 v5 v6 v7 v8 v9 7 8 v8.0 v8.1 v8.5 v8.6 v9.2 v9.7 v10 power9 v02 V8")
	}
	if r.IntN(5) == 0 {
		p += "@" + pick("10.0.17763.1 10.0.17763.2 10.0.20348.1 10.0.26100.1 10.0.26200 11.0.20348 ltsc2022 5.14")
	}
	if r.IntN(6) == 0 {
		p += pick("+win32k +a +a+b +b+a")
	}
	return p
}

func randomIndex(r *rand.Rand) (ocispec.Index, string) {
	words := make([]string, r.IntN(6))
	for i := range words {
		switch r.IntN(12) {
		case 0:
			words[i] = "nil"
		case 1:
			words[i] = "unknown/unknown"
		case 2:
			words[i] = "zstd:" + randomPlatform(r)
		default:
			words[i] = randomPlatform(r)
		}
	}
	return indexOf(words...), strings.Join(words, " ")
}

// near is a platform, or another way to write it, or what is a little less.
func near(r *rand.Rand, p ocispec.Platform) string {
	baseline := map[string]string{"amd64": "v1", "arm": "v7", "arm64": "v8"}[p.Architecture]
	switch {
	case r.IntN(2) == 0:
	case p.Variant == "":
		p.Variant = baseline
	case p.Variant == baseline:
		p.Variant = ""
	}
	w := p.OS + "/" + p.Architecture + "/" + p.Variant
	if r.IntN(2) == 0 {
		w += "@" + p.OSVersion
	}
	if len(p.OSFeatures) > 0 && r.IntN(2) == 0 {
		w += "+" + p.OSFeatures[0]
	}
	return w
}

// TestPoliciesAgainstTheirLibraries: Containerd and ContainersImage choose what
// containerd and containers/image choose, on any index.
func TestPoliciesAgainstTheirLibraries(t *testing.T) {
	for _, l := range libraries() {
		var policy manifestlist.Policy
		switch l.name {
		case "containerd":
			policy = manifestlist.Containerd
		case "containers/image":
			policy = manifestlist.ContainersImage
		default:
			continue
		}
		r := rand.New(rand.NewPCG(7, 11))
		chosen := 0
		for range l.cases {
			index, words := randomIndex(r)
			if policy == manifestlist.ContainersImage && r.IntN(4) == 0 {
				index.MediaType = manifest.DockerV2ListMediaType
			}
			w := randomPlatform(r)
			wanted := *platformOf(w)
			want := l.choose(t, index, wanted)
			if got := choose(index, wanted, policy); got != want {
				t.Fatalf("%s: [%s] → %s: policy chooses %d, library %d", policy, words, w, got, want)
			}
			if want >= 0 {
				chosen++
			}
		}
		if chosen < l.cases/20 {
			t.Errorf("%s chose something only %d times of %d: the indexes are too wild", l.name, chosen, l.cases)
		}
	}
}

// A difference is a rule by which Strict chooses otherwise than a library.
type difference struct{ library, rule string }

// onPurpose lists every difference, with the reason for it.
func onPurpose() map[difference]string {
	const (
		guess      = "who asks for a platform is not to get an image of which nobody knows what it runs on"
		exact      = "an image that also runs is not the image that was asked for; what Assemble was required to hold must be found as itself"
		alias      = "Assemble refuses aliases, so that readers which compare strings find every image; Strict holds an index to the same"
		order      = "the choice must not depend on the order in which the index was written"
		version    = "an os.version that is wanted is wanted"
		features   = "os.features count only if they are wanted, and then as a set"
		equivalent = "arm64 and arm64/v8, arm and arm/v7, amd64 and amd64/v1 are the same platform"
		baseline   = "no variant means the baseline, since any other may not run"
	)
	return map[difference]string{
		{"containerd", "no platform"}:             guess,
		{"containerd", "other architecture"}:      exact,
		{"containerd", "other variant"}:           exact,
		{"containerd", "alias"}:                   alias,
		{"containerd", "order"}:                   order,
		{"containerd", "os.version"}:              version,
		{"containerd", "os.features"}:             features,
		{"containerd", "nothing for os.features"}: features,
		{"containerd", "nothing for the version"}: "an image is found under the os.version it has, or under none; whether a host runs it is for the runtime",
		{"containerd", "nothing for the variant"}: "a variant that containerd does not know, such as arm64/v10, matches at least itself",

		{"containers/image", "no platform"}:             guess,
		{"containers/image", "other variant"}:           exact,
		{"containers/image", "order"}:                   order,
		{"containers/image", "os.version"}:              version,
		{"containers/image", "os.features"}:             features,
		{"containers/image", "nothing for the variant"}: equivalent,

		{"go-containerregistry", "no platform"}:             guess,
		{"go-containerregistry", "other variant"}:           baseline,
		{"go-containerregistry", "order"}:                   order,
		{"go-containerregistry", "os.features"}:             features,
		{"go-containerregistry", "nothing for the variant"}: equivalent,

		{"oras", "other variant"}:           baseline,
		{"oras", "order"}:                   order,
		{"oras", "os.features"}:             features,
		{"oras", "nothing for the variant"}: equivalent,
	}
}

// rule names the first way in which the library's choice is not Strict's.
func rule(index ocispec.Index, wanted ocispec.Platform, ours, theirs int) string {
	if theirs < 0 {
		p := index.Manifests[ours].Platform
		switch {
		case p.Variant != wanted.Variant: // written in another way
		case len(p.OSFeatures) > 0:
			return "nothing for os.features"
		case p.OS == "windows":
			return "nothing for the version"
		}
		return "nothing for the variant"
	}
	p := index.Manifests[theirs].Platform
	if p == nil {
		return "no platform"
	}
	alone := func(change func(have, wanted *ocispec.Platform)) bool {
		have, wanted := *p, wanted
		change(&have, &wanted)
		return choose(ocispec.Index{Manifests: []ocispec.Descriptor{{Platform: &have}}}, wanted, manifestlist.Strict) == 0
	}
	switch {
	case alone(func(_, _ *ocispec.Platform) {}):
		return "order"
	case alone(func(_, w *ocispec.Platform) { w.OSFeatures = nil }):
		return "os.features"
	case alone(func(_, w *ocispec.Platform) { w.OSFeatures, w.OSVersion = nil, "" }):
		return "os.version"
	case p.OS == wanted.OS && p.Architecture == wanted.Architecture:
		return "other variant"
	case platforms.Normalize(*p).OS == platforms.Normalize(wanted).OS && platforms.Normalize(*p).Architecture == platforms.Normalize(wanted).Architecture:
		return "alias"
	}
	return "other architecture"
}

// TestStrictAgainstTheLibraries: each difference is on the list, and each on the
// list is real.
func TestStrictAgainstTheLibraries(t *testing.T) {
	reasons := onPurpose()
	seen := map[difference]int{}
	for _, l := range libraries() {
		r := rand.New(rand.NewPCG(3, 5))
		for range l.cases {
			index, words := randomIndex(r)
			w := randomPlatform(r)
			if len(index.Manifests) > 0 && r.IntN(2) == 0 {
				// Half of the time something of the index is wanted.
				if p := index.Manifests[r.IntN(len(index.Manifests))].Platform; p != nil && p.OS != "unknown" {
					w = near(r, *p)
				}
			}
			wanted := *platformOf(w)
			ours, theirs := choose(index, wanted, manifestlist.Strict), l.choose(t, index, wanted)
			if ours == theirs {
				continue
			}
			d := difference{l.name, rule(index, wanted, ours, theirs)}
			if reasons[d] == "" {
				t.Fatalf("%s: [%s] → %s: Strict chooses %d, the library %d: %q is not on the list", l.name, words, w, ours, theirs, d.rule)
			}
			seen[d]++
		}
	}
	for d := range reasons {
		if seen[d] == 0 {
			t.Errorf("%s: no index shows %q: it does not belong on the list", d.library, d.rule)
		}
	}
}
