package manifestlisttest

import (
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A ChildCase is a child that comes with its bytes, and what the index is to say of
// it. Without Want it is refused.
type ChildCase struct {
	Rules string // their IDs
	Name  string
	Child Child
	Want  *ocispec.Descriptor
	Code  string // of the error that polyarch reports
	Path  string // of that error, below the child
}

// ChildCases hold a descriptor, a manifest and a config against each other.
func ChildCases() []ChildCase {
	plain := Image("linux/arm64")
	of := func(c Child) ocispec.Descriptor {
		return ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(c.Manifest), Size: int64(len(c.Manifest)), Platform: Platform("linux/arm64")}
	}
	described := With(plain, func(c *Child) { c.Descriptor = of(plain) })
	describedUnder := func(p string) Child {
		return With(described, func(c *Child) { c.Descriptor.Platform = Platform(p) })
	}
	sha512 := With(described, func(c *Child) { c.Descriptor.Digest = digest.SHA512.FromBytes(c.Manifest) })
	armless := Configured(`{"os":"linux","architecture":"arm"}`, dockerConfig)
	var cases []ChildCase
	for _, c := range []struct {
		rules, name string
		child       Child
		want        func(d *ocispec.Descriptor) // from of(child)
	}{
		{"bytes-decide", "all out of the bytes", plain, nil},
		{"bytes-decide", "descriptor agrees", described, nil},
		{"bytes-decide", "sha512 of the descriptor stays", sha512, func(d *ocispec.Descriptor) { d.Digest = sha512.Descriptor.Digest }},
		{"bytes-decide", "media type of the descriptor if the manifest has none",
			With(Remade(plain, func(m *ocispec.Manifest) { m.MediaType = "" }), func(c *Child) { c.Descriptor.MediaType = DockerManifest }),
			func(d *ocispec.Descriptor) { d.MediaType = DockerManifest }},
		{"bytes-decide", "a manifest without a media type is an OCI one", Remade(plain, func(m *ocispec.Manifest) { m.MediaType = "" }), nil},
		{"bytes-decide", "annotations, urls and data of the descriptor stay",
			With(plain, func(c *Child) {
				c.Descriptor.Annotations, c.Descriptor.URLs, c.Descriptor.Data = map[string]string{"a": "b"}, []string{"u"}, c.Manifest
			}),
			func(d *ocispec.Descriptor) {
				d.Annotations, d.URLs, d.Data = map[string]string{"a": "b"}, []string{"u"}, plain.Manifest
			}},
		{"config-names-the-platform", "platform of the descriptor without a config", With(describedUnder("linux/s390x"), func(c *Child) { c.Config = nil }),
			func(d *ocispec.Descriptor) { d.Platform = Platform("linux/s390x") }},
		{"config-names-the-platform", "baseline that only the descriptor writes out", describedUnder("linux/arm64/v8"),
			func(d *ocispec.Descriptor) { d.Platform = Platform("linux/arm64/v8") }},
		{"config-names-the-platform", "baseline that only the config writes out", With(Image("linux/arm64/v8"), func(c *Child) { c.Descriptor.Platform = Platform("linux/arm64") }),
			func(d *ocispec.Descriptor) { d.Platform = Platform("linux/arm64/v8") }},
		{"config-names-the-platform", "variant that the config leaves out", With(armless, func(c *Child) { c.Descriptor.Platform = Platform("linux/arm/v6") }),
			func(d *ocispec.Descriptor) { d.Platform = Platform("linux/arm/v6") }},
		{"config-names-the-platform", "os.version and os.features that the config leaves out", With(plain, func(c *Child) { c.Descriptor.Platform = Platform("linux/arm64@1+a") }),
			func(d *ocispec.Descriptor) { d.Platform = Platform("linux/arm64@1+a") }},
		{"config-names-the-platform", "os that the descriptor leaves out", With(plain, func(c *Child) { c.Descriptor.Platform = &ocispec.Platform{} }), nil},
		{"config-names-the-platform", "artifactType that the manifest declares", Remade(plain, func(m *ocispec.Manifest) { m.ArtifactType = "a/b" }),
			func(d *ocispec.Descriptor) { d.ArtifactType, d.Platform = "a/b", nil }},
		{"config-names-the-platform", "config media type does not pass for an artifactType", With(plain, func(c *Child) { c.Descriptor.ArtifactType = ocispec.MediaTypeImageConfig }), nil},
		{"config-names-the-platform", "the config of an artifact is not read", Configured("no JSON", "application/vnd.cncf.helm.config.v1+json"),
			func(d *ocispec.Descriptor) { d.Platform = nil }},
	} {
		want := of(c.child)
		if c.want != nil {
			c.want(&want)
		}
		cases = append(cases, ChildCase{Rules: c.rules, Name: c.name, Child: c.child, Want: &want})
	}
	return append(cases, contradictions()...)
}

