package manifestlist

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"
)

// drawText prefers what needs escaping.
var drawText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<&>", "\u2028", "\"\\\n", "plain text of some length"}))

func drawPlatform(t *rapid.T) *ocispec.Platform {
	p := platform(rapid.SampledFrom([]string{"linux/amd64", "linux/amd64/v1", "linux/amd64/v2", "linux/arm64", "linux/arm64/v8", "linux/arm64/v9",
		"linux/arm", "linux/arm/v6", "linux/arm/v7", "linux/ppc64le", "linux/s390x", "linux/riscv64", "windows/amd64", "windows/arm64", "wasip1/wasm"}).Draw(t, "platform"))
	if p.OS == "windows" {
		p.OSVersion = rapid.SampledFrom([]string{"", "10.0.17763.1", "10.0.20348.2"}).Draw(t, "os.version")
	}
	if rapid.IntRange(0, 9).Draw(t, "has features") == 0 {
		p.OSFeatures = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3).Draw(t, "os.features")
	}
	return p
}

// drawChildren draws descriptors that break no rule, attestations and artifacts
// among them.
func drawChildren(t *rapid.T) []Child {
	var all []Child
	used := map[string]bool{}
	for i := range rapid.IntRange(0, 12).Draw(t, "children") {
		c := Child{Descriptor: ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromString(fmt.Sprint(i)), Size: rapid.Int64Range(1, 1<<40).Draw(t, "size")}}
		d := &c.Descriptor
		if rapid.IntRange(0, 4).Draw(t, "artifact") == 0 {
			d.ArtifactType = "application/vnd.example.sbom"
		} else {
			d.Platform = drawPlatform(t)
			d.MediaType = rapid.SampledFrom([]string{ocispec.MediaTypeImageManifest, dockerManifest}).Draw(t, "mediaType")
			p := *d.Platform
			p.OSFeatures = featureSet(p.OSFeatures)
			if baseline(p.Architecture, p.Variant) {
				p.Variant = ""
			}
			if key := platformText(p); used[key] {
				continue
			} else {
				used[key] = true
			}
		}
		if rapid.Bool().Draw(t, "annotated") {
			d.Annotations = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "<", "é"}), drawText, 1, 3).Draw(t, "annotations")
			d.URLs = rapid.SliceOfN(drawText, 0, 2).Draw(t, "urls")
		}
		all = append(all, c)
		if rapid.IntRange(0, 3).Draw(t, "attested") == 0 {
			a := attestation(fmt.Sprint(i))
			all = append(all, a)
		}
	}
	return all
}

func drawOptions(t *rapid.T) Options {
	var opts Options
	if rapid.Bool().Draw(t, "keep attestations") {
		opts.Attestations = KeepAttestations
	}
	if rapid.Bool().Draw(t, "annotations") {
		opts.Annotations = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "<", "é"}), drawText, 1, 4).Draw(t, "annotations")
	}
	if rapid.Bool().Draw(t, "typed") {
		subject := describe("subject", "nil")
		opts.ArtifactType, opts.Subject = "application/vnd.example+json", &subject
	}
	return opts
}

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

func TestAnyOrderOfChildrenGivesTheSameIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		children, opts := drawChildren(t), drawOptions(t)
		want := mustAssembleRapid(t, children, opts)
		got := mustAssembleRapid(t, rapid.Permutation(children).Draw(t, "order"), opts)
		if diff := cmp.Diff(string(want.Bytes), string(got.Bytes)); diff != "" {
			t.Fatalf("(-before +after):\n%s", diff)
		}
		if !cmp.Equal(want.Descriptor, got.Descriptor) {
			t.Fatalf("descriptors differ: %+v, %+v", want.Descriptor, got.Descriptor)
		}
	})
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

func TestDigestAndSizeAreThoseOfTheBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := mustAssembleRapid(t, drawChildren(t), drawOptions(t))
		if r.Descriptor.Digest != digest.FromBytes(r.Bytes) || r.Descriptor.Size != int64(len(r.Bytes)) {
			t.Fatalf("descriptor %+v of %d bytes", r.Descriptor, len(r.Bytes))
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
