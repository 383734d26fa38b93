package manifestlisttest

import (
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A RefusedCase is a case of Assemble that makes no index.
type RefusedCase struct {
	Rules    string // their IDs
	Name     string
	Children []Child
	Options  Options
	Errors   []string // what polyarch reports, code@position or code@position:other
	Path     string   // of the first error
}

// RefusedCases are one or more for each rule that refuses.
func RefusedCases() []RefusedCase {
	set := func(change func(*ocispec.Descriptor)) []Child {
		c := On("linux/amd64")
		change(&c.Descriptor)
		return []Child{c}
	}
	index := AssembleOracle(Children("linux/amd64"), Options{})
	indexOfIndex := []byte(strings.ReplaceAll(string(index), ocispec.MediaTypeImageManifest, ocispec.MediaTypeImageIndex))
	subject := Described("subject", "nil")
	descriptorOf := func(c Child) *ocispec.Descriptor { return &c.Descriptor }
	return []RefusedCase{
		{Rules: "descriptors-well-formed", Name: "digest of another hash", Children: set(func(d *ocispec.Descriptor) { d.Digest = "md5:zz" }), Errors: []string{"InvalidDigest@0"}, Path: "children[0].digest"},
		{Rules: "descriptors-well-formed", Name: "no digest", Children: set(func(d *ocispec.Descriptor) { d.Digest = "" }), Errors: []string{"InvalidDigest@0"}},
		{Rules: "descriptors-well-formed", Name: "short digest", Children: set(func(d *ocispec.Descriptor) { d.Digest = d.Digest[:70] }), Errors: []string{"InvalidDigest@0"}},
		{Rules: "descriptors-well-formed", Name: "negative size", Children: set(func(d *ocispec.Descriptor) { d.Size = -5 }), Errors: []string{"InvalidSize@0"}, Path: "children[0].size"},
		{Rules: "descriptors-well-formed", Name: "no size", Children: set(func(d *ocispec.Descriptor) { d.Size = 0 }), Errors: []string{"InvalidSize@0"}},
		{Rules: "descriptors-well-formed", Name: "no media type", Children: set(func(d *ocispec.Descriptor) { d.MediaType = "" }), Errors: []string{"InvalidMediaType@0"}, Path: "children[0].mediaType"},
		{Rules: "descriptors-well-formed", Name: "artifact type", Children: set(func(d *ocispec.Descriptor) { d.ArtifactType = "sbom" }), Errors: []string{"InvalidMediaType@0"}, Path: "children[0].artifactType"},
		{Rules: "descriptors-well-formed", Name: "data is not the content", Children: set(func(d *ocispec.Descriptor) { d.Data = []byte("x") }), Errors: []string{"Mismatch@0"}, Path: "children[0].data"},
		{Rules: "platforms-spelled-as-go", Name: "an image without a platform", Children: []Child{Named("a", "nil")}, Errors: []string{"InvalidPlatform@0"}, Path: "children[0].platform"},
		{Rules: "platforms-spelled-as-go", Name: "empty platform strings", Children: set(func(d *ocispec.Descriptor) { d.Platform = &ocispec.Platform{} }), Errors: []string{"InvalidPlatform@0"}, Path: "children[0].platform.os"},
		{Rules: "platforms-spelled-as-go", Name: "alias", Children: Children("linux/amd64", "linux/aarch64"), Errors: []string{"InvalidPlatform@1"}, Path: "children[1].platform.architecture"},
		{Rules: "no-index-in-an-index", Name: "index", Children: set(func(d *ocispec.Descriptor) { d.MediaType = ocispec.MediaTypeImageIndex }), Errors: []string{"NestedIndex@0"}},
		{Rules: "no-index-in-an-index", Name: "Docker list", Children: set(func(d *ocispec.Descriptor) { d.MediaType = DockerList }), Errors: []string{"NestedIndex@0"}},
		{Rules: "no-index-in-an-index", Name: "index by its bytes", Children: []Child{{Manifest: index}}, Errors: []string{"NestedIndex@0"}},
		{Rules: "no-index-in-an-index", Name: "flatten without bytes", Children: set(func(d *ocispec.Descriptor) { d.MediaType = ocispec.MediaTypeImageIndex }), Options: Options{Nested: Flatten}, Errors: []string{"NestedIndex@0"}, Path: "children[0].manifest"},
		{Rules: "no-index-in-an-index", Name: "flatten twice nested", Children: []Child{{Manifest: indexOfIndex}}, Options: Options{Nested: Flatten}, Errors: []string{"NestedIndex@0"}, Path: "children[0].manifests[0].mediaType"},
		{Rules: "no-index-in-an-index", Name: "flatten what is ambiguous", Children: []Child{{Manifest: []byte(`{"schemaVersion":2,"manifests":[],"Manifests":[]}`)}}, Options: Options{Nested: Flatten}, Errors: []string{"Ambiguous@0"}, Path: "children[0].manifest.Manifests"},
		{Rules: "one-child-for-each-platform", Name: "duplicate", Children: Children("linux/arm64", "linux/amd64", "linux/arm64"), Errors: []string{"DuplicatePlatform@2:0"}, Path: "children[2]"},
		{Rules: "one-child-for-each-platform", Name: "duplicate, baseline written out", Children: Children("linux/arm64", "linux/arm64/v8"), Errors: []string{"DuplicatePlatform@1:0"}},
		{Rules: "one-child-for-each-platform", Name: "duplicate, os.features are a set", Children: Children("linux/arm64+a+b", "linux/arm64+b+a"), Errors: []string{"DuplicatePlatform@1:0"}},
		{Rules: "one-child-for-each-platform", Name: "three duplicates", Children: []Child{Named("z", "linux/arm"), Named("a", "linux/arm/v7"), Named("m", "linux/arm")}, Errors: []string{"DuplicatePlatform@1:0", "DuplicatePlatform@2:0"}},
		{Rules: "one-child-for-each-platform", Name: "KeepIdentical refuses others", Children: []Child{Named("a", "linux/amd64"), Named("b", "linux/amd64")}, Options: Options{Duplicates: KeepIdentical}, Errors: []string{"DuplicatePlatform@1:0"}},
		{Rules: "one-child-for-each-platform", Name: "KeepIdentical refuses other annotations", Children: append(Children("linux/amd64"), set(func(d *ocispec.Descriptor) { d.Annotations = map[string]string{"a": ""} })...), Options: Options{Duplicates: KeepIdentical}, Errors: []string{"DuplicatePlatform@1:0"}},
		{Rules: "attestations-refer-to-an-image", Name: "orphan", Children: []Child{On("linux/amd64"), Attestation("linux/arm64")}, Options: Options{Attestations: KeepAttestations}, Errors: []string{"OrphanAttestation@1"}},
		{Rules: "attestations-refer-to-an-image", Name: "orphan without a reference", Children: Children("linux/amd64", "unknown/unknown"), Options: Options{Attestations: KeepAttestations}, Errors: []string{"OrphanAttestation@1"}},
		{Rules: "attestations-refer-to-an-image", Name: "an attestation of an attestation", Children: []Child{On("linux/amd64"), Attestation("linux/amd64"), Attestation("attestation of linux/amd64")}, Options: Options{Attestations: KeepAttestations}, Errors: []string{"OrphanAttestation@2"}},
		{Rules: "required-platforms-are-there", Name: "missing", Children: Children("linux/amd64"), Options: Options{Required: Platforms("linux/amd64", "linux/arm64", "linux/s390x")}, Errors: []string{"MissingPlatform@-1", "MissingPlatform@-1"}, Path: "options.required[1]"},
		{Rules: "required-platforms-are-there", Name: "the baseline is not another variant", Children: Children("linux/arm/v6"), Options: Options{Required: Platforms("linux/arm")}, Errors: []string{"MissingPlatform@-1"}},
		{Rules: "required-platforms-are-there", Name: "os.version if required", Children: Children("windows/amd64@10.0.1"), Options: Options{Required: Platforms("windows/amd64@10.0.2")}, Errors: []string{"MissingPlatform@-1"}},
		{Rules: "required-platforms-are-there", Name: "nothing at all", Options: Options{Required: Platforms("linux/amd64")}, Errors: []string{"MissingPlatform@-1"}},
		{Rules: "docker-list-holds-docker-images", Name: "foreign media type", Children: []Child{AsDocker(On("linux/amd64")), On("linux/arm64")}, Options: Options{Format: Docker}, Errors: []string{"ForeignMediaType@1"}, Path: "children[1].mediaType"},
		{Rules: "docker-list-holds-docker-images", Name: "annotations", Options: Options{Format: Docker, Annotations: map[string]string{"a": "b"}}, Errors: []string{"NotRepresentable@-1"}, Path: "annotations"},
		{Rules: "docker-list-holds-docker-images", Name: "artifactType", Options: Options{Format: Docker, ArtifactType: "a/b"}, Errors: []string{"NotRepresentable@-1"}, Path: "artifactType"},
		{Rules: "docker-list-holds-docker-images", Name: "subject", Options: Options{Format: Docker, Subject: &subject}, Errors: []string{"NotRepresentable@-1"}, Path: "subject"},
		{Rules: "docker-list-holds-docker-images", Name: "annotations of a child", Children: []Child{With(AsDocker(On("linux/amd64")), func(c *Child) { c.Descriptor.Annotations = map[string]string{"a": "b"} })}, Options: Options{Format: Docker}, Errors: []string{"NotRepresentable@0"}, Path: "children[0].annotations"},
		{Rules: "docker-list-holds-docker-images", Name: "attestation", Children: []Child{AsDocker(On("linux/amd64")), AsDocker(Attestation("linux/amd64"))}, Options: Options{Format: Docker, Attestations: KeepAttestations}, Errors: []string{"NotRepresentable@1"}},
		{Rules: "docker-list-holds-docker-images", Name: "urls of a child", Children: []Child{With(AsDocker(On("linux/amd64")), func(c *Child) { c.Descriptor.URLs = []string{"u"} })}, Options: Options{Format: Docker}, Errors: []string{"NotRepresentable@0"}, Path: "children[0].urls"},
		{Rules: "docker-list-holds-docker-images", Name: "no platform", Children: []Child{With(Named("a", "nil"), func(c *Child) { c.Descriptor.MediaType, c.Descriptor.ArtifactType = "a/b", "a/b" })}, Options: Options{Format: Docker}, Errors: []string{"ForeignMediaType@0", "NotRepresentable@0"}},
		{Rules: "size-limit", Name: "the index", Children: Children("linux/amd64"), Options: Options{SizeLimit: 100}, Errors: []string{"TooLarge@-1"}},
		{Rules: "size-limit", Name: "a manifest", Children: []Child{Image("linux/amd64")}, Options: Options{SizeLimit: 100}, Errors: []string{"TooLarge@0"}, Path: "children[0].manifest"},
		{Rules: "descriptors-well-formed", Name: "subject of the index", Options: Options{Subject: &ocispec.Descriptor{MediaType: "a/b", Digest: "sha256:", Size: 1}}, Errors: []string{"InvalidDigest@-1"}, Path: "subject.digest"},
		{Rules: "descriptors-well-formed", Name: "artifactType of the index", Options: Options{ArtifactType: "sbom"}, Errors: []string{"InvalidMediaType@-1"}, Path: "artifactType"},
		{Rules: "descriptors-well-formed", Name: "a key of the index that is no UTF-8", Options: Options{Annotations: map[string]string{"a": "", "k\xff": "", "k\xfe": ""}}, Errors: []string{"InvalidText@-1"}, Path: "annotations"},
		{Rules: "descriptors-well-formed", Name: "a value of the index that is no UTF-8", Options: Options{Annotations: map[string]string{"a": "\xff"}}, Errors: []string{"InvalidText@-1"}, Path: "annotations"},
		{Rules: "descriptors-well-formed", Name: "an annotation of the subject", Options: Options{Subject: descriptorOf(With(Named("subject", "nil"), annotated("k\xff", "")))}, Errors: []string{"InvalidText@-1"}, Path: "subject.annotations"},
		{Rules: "descriptors-well-formed", Name: "an annotation of a child", Children: []Child{With(On("linux/amd64"), annotated("k\xff", ""))}, Errors: []string{"InvalidText@0"}, Path: "children[0].annotations"},
		{Rules: "descriptors-well-formed", Name: "the value of an annotation of a child", Children: []Child{With(On("linux/amd64"), annotated("k", "\xed\xa0\x80"))}, Errors: []string{"InvalidText@0"}, Path: "children[0].annotations"},
		{Rules: "descriptors-well-formed", Name: "a URL", Children: set(func(d *ocispec.Descriptor) { d.URLs = []string{"u", "\xff"} }), Errors: []string{"InvalidText@0"}, Path: "children[0].urls[1]"},
		{Rules: "descriptors-well-formed", Name: "variant", Children: Children("linux/arm64/v\xff"), Errors: []string{"InvalidText@0"}, Path: "children[0].platform.variant"},
		{Rules: "descriptors-well-formed", Name: "os.version", Children: Children("linux/arm64@1\xff"), Errors: []string{"InvalidText@0"}, Path: "children[0].platform.os.version"},
		{Rules: "descriptors-well-formed", Name: "os.features", Children: Children("linux/arm64+a+\xff"), Errors: []string{"InvalidText@0"}, Path: "children[0].platform.os.features[1]"},
		{Rules: "descriptors-well-formed", Name: "os.versions that U+FFFD would make one", Children: Children("linux/arm64@\xff", "linux/arm64@\xfe"), Errors: []string{"InvalidText@0", "InvalidText@1"}},
	}
}
