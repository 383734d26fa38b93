package manifestlisttest

import (
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A DescribeCase is one image without an index. With Errors it is refused.
type DescribeCase struct {
	Rules    string // their IDs
	Name     string
	Child    Child
	Options  Options
	Want     ocispec.Descriptor
	Findings []string // what polyarch reports, code@path
	Errors   []string // what polyarch reports, code@position
}

// DescribeCases are one or more for each rule.
func DescribeCases() []DescribeCase {
	bytes := Image("linux/arm64/v8")
	index := AssembleOracle(Children("linux/amd64"), Options{})
	return []DescribeCase{
		{Rules: "described-as-assembled", Name: "out of the bytes", Child: bytes, Want: ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest,
			Digest: digest.FromBytes(bytes.Manifest), Size: int64(len(bytes.Manifest)), Platform: Platform("linux/arm64/v8")}},
		{Rules: "described-as-assembled", Name: "a descriptor alone", Child: On("linux/amd64"), Want: Described("linux/amd64", "linux/amd64")},
		{Rules: "described-as-assembled", Name: "a name that Go does not know", Child: On("bogus/nope"), Want: Described("bogus/nope", "bogus/nope"), Findings: []string{"UnknownPlatform@children[0]"}},
		{Rules: "described-as-assembled", Name: "what the bytes contradict", Child: With(bytes, func(c *Child) { c.Descriptor.Size = 1 }), Errors: []string{"Mismatch@0"}},
		{Rules: "described-as-assembled", Name: "nothing", Errors: []string{"InvalidMediaType@0", "InvalidDigest@0", "InvalidSize@0"}},
		{Rules: "described-as-assembled", Name: "required, an equivalent variant", Child: bytes, Options: Options{Required: Platforms("linux/arm64")}, Want: ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(bytes.Manifest), Size: int64(len(bytes.Manifest)), Platform: Platform("linux/arm64/v8")}},
		{Rules: "described-as-assembled", Name: "another platform than required", Child: bytes, Options: Options{Required: Platforms("linux/amd64")}, Errors: []string{"MissingPlatform@-1"}},
		{Rules: "described-as-assembled", Name: "everything at once, the child first", Child: With(bytes, func(c *Child) { c.Descriptor.Size = 1 }), Options: Options{Required: Platforms("linux/amd64"), Format: "x"},
			Errors: []string{"Mismatch@0", "UnknownOption@-1", "MissingPlatform@-1"}},
		{Rules: "described-as-assembled", Name: "an OCI image for a Docker list", Child: On("linux/amd64"), Options: Options{Format: Docker}, Errors: []string{"ForeignMediaType@0"}},
		{Rules: "described-as-assembled", Name: "size limit", Child: bytes, Options: Options{SizeLimit: 10}, Errors: []string{"TooLarge@0"}},
		{Rules: "described-as-assembled", Name: "options of the index do not count", Child: On("linux/amd64"), Options: Options{Duplicates: "x", Nested: "x", Attestations: "x", ArtifactType: "x"},
			Want: Described("linux/amd64", "linux/amd64")},
		{Rules: "index-is-not-described", Name: "an index", Child: Child{Manifest: index}, Errors: []string{"NestedIndex@0"}},
		{Rules: "index-is-not-described", Name: "an index, flattened or not", Child: Child{Manifest: index}, Options: Options{Nested: Flatten}, Errors: []string{"NestedIndex@0"}},
		{Rules: "attestation-is-described", Name: "an attestation", Child: Attestation("a"), Want: Attestation("a").Descriptor},
	}
}
