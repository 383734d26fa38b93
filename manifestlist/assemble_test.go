package manifestlist

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func docker(c Child) Child {
	c.Descriptor.MediaType = dockerManifest
	return c
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
	rows := []row{
		{name: "A18: a child with a name", children: []Child{on("linux/amd64"), with(on("unknown/unknown"), func(c *Child) { c.Name = "sbom.json" })}, want: "linux/amd64",
			findings: []string{"AttestationDropped@children[sbom.json]"}},
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

// TestAssembleErrors has a row for each rule that refuses.
func TestAssembleErrors(t *testing.T) {
	type row struct {
		name     string
		children []Child
		opts     Options
		want     []string
		path     string // of the first error
	}
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
