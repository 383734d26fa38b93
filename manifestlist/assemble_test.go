package manifestlist

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

func docker(c Child) Child {
	c.Descriptor.MediaType = dockerManifest
	return c
}

func describedAs(c Child) *ocispec.Descriptor { return &c.Descriptor }

func annotated(key, value string) func(*Child) {
	return func(c *Child) { c.Descriptor.Annotations = map[string]string{key: value} }
}

func required(platforms ...string) []ocispec.Platform {
	var all []ocispec.Platform
	for _, p := range platforms {
		all = append(all, *platform(p))
	}
	return all
}

// TestAssembleRules has a row for each rule that accepts: what comes out, in
// which order, and what is reported.
func TestAssembleRules(t *testing.T) {
	nested := mustAssemble(t, children("linux/arm64", "linux/s390x"), Options{})
	artifact := Child{Descriptor: describe("artifact", "nil")}
	artifact.Descriptor.ArtifactType = "application/vnd.example.sbom"
	for _, tc := range []struct {
		name     string
		children []Child
		opts     Options
		want     string
		docker   bool
		findings []string
	}{
		{name: "A11: architectures in order", children: children("linux/s390x", "linux/amd64", "linux/ppc64le", "linux/arm64"),
			want: "linux/amd64 linux/arm64 linux/ppc64le linux/s390x"},
		{name: "A11: os before architecture", children: children("windows/amd64", "linux/s390x"), want: "linux/s390x windows/amd64"},
		{name: "A11: the baseline before other variants, unlike strings", children: children("linux/arm/v6", "linux/arm/v7", "linux/arm/v5"),
			want: "linux/arm/v7 linux/arm/v5 linux/arm/v6"},
		{name: "A11: os.version", children: children("windows/amd64@10.0.20348.1", "windows/amd64@10.0.17763.2"),
			want: "windows/amd64(10.0.17763.2) windows/amd64(10.0.20348.1)"},
		{name: "A11: fewer os.features first", children: children("linux/amd64+erofs", "linux/amd64"), want: "linux/amd64 linux/amd64(+erofs)"},
		{name: "A11: no platform after every platform", children: []Child{artifact, on("zos/s390x")}, want: "zos/s390x nil"},
		{name: "A11: attestations last", children: []Child{attestation("linux/amd64"), artifact, on("linux/amd64")}, opts: Options{Attestations: KeepAttestations},
			want: "linux/amd64 nil attestation"},
		{name: "A18: a child with a name", children: []Child{on("linux/amd64"), with(on("unknown/unknown"), func(c *Child) { c.Name = "sbom.json" })}, want: "linux/amd64",
			findings: []string{"AttestationDropped@children[sbom.json]"}},
		{name: "A13,A15: nothing is []", want: "", findings: []string{"Empty@manifests"}},
		{name: "A1: platform out of the bytes", children: []Child{image("linux/s390x"), image("linux/amd64")}, want: "linux/amd64 linux/s390x"},
		{name: "A4: a name that Go does not know", children: children("bogus/nope", "linux/amd64"), want: "bogus/nope linux/amd64",
			findings: []string{"UnknownPlatform@children[0]"}},
		{name: "A4: an artifact needs no platform", children: []Child{artifact}, want: "nil"},
		{name: "A5: flattened", children: []Child{on("linux/amd64"), {Manifest: nested.Bytes}}, opts: Options{Nested: Flatten},
			want: "linux/amd64 linux/arm64 linux/s390x", findings: []string{"Flattened@children[1]"}},
		{name: "A6: variants of one architecture", children: children("linux/arm/v7", "linux/arm/v6"), want: "linux/arm/v7 linux/arm/v6"},
		{name: "A6: written as the child says", children: children("linux/arm64/v8"), want: "linux/arm64/v8"},
		{name: "A6: replace: the last stands", children: []Child{named("a", "linux/amd64"), named("b", "linux/amd64")}, opts: Options{Duplicates: ReplaceDuplicates},
			want: "linux/amd64", findings: []string{"ChildReplaced@children[0]"}},
		{name: "A6: identical counts once", children: children("linux/amd64", "linux/amd64", "linux/amd64"), opts: Options{Duplicates: KeepIdentical},
			want: "linux/amd64", findings: []string{"IdenticalDropped@children[1]", "IdenticalDropped@children[2]"}},
		{name: "A6: one image for two platforms", children: []Child{named("noarch", "linux/amd64"), named("noarch", "linux/arm64")}, want: "linux/amd64 linux/arm64"},
		{name: "A7: dropped by default", children: []Child{on("linux/amd64"), attestation("linux/amd64")}, want: "linux/amd64",
			findings: []string{"AttestationDropped@children[1]"}},
		{name: "A9: half of the platform is not enough", children: children("linux/amd64", "unknown/amd64"), want: "linux/amd64 unknown/amd64",
			findings: []string{"UnknownPlatform@children[1]"}},
		{name: "A7,A9: known by its platform alone", children: children("linux/amd64", "unknown/unknown"), want: "linux/amd64",
			findings: []string{"AttestationDropped@children[1]"}},
		{name: "A7,A9: known by its annotation alone", children: []Child{with(attestation("linux/amd64"), func(c *Child) { c.Descriptor.Platform = nil })}, want: "",
			findings: []string{"AttestationDropped@children[0]", "Empty@manifests"}},
		{name: "A7: goes with the child that is replaced",
			children: []Child{named("old", "linux/amd64"), named("new", "linux/amd64"), attestation("old"), attestation("new")},
			opts:     Options{Duplicates: ReplaceDuplicates, Attestations: KeepAttestations},
			want:     "linux/amd64 attestation", findings: []string{"ChildReplaced@children[0]", "AttestationDropped@children[2]"}},
		{name: "A8: required and more", children: children("linux/amd64", "linux/arm64/v8"), opts: Options{Required: required("linux/arm64")}, want: "linux/amd64 linux/arm64/v8"},
		{name: "A10: Docker", children: []Child{docker(on("linux/amd64"))}, opts: Options{Format: Docker}, want: "linux/amd64", docker: true},
		{name: "A14: OCI unless something else is asked for", children: []Child{docker(on("linux/amd64"))}, want: "linux/amd64"},
		{name: "A14: inferred Docker", children: []Child{docker(on("linux/amd64"))}, opts: Options{Format: Infer}, want: "linux/amd64", docker: true},
		{name: "A14: inferred OCI, one child is", children: []Child{docker(on("linux/amd64")), on("linux/arm64")}, opts: Options{Format: Infer}, want: "linux/amd64 linux/arm64"},
		{name: "A14: inferred OCI for an annotation", children: []Child{docker(on("linux/amd64"))}, opts: Options{Format: Infer, Annotations: map[string]string{"a": "b"}}, want: "linux/amd64"},
		{name: "A14: inferred OCI for nothing", opts: Options{Format: Infer}, want: "", findings: []string{"Empty@manifests"}},
		{name: "A10: an OCI index holds any media type", children: []Child{docker(on("linux/amd64")), with(on("linux/arm64"), func(c *Child) { c.Descriptor.MediaType = "application/x" })},
			want: "linux/amd64 linux/arm64"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := mustAssemble(t, tc.children, tc.opts)
			if got := layout(t, r.Bytes); got != tc.want {
				t.Errorf("entries %q, want %q", got, tc.want)
			}
			if diff := cmp.Diff(tc.findings, found(r.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			want := ocispec.MediaTypeImageIndex
			if tc.docker {
				want = dockerList
			}
			if got := mustParse(t, r.Bytes); got.MediaType != want || got.SchemaVersion != 2 {
				t.Errorf("media type %s, schemaVersion %d; want %s, 2", got.MediaType, got.SchemaVersion, want)
			}
			if want := (ocispec.Descriptor{MediaType: want, Digest: digest.FromBytes(r.Bytes), Size: int64(len(r.Bytes))}); !cmp.Equal(want, r.Descriptor) {
				t.Errorf("descriptor (-want +got):\n%s", cmp.Diff(want, r.Descriptor))
			}
		})
	}
}

// TestAssembleErrors has a row for each rule that refuses.
func TestAssembleErrors(t *testing.T) {
	set := func(change func(*ocispec.Descriptor)) []Child {
		c := on("linux/amd64")
		change(&c.Descriptor)
		return []Child{c}
	}
	index := mustAssemble(t, children("linux/amd64"), Options{}).Bytes
	indexOfIndex := []byte(strings.ReplaceAll(string(index), ocispec.MediaTypeImageManifest, ocispec.MediaTypeImageIndex))
	subject := describe("subject", "nil")
	for _, tc := range []struct {
		name     string
		children []Child
		opts     Options
		want     []string
		path     string // of the first error
	}{
		{name: "A3: digest of another hash", children: set(func(d *ocispec.Descriptor) { d.Digest = "md5:zz" }), want: []string{"InvalidDigest@0"}, path: "children[0].digest"},
		{name: "A3: no digest", children: set(func(d *ocispec.Descriptor) { d.Digest = "" }), want: []string{"InvalidDigest@0"}},
		{name: "A3: short digest", children: set(func(d *ocispec.Descriptor) { d.Digest = d.Digest[:70] }), want: []string{"InvalidDigest@0"}},
		{name: "A3: negative size", children: set(func(d *ocispec.Descriptor) { d.Size = -5 }), want: []string{"InvalidSize@0"}, path: "children[0].size"},
		{name: "A3: no size", children: set(func(d *ocispec.Descriptor) { d.Size = 0 }), want: []string{"InvalidSize@0"}},
		{name: "A3: no media type", children: set(func(d *ocispec.Descriptor) { d.MediaType = "" }), want: []string{"InvalidMediaType@0"}, path: "children[0].mediaType"},
		{name: "A3: artifact type", children: set(func(d *ocispec.Descriptor) { d.ArtifactType = "sbom" }), want: []string{"InvalidMediaType@0"}, path: "children[0].artifactType"},
		{name: "A3: data is not the content", children: set(func(d *ocispec.Descriptor) { d.Data = []byte("x") }), want: []string{"Mismatch@0"}, path: "children[0].data"},
		{name: "A4: an image without a platform", children: []Child{named("a", "nil")}, want: []string{"InvalidPlatform@0"}, path: "children[0].platform"},
		{name: "A4: empty platform strings", children: set(func(d *ocispec.Descriptor) { d.Platform = &ocispec.Platform{} }), want: []string{"InvalidPlatform@0"}, path: "children[0].platform.os"},
		{name: "A4: alias", children: children("linux/amd64", "linux/aarch64"), want: []string{"InvalidPlatform@1"}, path: "children[1].platform.architecture"},
		{name: "A5: index", children: set(func(d *ocispec.Descriptor) { d.MediaType = ocispec.MediaTypeImageIndex }), want: []string{"NestedIndex@0"}},
		{name: "A5: Docker list", children: set(func(d *ocispec.Descriptor) { d.MediaType = dockerList }), want: []string{"NestedIndex@0"}},
		{name: "A5: index by its bytes", children: []Child{{Manifest: index}}, want: []string{"NestedIndex@0"}},
		{name: "A5: flatten without bytes", children: set(func(d *ocispec.Descriptor) { d.MediaType = ocispec.MediaTypeImageIndex }), opts: Options{Nested: Flatten}, want: []string{"NestedIndex@0"}, path: "children[0].manifest"},
		{name: "A5: flatten twice nested", children: []Child{{Manifest: indexOfIndex}}, opts: Options{Nested: Flatten}, want: []string{"NestedIndex@0"}, path: "children[0].manifests[0].mediaType"},
		{name: "A5: flatten what is ambiguous", children: []Child{{Manifest: []byte(`{"schemaVersion":2,"manifests":[],"Manifests":[]}`)}}, opts: Options{Nested: Flatten}, want: []string{"Ambiguous@0"}, path: "children[0].manifest.Manifests"},
		{name: "A6: duplicate", children: children("linux/arm64", "linux/amd64", "linux/arm64"), want: []string{"DuplicatePlatform@2:0"}, path: "children[2]"},
		{name: "A6: duplicate, baseline written out", children: children("linux/arm64", "linux/arm64/v8"), want: []string{"DuplicatePlatform@1:0"}},
		{name: "A6: duplicate, os.features are a set", children: children("linux/arm64+a+b", "linux/arm64+b+a"), want: []string{"DuplicatePlatform@1:0"}},
		{name: "A6: three duplicates", children: []Child{named("z", "linux/arm"), named("a", "linux/arm/v7"), named("m", "linux/arm")}, want: []string{"DuplicatePlatform@1:0", "DuplicatePlatform@2:0"}},
		{name: "A6: KeepIdentical refuses others", children: []Child{named("a", "linux/amd64"), named("b", "linux/amd64")}, opts: Options{Duplicates: KeepIdentical}, want: []string{"DuplicatePlatform@1:0"}},
		{name: "A6: KeepIdentical refuses other annotations", children: append(children("linux/amd64"), set(func(d *ocispec.Descriptor) { d.Annotations = map[string]string{"a": ""} })...), opts: Options{Duplicates: KeepIdentical}, want: []string{"DuplicatePlatform@1:0"}},
		{name: "A7: orphan", children: []Child{on("linux/amd64"), attestation("linux/arm64")}, opts: Options{Attestations: KeepAttestations}, want: []string{"OrphanAttestation@1"}},
		{name: "A7: orphan without a reference", children: children("linux/amd64", "unknown/unknown"), opts: Options{Attestations: KeepAttestations}, want: []string{"OrphanAttestation@1"}},
		{name: "A7: an attestation of an attestation", children: []Child{on("linux/amd64"), attestation("linux/amd64"), attestation("attestation of linux/amd64")}, opts: Options{Attestations: KeepAttestations}, want: []string{"OrphanAttestation@2"}},
		{name: "A8: missing", children: children("linux/amd64"), opts: Options{Required: required("linux/amd64", "linux/arm64", "linux/s390x")}, want: []string{"MissingPlatform@-1", "MissingPlatform@-1"}, path: "options.required[1]"},
		{name: "A8: the baseline is not another variant", children: children("linux/arm/v6"), opts: Options{Required: required("linux/arm")}, want: []string{"MissingPlatform@-1"}},
		{name: "A8: os.version if required", children: children("windows/amd64@10.0.1"), opts: Options{Required: required("windows/amd64@10.0.2")}, want: []string{"MissingPlatform@-1"}},
		{name: "A8: nothing at all", opts: Options{Required: required("linux/amd64")}, want: []string{"MissingPlatform@-1"}},
		{name: "A10: foreign media type", children: []Child{docker(on("linux/amd64")), on("linux/arm64")}, opts: Options{Format: Docker}, want: []string{"ForeignMediaType@1"}, path: "children[1].mediaType"},
		{name: "A10: annotations", opts: Options{Format: Docker, Annotations: map[string]string{"a": "b"}}, want: []string{"NotRepresentable@-1"}, path: "annotations"},
		{name: "A10: artifactType", opts: Options{Format: Docker, ArtifactType: "a/b"}, want: []string{"NotRepresentable@-1"}, path: "artifactType"},
		{name: "A10: subject", opts: Options{Format: Docker, Subject: &subject}, want: []string{"NotRepresentable@-1"}, path: "subject"},
		{name: "A10: annotations of a child", children: []Child{with(docker(on("linux/amd64")), func(c *Child) { c.Descriptor.Annotations = map[string]string{"a": "b"} })}, opts: Options{Format: Docker}, want: []string{"NotRepresentable@0"}, path: "children[0].annotations"},
		{name: "A10: attestation", children: []Child{docker(on("linux/amd64")), docker(attestation("linux/amd64"))}, opts: Options{Format: Docker, Attestations: KeepAttestations}, want: []string{"NotRepresentable@1"}},
		{name: "A10: urls of a child", children: []Child{with(docker(on("linux/amd64")), func(c *Child) { c.Descriptor.URLs = []string{"u"} })}, opts: Options{Format: Docker}, want: []string{"NotRepresentable@0"}, path: "children[0].urls"},
		{name: "A10: no platform", children: []Child{with(named("a", "nil"), func(c *Child) { c.Descriptor.MediaType, c.Descriptor.ArtifactType = "a/b", "a/b" })}, opts: Options{Format: Docker}, want: []string{"ForeignMediaType@0", "NotRepresentable@0"}},
		{name: "A12: the index", children: children("linux/amd64"), opts: Options{SizeLimit: 100}, want: []string{"TooLarge@-1"}},
		{name: "A12: a manifest", children: []Child{image("linux/amd64")}, opts: Options{SizeLimit: 100}, want: []string{"TooLarge@0"}, path: "children[0].manifest"},
		{name: "A3: subject of the index", opts: Options{Subject: &ocispec.Descriptor{MediaType: "a/b", Digest: "sha256:", Size: 1}}, want: []string{"InvalidDigest@-1"}, path: "subject.digest"},
		{name: "A3: artifactType of the index", opts: Options{ArtifactType: "sbom"}, want: []string{"InvalidMediaType@-1"}, path: "artifactType"},
		{name: "A3: a key of the index that is no UTF-8", opts: Options{Annotations: map[string]string{"a": "", "k\xff": "", "k\xfe": ""}}, want: []string{"InvalidText@-1"}, path: "annotations"},
		{name: "A3: a value of the index that is no UTF-8", opts: Options{Annotations: map[string]string{"a": "\xff"}}, want: []string{"InvalidText@-1"}, path: "annotations"},
		{name: "A3: an annotation of the subject", opts: Options{Subject: describedAs(with(named("subject", "nil"), annotated("k\xff", "")))}, want: []string{"InvalidText@-1"}, path: "subject.annotations"},
		{name: "A3: an annotation of a child", children: []Child{with(on("linux/amd64"), annotated("k\xff", ""))}, want: []string{"InvalidText@0"}, path: "children[0].annotations"},
		{name: "A3: the value of an annotation of a child", children: []Child{with(on("linux/amd64"), annotated("k", "\xed\xa0\x80"))}, want: []string{"InvalidText@0"}, path: "children[0].annotations"},
		{name: "A3: a URL", children: set(func(d *ocispec.Descriptor) { d.URLs = []string{"u", "\xff"} }), want: []string{"InvalidText@0"}, path: "children[0].urls[1]"},
		{name: "A3: variant", children: children("linux/arm64/v\xff"), want: []string{"InvalidText@0"}, path: "children[0].platform.variant"},
		{name: "A3: os.version", children: children("linux/arm64@1\xff"), want: []string{"InvalidText@0"}, path: "children[0].platform.os.version"},
		{name: "A3: os.features", children: children("linux/arm64+a+\xff"), want: []string{"InvalidText@0"}, path: "children[0].platform.os.features[1]"},
		{name: "A3: os.versions that U+FFFD would make one", children: children("linux/arm64@\xff", "linux/arm64@\xfe"), want: []string{"InvalidText@0", "InvalidText@1"}},
		{name: "A16: unknown format", opts: Options{Format: "oci"}, want: []string{"UnknownOption@-1"}, path: "options.format"},
		{name: "A16: unknown options", opts: Options{Duplicates: "x", Nested: "x", Attestations: "x"}, want: []string{"UnknownOption@-1", "UnknownOption@-1", "UnknownOption@-1"}},
		{name: "A16: Remove", opts: Options{Remove: required("linux/amd64")}, want: []string{"UnknownOption@-1"}, path: "options.remove"},
		{name: "A18: a child with a name", children: []Child{with(on("linux/x86_64"), func(c *Child) { c.Name = "amd64.tar" })},
			want: []string{"InvalidPlatform@0"}, path: "children[amd64.tar].platform.architecture"},
		{name: "A18: a child without", children: children("linux/x86_64"), want: []string{"InvalidPlatform@0"}, path: "children[0].platform.architecture"},
		{name: "A17: everything at once, children first", opts: Options{Required: required("linux/s390x")}, children: []Child{
			with(on("linux/arm64"), func(c *Child) { c.Descriptor.Digest, c.Descriptor.Size = "sha256:x", -1 }),
			on("linux/amd64"), on("linux/x86_64"), on("linux/amd64"),
		}, want: []string{"InvalidDigest@0", "InvalidSize@0", "InvalidPlatform@2", "DuplicatePlatform@3:1", "MissingPlatform@-1"}},
		{name: "A17: a child with errors is not missing as well", opts: Options{Required: required("linux/arm64")},
			children: []Child{with(on("linux/arm64"), func(c *Child) { c.Descriptor.Size = -1 })}, want: []string{"InvalidSize@0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Assemble(tc.children, tc.opts)
			if diff := cmp.Diff(tc.want, codes(t, err)); diff != "" {
				t.Fatalf("errors (-want +got):\n%s\n%v", diff, err)
			}
			if !cmp.Equal(r, Result{}) {
				t.Errorf("a result beside the error: %+v", r)
			}
			var first *IndexError
			if !errors.As(err, &first) {
				t.Fatal("errors.As finds no *IndexError")
			}
			if tc.path != "" && first.Path != tc.path {
				t.Errorf("path %q, want %q", first.Path, tc.path)
			}
		})
	}
}

func TestAssembleWritesWhatItWasAskedFor(t *testing.T) {
	subject := describe("subject", "nil")
	opts := Options{
		Annotations:  map[string]string{"org.opencontainers.image.version": "4.20", "a": "<&>"},
		ArtifactType: "application/vnd.example.os",
		Subject:      &subject,
	}
	r := mustAssemble(t, children("linux/arm64", "linux/amd64"), opts)
	want := ocispec.Index{
		MediaType: ocispec.MediaTypeImageIndex, ArtifactType: opts.ArtifactType, Subject: &subject, Annotations: opts.Annotations,
		Manifests: []ocispec.Descriptor{describe("linux/amd64", "linux/amd64"), describe("linux/arm64", "linux/arm64")},
	}
	want.SchemaVersion = 2
	wantBytes, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(wantBytes), string(r.Bytes)); diff != "" {
		t.Errorf("bytes (-encoding/json +Assemble):\n%s", diff)
	}
	if r.Descriptor.ArtifactType != opts.ArtifactType {
		t.Errorf("the descriptor's artifactType is %q", r.Descriptor.ArtifactType)
	}
}