func contradictions() []ChildCase {
	plain := Image("linux/arm64/v9")
	set := func(change func(*ocispec.Descriptor)) Child {
		return With(plain, func(c *Child) { change(&c.Descriptor) })
	}
	other := Image("linux/s390x")
	var cases []ChildCase
	for _, c := range []struct {
		rules, name string
		child       Child
		code, path  string
	}{
		{"bytes-decide", "digest", set(func(d *ocispec.Descriptor) { d.Digest = digest.FromString("other") }), "Mismatch", "digest"},
		{"bytes-decide", "digest of an unknown hash", set(func(d *ocispec.Descriptor) { d.Digest = "md5:zz" }), "InvalidDigest", "digest"},
		{"bytes-decide", "size", set(func(d *ocispec.Descriptor) { d.Size = 1 }), "Mismatch", "size"},
		{"bytes-decide", "media type", set(func(d *ocispec.Descriptor) { d.MediaType = DockerManifest }), "Mismatch", "mediaType"},
		{"bytes-decide", "nothing that has a media type", Child{Manifest: []byte("{}")}, "InvalidMediaType", "mediaType"},
		{"bytes-decide", "another image's config", With(plain, func(c *Child) { c.Config = other.Config }), "Mismatch", "config.size"},
		{"bytes-decide", "a config of the same length", With(plain, func(c *Child) { c.Config = append([]byte(" "), c.Config[:len(c.Config)-1]...) }), "Mismatch", "config.digest"},
		{"bytes-decide", "config digest of an unknown hash", Remade(plain, func(m *ocispec.Manifest) { m.MediaType, m.Config.Digest = "a/b", "md5:zz" }), "InvalidDigest", "config.digest"},
		{"bytes-decide", "config where the manifest names none", Child{Manifest: []byte(`{"mediaType":"a/b"}`), Config: []byte("{}")}, "Mismatch", "config"},
		{"config-names-the-platform", "os", set(func(d *ocispec.Descriptor) { d.Platform = Platform("windows/arm64/v9") }), "Mismatch", "platform.os"},
		{"config-names-the-platform", "architecture", set(func(d *ocispec.Descriptor) { d.Platform = Platform("linux/amd64") }), "Mismatch", "platform.architecture"},
		{"config-names-the-platform", "variant", set(func(d *ocispec.Descriptor) { d.Platform = Platform("linux/arm64/v8") }), "Mismatch", "platform.variant"},
		{"config-names-the-platform", "os.version", With(Image("windows/amd64@1"), func(c *Child) { c.Descriptor.Platform = Platform("windows/amd64@2") }), "Mismatch", "platform.os.version"},
		{"platforms-spelled-as-go", "a platform nowhere", With(plain, func(c *Child) { c.Config = nil }), "InvalidPlatform", "platform"},
		{"platforms-spelled-as-go", "an empty config", Configured("{}", ocispec.MediaTypeImageConfig), "InvalidPlatform", "platform.os"},
	} {
		cases = append(cases, ChildCase{Rules: c.rules, Name: c.name, Child: c.child, Code: c.code, Path: c.path})
	}
	return cases
}
