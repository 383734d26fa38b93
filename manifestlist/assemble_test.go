package manifestlist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func docker(c Child) Child {
	c.Descriptor.MediaType = dockerManifest
	return c
}

// nested is an index of the children, as a child itself.
func nested(children ...Child) Child {
	index := ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex}
	for _, c := range children {
		index.Manifests = append(index.Manifests, c.Descriptor)
	}
	return Child{Manifest: marshal(index)}
}

// embedding is a child of that content and size, with data in its descriptor.
func embedding(content, data string, size int64) Child {
	return with(on("linux/amd64"), func(c *Child) {
		c.Descriptor.Digest, c.Descriptor.Data, c.Descriptor.Size = digest.FromString(content), []byte(data), size
	})
}

// TestAssembleRules has a row for each rule that accepts: what comes out, in
// which order, and what is reported.
func TestAssembleRules(t *testing.T) {
	type row struct {
		name     string
		children []Child
		opts     Options
		want     string
		docker   bool
		findings []string
	}
	flattened := Options{Nested: Flatten, Duplicates: ReplaceDuplicates}
	rows := []row{
		{name: "A18: a child with a name", children: []Child{on("linux/amd64"), with(on("unknown/unknown"), func(c *Child) { c.Name = "sbom.json" })}, want: "linux/amd64",
			findings: []string{"AttestationDropped@children[sbom.json]"}},
		{name: "A9: half of the platform is not enough, the architecture", children: children("linux/amd64", "linux/unknown"), want: "linux/amd64 linux/unknown",
			findings: []string{"UnknownPlatform@children[1]"}},
		{name: "A10,A15: a Docker list of nothing", opts: Options{Format: Docker}, docker: true, findings: []string{"Empty@manifests"}},
		{name: "A6: replace: of one nested index, the last stands", children: []Child{nested(named("a", "linux/amd64"), named("b", "linux/amd64"))}, opts: flattened,
			want: "linux/amd64", findings: []string{"Flattened@children[0]", "ChildReplaced@children[0].manifests[0]"}},
		{name: "A6: replace: of one nested index, the last stands, whatever its digest", children: []Child{nested(named("b", "linux/amd64"), named("a", "linux/amd64"))}, opts: flattened,
			want: "linux/amd64", findings: []string{"Flattened@children[0]", "ChildReplaced@children[0].manifests[0]"}},
		{name: "A6: replace: a later child stands, however deep the other was", children: []Child{nested(on("linux/arm64"), named("a", "linux/amd64")), named("b", "linux/amd64")}, opts: flattened,
			want: "linux/amd64 linux/arm64", findings: []string{"Flattened@children[0]", "ChildReplaced@children[0].manifests[1]"}},
		{name: "A6: replace: a later child stands, whatever its digest", children: []Child{nested(on("linux/arm64"), named("b", "linux/amd64")), named("a", "linux/amd64")}, opts: flattened,
			want: "linux/amd64 linux/arm64", findings: []string{"Flattened@children[0]", "ChildReplaced@children[0].manifests[1]"}},
		{name: "A6: replace: a nested index that comes later stands", children: []Child{named("b", "linux/amd64"), nested(named("a", "linux/amd64"))}, opts: flattened,
			want: "linux/amd64", findings: []string{"Flattened@children[1]", "ChildReplaced@children[0]"}},
	}
	for _, c := range manifestlisttest.AssembleCases() {
		rows = append(rows, row{c.Name, fromKit(c.Children...), optionsFromKit(c.Options), c.Layout, c.Docker, c.Findings})
	}
	for _, tc := range rows {
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

// TestInferredOCI has a row for each thing that only an OCI index can hold.
func TestInferredOCI(t *testing.T) {
	subject := describe("subject", "nil")
	one := docker(on("linux/amd64"))
	for _, tc := range []struct {
		name  string
		child Child
		opts  Options
		want  string
	}{
		{"A14: nothing of the kind", one, Options{}, dockerList},
		{"A14: annotations", one, Options{Annotations: map[string]string{"a": "b"}}, ocispec.MediaTypeImageIndex},
		{"A14: an artifactType", one, Options{ArtifactType: "a/b"}, ocispec.MediaTypeImageIndex},
		{"A14: a subject", one, Options{Subject: &subject}, ocispec.MediaTypeImageIndex},
		{"A14: urls of a child", with(one, func(c *Child) { c.Descriptor.URLs = []string{"u"} }), Options{}, ocispec.MediaTypeImageIndex},
		{"A14: a child of OCI", on("linux/amd64"), Options{}, ocispec.MediaTypeImageIndex},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.opts.Format = Infer
			if r := mustAssemble(t, []Child{tc.child}, tc.opts); r.Descriptor.MediaType != tc.want {
				t.Errorf("media type %s, want %s", r.Descriptor.MediaType, tc.want)
			}
		})
	}
}