// The digest of an index depends on nothing but its content, so it is written
// down here once.
func TestAssembleGoldenDigest(t *testing.T) {
	r := mustAssemble(t, children("linux/s390x", "linux/arm64", "linux/ppc64le", "linux/amd64"), Options{})
	const want = "sha256:ff9bb40655d2911adb521adb42d16a3c15970530ad3a7a1f5207bc79bb55f99d"
	if r.Descriptor.Digest != want {
		t.Errorf("digest %s, want %s\n%s", r.Descriptor.Digest, want, r.Bytes)
	}
}

func TestNoOrderOfTheChildrenShows(t *testing.T) {
	all := append(children("linux/arm64/v8", "linux/amd64", "linux/arm/v6", "linux/arm", "windows/amd64@10.0.1", "windows/amd64@10.0.2", "linux/s390x"),
		attestation("linux/amd64"), attestation("linux/s390x"))
	want := mustAssemble(t, all, Options{Attestations: KeepAttestations})
	for range 200 {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		got := mustAssemble(t, all, Options{Attestations: KeepAttestations})
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("another order, another index (-first +now):\n%s", diff)
		}
	}
}

// TestAssembleLimit: 4 MiB hold about 20,000 entries.
func TestAssembleLimit(t *testing.T) {
	in := benchChildren(25000)
	if r := mustAssemble(t, in[:18000], Options{}); len(r.Bytes) > MaxSize {
		t.Errorf("%d bytes", len(r.Bytes))
	}
	_, err := Assemble(in, Options{})
	if diff := cmp.Diff([]string{"TooLarge@-1"}, codes(t, err)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if _, err := Assemble(in, Options{SizeLimit: 8 << 20}); err != nil {
		t.Error(err)
	}
	_, err = Assemble(in, Options{Required: required("none/none"), SizeLimit: 8 << 20})
	if err == nil || len(err.Error()) > 2000 {
		t.Errorf("an error nobody reads: %.200s…", err)
	}
}

func TestAssembleAllocations(t *testing.T) {
	in := benchChildren(64)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := Assemble(in, Options{}); err != nil {
			t.Fatal(err)
		}
	}); n > 4 {
		t.Errorf("Assemble of 64 descriptors allocates %v times, want at most 4", n)
	}
}
