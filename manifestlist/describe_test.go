package manifestlist

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"
)

func TestDescribeRules(t *testing.T) {
	bytes := image("linux/arm64/v8")
	index := mustAssemble(t, children("linux/amd64"), Options{}).Bytes
	for _, tc := range []struct {
		name     string
		child    Child
		opts     Options
		want     ocispec.Descriptor
		findings []string
		errors   []string
	}{
		{name: "D1: out of the bytes", child: bytes, want: ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest,
			Digest: digest.FromBytes(bytes.Manifest), Size: int64(len(bytes.Manifest)), Platform: platform("linux/arm64/v8")}},
		{name: "D1: a descriptor alone", child: on("linux/amd64"), want: describe("linux/amd64", "linux/amd64")},
		{name: "D1: a name that Go does not know", child: on("bogus/nope"), want: describe("bogus/nope", "bogus/nope"), findings: []string{"UnknownPlatform@children[0]"}},
		{name: "D1: what the bytes contradict", child: with(bytes, func(c *Child) { c.Descriptor.Size = 1 }), errors: []string{"Mismatch@0"}},
		{name: "D1: nothing", errors: []string{"InvalidMediaType@0", "InvalidDigest@0", "InvalidSize@0"}},
		{name: "D1: required, an equivalent variant", child: bytes, opts: Options{Required: required("linux/arm64")}, want: ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(bytes.Manifest), Size: int64(len(bytes.Manifest)), Platform: platform("linux/arm64/v8")}},
		{name: "D1: another platform than required", child: bytes, opts: Options{Required: required("linux/amd64")}, errors: []string{"MissingPlatform@-1"}},
		{name: "D1: everything at once, the child first", child: with(bytes, func(c *Child) { c.Descriptor.Size = 1 }), opts: Options{Required: required("linux/amd64"), Format: "x"},
			errors: []string{"Mismatch@0", "UnknownOption@-1", "MissingPlatform@-1"}},
		{name: "D1: an OCI image for a Docker list", child: on("linux/amd64"), opts: Options{Format: Docker}, errors: []string{"ForeignMediaType@0"}},
		{name: "D1: size limit", child: bytes, opts: Options{SizeLimit: 10}, errors: []string{"TooLarge@0"}},
		{name: "D1: options of the index do not count", child: on("linux/amd64"), opts: Options{Duplicates: "x", Nested: "x", Attestations: "x", ArtifactType: "x"},
			want: describe("linux/amd64", "linux/amd64")},
		{name: "D2: an index", child: Child{Manifest: index}, errors: []string{"NestedIndex@0"}},
		{name: "D2: an index, flattened or not", child: Child{Manifest: index}, opts: Options{Nested: Flatten}, errors: []string{"NestedIndex@0"}},
		{name: "D3: an attestation", child: attestation("a"), want: attestation("a").Descriptor},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, findings, err := Describe(tc.child, tc.opts)
			if diff := cmp.Diff(tc.errors, codes(t, err)); diff != "" {
				t.Fatalf("errors (-want +got):\n%s\n%v", diff, err)
			}
			if diff := cmp.Diff(tc.want, d); diff != "" {
				t.Errorf("descriptor (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.findings, found(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Describe and Assemble agree about every child that can stand alone.
func TestDescribeAgainstAssemble(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, c := range drawChildren(t) {
			if isAttestation(&c.Descriptor) {
				continue // alone in an index it would be an orphan
			}
			r := mustAssembleRapid(t, []Child{c}, Options{})
			d, findings, err := Describe(c, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := mustParseRapid(t, r.Bytes).Manifests[0]
			if diff := cmp.Diff(string(appendDescriptor(nil, &want, nil)), string(appendDescriptor(nil, &d, nil))); diff != "" {
				t.Fatalf("(-Assemble +Describe):\n%s", diff)
			}
			if diff := cmp.Diff(r.Findings, findings); diff != "" {
				t.Fatalf("findings (-Assemble +Describe):\n%s", diff)
			}
		}
	})
}
