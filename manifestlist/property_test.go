package manifestlist

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func drawPlatform(t *rapid.T) *ocispec.Platform { return manifestlisttest.DrawPlatform(t) }

func drawChildren(t *rapid.T) []Child { return fromKit(manifestlisttest.DrawChildren(t)...) }

func drawOptions(t *rapid.T) Options { return optionsFromKit(manifestlisttest.DrawOptions(t)) }

func mustAssembleRapid(t *rapid.T, children []Child, opts Options) Result {
	r, err := Assemble(children, opts)
	if err != nil {
		t.Fatalf("Assemble: %v", err)
	}
	return r
}

func mustParseRapid(t *rapid.T, src []byte) Index {
	x, err := Parse(src)
	if err != nil {
		t.Fatalf("Parse(%s): %v", src, err)
	}
	return x
}

// optionsOf are those that Assemble needs to make the same index again.
func optionsOf(x Index) Options {
	return Options{Annotations: x.Annotations, ArtifactType: x.ArtifactType, Subject: x.Subject, Attestations: KeepAttestations}
}

func TestAssembleOfParseIsTheIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := mustAssembleRapid(t, drawChildren(t), drawOptions(t))
		x := mustParseRapid(t, first.Bytes)
		again := mustAssembleRapid(t, x.Children(), optionsOf(x))
		if diff := cmp.Diff(string(first.Bytes), string(again.Bytes)); diff != "" {
			t.Fatalf("Assemble∘Parse (-before +after):\n%s", diff)
		}
		if diff := cmp.Diff(string(first.Bytes), string(x.Append(nil))); diff != "" {
			t.Fatalf("Append∘Parse (-before +after):\n%s", diff)
		}
		updated, err := Update(x, nil, Options{})
		if err != nil || !bytes.Equal(updated.Bytes, first.Bytes) {
			t.Fatalf("Update by nothing: %v\n%s\n%s", err, first.Bytes, updated.Bytes)
		}
	})
}

// TestEveryRequiredPlatformSelectsItsOwnChild: what was asked for is what a
// reader gets. Containerd looks at the os.version only of windows, and there for
// what runs; ContainersImage looks at neither os.version nor os.features.
func TestEveryRequiredPlatformSelectsItsOwnChild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		children := drawChildren(t)
		for i := range children {
			children[i].Descriptor.Annotations = nil // no zstd, no attestations by annotation
		}
		opts := Options{}
		for _, c := range children {
			if p := c.Descriptor.Platform; p != nil && p.OS != unknown {
				opts.Required = append(opts.Required, *p)
			}
		}
		x := mustParseRapid(t, mustAssembleRapid(t, children, opts).Bytes)
		alike := map[string]int{} // entries that only os.version and os.features tell apart
		for _, p := range opts.Required {
			alike[p.OS+p.Architecture+normalVariant(p)]++
		}
		for _, want := range opts.Required {
			policies := []Policy{Strict}
			if alike[want.OS+want.Architecture+normalVariant(want)] == 1 {
				policies = append(policies, Containerd, ContainersImage)
			}
			for _, policy := range policies {
				choice, err := Select(x.Index, want, SelectOptions{Policy: policy})
				if err != nil {
					t.Fatalf("%s: %v", policy, err)
				}
				if got := x.Manifests[choice.Position].Platform; got == nil || comparePlatforms(got, &want) != 0 {
					t.Fatalf("%s: %s selects %v", policy, platformText(want), got)
				}
			}
		}
	})
}

func normalVariant(p ocispec.Platform) string {
	if baseline(p.Architecture, p.Variant) {
		return ""
	}
	return p.Variant
}

func TestUpdateLeavesTheOthersAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := mustParseRapid(t, mustAssembleRapid(t, drawChildren(t), drawOptions(t)).Bytes)
		p := drawPlatform(t)
		r, err := Update(x, []Child{{Descriptor: ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromString("new"), Size: 1, Platform: p}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		gone := map[digest.Digest]bool{}
		for _, d := range x.Manifests {
			if classOf(&d) == classPlatform && comparePlatforms(d.Platform, p) == 0 {
				gone[d.Digest] = true
			}
		}
		sources := x.sources()
		for i, d := range x.Manifests {
			want := !gone[d.Digest] && (classOf(&d) != classAttestation || !gone[digest.Digest(d.Annotations[referenceDigest])])
			if got := bytes.Contains(r.Bytes, sources[i]); got != want {
				t.Fatalf("entry %s is there: %v, want %v, in\n%s", sources[i], got, want, r.Bytes)
			}
		}
		choice, err := Select(mustParseRapid(t, r.Bytes).Index, *p, SelectOptions{})
		if err != nil || choice.Digest != digest.FromString("new") {
			t.Fatalf("%s selects %s, %v", platformText(*p), choice.Digest, err)
		}
	})
}

func TestRemoveLeavesTheOthersAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := mustParseRapid(t, mustAssembleRapid(t, drawChildren(t), drawOptions(t)).Bytes)
		p := drawPlatform(t)
		_, err := Select(x.Index, *p, SelectOptions{})
		there := err == nil
		r, err := Update(x, nil, Options{Remove: []ocispec.Platform{*p}})
		if (err == nil) != there {
			t.Fatalf("%s is there: %v, removing it: %v", platformText(*p), there, err)
		}
		if err != nil {
			return
		}
		after := mustParseRapid(t, r.Bytes)
		if choice, err := Select(after.Index, *p, SelectOptions{}); err == nil {
			t.Fatalf("%s still selects %s", platformText(*p), choice.Digest)
		}
		kept := map[digest.Digest]bool{}
		for _, d := range after.Manifests {
			kept[d.Digest] = true
			if refers := digest.Digest(d.Annotations[referenceDigest]); refers != "" && !kept[refers] {
				t.Fatalf("the attestation of %s has lost its image", refers)
			}
		}
		sources := x.sources()
		for i, d := range x.Manifests {
			gone := classOf(&d) == classPlatform && strictMatch(d.Platform, p)
			if classOf(&d) == classAttestation {
				gone = !kept[digest.Digest(d.Annotations[referenceDigest])]
			}
			if got := bytes.Contains(r.Bytes, sources[i]); got == gone {
				t.Fatalf("entry %s is there: %v, removed: %v, in\n%s", sources[i], got, gone, r.Bytes)
			}
		}
	})
}
