package manifestlisttest

import (
	"fmt"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"
)

// text prefers what needs escaping.
func text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<&>", "\u2028", "\"\\\n", "plain text of some length"}))
}

// DrawPlatform draws a platform that a child may have: one in ten has os.features,
// and most of Windows an os.version.
func DrawPlatform(t *rapid.T) *ocispec.Platform {
	p := Platform(rapid.SampledFrom([]string{"linux/amd64", "linux/amd64/v1", "linux/amd64/v2", "linux/arm64", "linux/arm64/v8", "linux/arm64/v9",
		"linux/arm", "linux/arm/v6", "linux/arm/v7", "linux/ppc64le", "linux/s390x", "linux/riscv64", "windows/amd64", "windows/arm64", "wasip1/wasm"}).Draw(t, "platform"))
	if p.OS == "windows" {
		p.OSVersion = rapid.SampledFrom([]string{"", "10.0.17763.1", "10.0.20348.2"}).Draw(t, "os.version")
	}
	if rapid.IntRange(0, 9).Draw(t, "has features") == 0 {
		p.OSFeatures = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3).Draw(t, "os.features")
	}
	return p
}

// DrawChildren draws up to twelve descriptors that break no rule: one in five is an
// artifact without a platform, half have annotations and urls, one in four an
// attestation beside it. No two are for one platform.
func DrawChildren(t *rapid.T) []Child {
	var all []Child
	used := map[string]bool{}
	for i := range rapid.IntRange(0, 12).Draw(t, "children") {
		c := Child{Descriptor: ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromString(fmt.Sprint(i)), Size: rapid.Int64Range(1, 1<<40).Draw(t, "size")}}
		d := &c.Descriptor
		if rapid.IntRange(0, 4).Draw(t, "artifact") == 0 {
			d.ArtifactType = "application/vnd.example.sbom"
		} else {
			d.Platform = DrawPlatform(t)
			d.MediaType = rapid.SampledFrom([]string{ocispec.MediaTypeImageManifest, DockerManifest}).Draw(t, "mediaType")
			key := PlatformKey(*d.Platform)
			if used[key] {
				continue
			}
			used[key] = true
		}
		if rapid.Bool().Draw(t, "annotated") {
			d.Annotations = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "<", "é"}), text(), 1, 3).Draw(t, "annotations")
			d.URLs = rapid.SliceOfN(text(), 0, 2).Draw(t, "urls")
		}
		all = append(all, c)
		if rapid.IntRange(0, 3).Draw(t, "attested") == 0 {
			all = append(all, Attestation(fmt.Sprint(i)))
		}
	}
	return all
}

// PlatformKey is the same for platforms that are one and the same.
func PlatformKey(p ocispec.Platform) string {
	return strings.Join([]string{p.OS, p.Architecture, Variant(p), p.OSVersion, strings.Join(Features(p), "+")}, "/")
}

// DrawOptions draws options that any OCI index can have: half keep attestations,
// half have annotations, half an artifactType and a subject.
func DrawOptions(t *rapid.T) Options {
	var opts Options
	if rapid.Bool().Draw(t, "keep attestations") {
		opts.Attestations = KeepAttestations
	}
	if rapid.Bool().Draw(t, "annotations") {
		opts.Annotations = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "<", "é"}), text(), 1, 4).Draw(t, "annotations")
	}
	if rapid.Bool().Draw(t, "typed") {
		subject := Described("subject", "nil")
		opts.ArtifactType, opts.Subject = "application/vnd.example+json", &subject
	}
	return opts
}

// SelectWords and SelectWants are the domain of [SelectOracle]: entries for
// [Entries], and what is wanted of them. Aliases, attestations, entries without a
// platform and with an empty one are among them.
func SelectWords() []string {
	return strings.Fields("nil / attestation linux/amd64 linux/amd64/v1 linux/amd64/v3 linux/x86_64 linux/386 linux/arm linux/arm/v6 linux/arm/v7 " +
		"linux/arm64 linux/arm64/v8 linux/arm64/v8.2 linux/arm64/v9 linux/s390x windows/amd64")
}

// SelectWants are the platforms that are wanted.
func SelectWants() []string {
	return strings.Fields("/ linux/ linux/amd64 linux/amd64/v1 linux/amd64/v2 linux/amd64/v3 linux/arm linux/arm/v6 linux/arm64 linux/arm64/v8 linux/arm64/v9 " +
		"linux/aarch64 linux/s390x linux/s390x/z15 windows/amd64")
}

// A Choice is an index, by its words, and what is wanted of it.
type Choice struct{ Index, Want string }

// DrawChoice draws up to six of [SelectWords] and one of [SelectWants].
func DrawChoice(t *rapid.T) Choice {
	return Choice{
		Index: strings.Join(rapid.SliceOfN(rapid.SampledFrom(SelectWords()), 0, 6).Draw(t, "entries"), " "),
		Want:  rapid.SampledFrom(SelectWants()).Draw(t, "want"),
	}
}

// A Breach is children of which one breaks a rule.
type Breach struct {
	What     string
	Children []Child
}

// DrawBreach draws the children of [DrawChildren], which break no rule, and adds one
// that breaks the rule, in one of the ways that tools were seen to let through. The
// rules are those for descriptors.
func DrawBreach(t *rapid.T, rule string) Breach {
	ways := breaches()[rule]
	way := rapid.SampledFrom(ways).Draw(t, "way")
	c := On("plan9/386") // which DrawChildren never draws
	way.change(&c.Descriptor)
	all := append(DrawChildren(t), c)
	return Breach{way.name, rapid.Permutation(all).Draw(t, "order")}
}

type breach struct {
	name   string
	change func(*ocispec.Descriptor)
}

func breaches() map[string][]breach {
	return map[string][]breach{
		"descriptors-well-formed": {
			{"a digest of another hash", func(d *ocispec.Descriptor) { d.Digest = "md5:zz" }},
			{"a short digest", func(d *ocispec.Descriptor) { d.Digest = d.Digest[:70] }},
			{"a negative size", func(d *ocispec.Descriptor) { d.Size = -5 }},
			{"no media type", func(d *ocispec.Descriptor) { d.MediaType = "" }},
			{"no UTF-8", func(d *ocispec.Descriptor) { d.Annotations = map[string]string{"k\xff": ""} }},
		},
		"platforms-spelled-as-go": {
			{"no platform", func(d *ocispec.Descriptor) { d.Platform = nil }},
			{"empty strings", func(d *ocispec.Descriptor) { d.Platform = &ocispec.Platform{} }},
			{"x86_64", func(d *ocispec.Descriptor) { d.Platform.Architecture = "x86_64" }},
			{"aarch64", func(d *ocispec.Descriptor) { d.Platform.Architecture = "aarch64" }},
			{"upper case", func(d *ocispec.Descriptor) { d.Platform.OS = "Plan9" }},
		},
		"no-index-in-an-index": {
			{"an index", func(d *ocispec.Descriptor) { d.MediaType = ocispec.MediaTypeImageIndex }},
			{"a Docker list", func(d *ocispec.Descriptor) { d.MediaType = DockerList }},
		},
	}
}