// What is given many times is reported in the order given.
func TestIdenticalChildrenInTheirOrder(t *testing.T) {
	var all []Child
	for range 20 {
		all = append(all, children("linux/s390x", "linux/amd64", "linux/arm64")...)
	}
	var plain, inner []string
	for _, first := range []int{1, 2, 0} {
		for i := first + 3; i < len(all); i += 3 {
			plain = append(plain, fmt.Sprintf("IdenticalDropped@children[%d]", i))
			inner = append(inner, fmt.Sprintf("IdenticalDropped@children[0].manifests[%d]", i))
		}
	}
	r := mustAssemble(t, all, Options{Duplicates: KeepIdentical})
	if diff := cmp.Diff(plain, found(r.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	r = mustAssemble(t, []Child{nested(all...)}, Options{Duplicates: KeepIdentical, Nested: Flatten})
	if diff := cmp.Diff(append([]string{"Flattened@children[0]"}, inner...), found(r.Findings)); diff != "" {
		t.Errorf("findings of a nested index (-want +got):\n%s", diff)
	}
}

// TestAssembleErrors has a row for each rule that refuses.
func TestAssembleErrors(t *testing.T) {
	type row struct {
		name     string
		children []Child
		opts     Options
		want     []string
		path     string // of the first error
	}
	artifact := with(named("artifact", "nil"), func(c *Child) { c.Descriptor.ArtifactType = "a/b" })
	rows := []row{
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
		{name: "A10: an artifact in a Docker list", opts: Options{Format: Docker}, children: []Child{with(docker(on("linux/amd64")), func(c *Child) { c.Descriptor.ArtifactType = "a/b" })},
			want: []string{"NotRepresentable@0"}, path: "children[0].artifactType"},
		{name: "A10: data in a Docker list", opts: Options{Format: Docker}, children: []Child{docker(embedding("abc", "abc", 3))},
			want: []string{"NotRepresentable@0"}, path: "children[0].data"},
		{name: "A3: data longer than the size", children: []Child{embedding("abc", "abc", 2)}, want: []string{"Mismatch@0"}, path: "children[0].data"},
		{name: "A3: data shorter than the size", children: []Child{embedding("abc", "abc", 4)}, want: []string{"Mismatch@0"}, path: "children[0].data"},
		{name: "A3: data of the size, but another content", children: []Child{embedding("abc", "abd", 3)}, want: []string{"Mismatch@0"}, path: "children[0].data"},
		{name: "A3: data of no digest", children: []Child{with(embedding("abc", "abc", 3), func(c *Child) { c.Descriptor.Digest = "abc" })}, want: []string{"InvalidDigest@0"}},
		{name: "A1,A17: digest and size of the descriptor", children: []Child{with(image("linux/amd64"), func(c *Child) { c.Descriptor.Size, c.Descriptor.Digest = 1, "md5:zz" })},
			want: []string{"Mismatch@0", "InvalidDigest@0"}, path: "children[0].size"},
		{name: "A5: flatten what has no list", children: []Child{{Manifest: []byte(`{"schemaVersion":2,"mediaType":"` + ocispec.MediaTypeImageIndex + `","manifests":null}`)}},
			opts: Options{Nested: Flatten}, want: []string{"NotIndex@0"}, path: "children[0].manifest.manifests"},
		{name: "A5: an index in an index is refused, not checked", opts: Options{Nested: Flatten},
			children: []Child{{Manifest: marshal(ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, Manifests: []ocispec.Descriptor{{MediaType: ocispec.MediaTypeImageIndex}}})}},
			want:     []string{"NestedIndex@0"}, path: "children[0].manifests[0].mediaType"},
		{name: "A6: what has no platform, twice", children: []Child{artifact, artifact}, want: []string{"DuplicatePlatform@1:0"}, path: "children[1]"},
		{name: "A17: an attestation with errors is no orphan as well", opts: Options{Attestations: KeepAttestations},
			children: []Child{with(attestation("linux/amd64"), func(c *Child) { c.Descriptor.Size = 0 })}, want: []string{"InvalidSize@0"}},
		{name: "A17: a child whose bytes have errors is not missing as well", opts: Options{Required: required("linux/arm64")},
			children: []Child{with(image("linux/arm64"), func(c *Child) { c.Descriptor.Size = 1 })}, want: []string{"Mismatch@0"}},
		{name: "A17: a child with errors is not missing as well", opts: Options{Required: required("linux/arm64")},
			children: []Child{with(on("linux/arm64"), func(c *Child) { c.Descriptor.Size = -1 })}, want: []string{"InvalidSize@0"}},
	}
	for _, c := range manifestlisttest.RefusedCases() {
		rows = append(rows, row{c.Name, fromKit(c.Children...), optionsFromKit(c.Options), c.Errors, c.Path})
	}
	for _, tc := range rows {
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
