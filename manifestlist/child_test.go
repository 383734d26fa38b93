package manifestlist

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// remake returns the child with its manifest changed.
func remake(c Child, change func(*ocispec.Manifest)) Child {
	var m ocispec.Manifest
	if err := json.Unmarshal(c.Manifest, &m); err != nil {
		panic(err)
	}
	change(&m)
	c.Manifest = marshal(m)
	return c
}

// configured returns a child with that config, named by its manifest.
func configured(config string, mediaType string) Child {
	c := remake(image("linux/amd64"), func(m *ocispec.Manifest) {
		m.Config = ocispec.Descriptor{MediaType: mediaType, Digest: digest.FromString(config), Size: int64(len(config))}
	})
	c.Config = []byte(config)
	return c
}

// TestChildBecomesDescriptor is rules A1 and A2 where they accept.
func TestChildBecomesDescriptor(t *testing.T) {
	plain := image("linux/arm64")
	of := func(c Child) ocispec.Descriptor {
		return ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(c.Manifest), Size: int64(len(c.Manifest)), Platform: platform("linux/arm64")}
	}
	described := with(plain, func(c *Child) { c.Descriptor = of(plain) })
	describedUnder := func(p string) Child {
		return with(described, func(c *Child) { c.Descriptor.Platform = platform(p) })
	}
	sha512 := with(described, func(c *Child) { c.Descriptor.Digest = digest.SHA512.FromBytes(c.Manifest) })
	armless := configured(`{"os":"linux","architecture":"arm"}`, dockerConfig)
	for _, tc := range []struct {
		name  string
		child Child
		want  func(d *ocispec.Descriptor) // from of(child)
	}{
		{"A1: all out of the bytes", plain, nil},
		{"A1: descriptor agrees", described, nil},
		{"A1: sha512 of the descriptor stays", sha512, func(d *ocispec.Descriptor) { d.Digest = sha512.Descriptor.Digest }},
		{"A1: media type of the descriptor if the manifest has none",
			with(remake(plain, func(m *ocispec.Manifest) { m.MediaType = "" }), func(c *Child) { c.Descriptor.MediaType = dockerManifest }),
			func(d *ocispec.Descriptor) { d.MediaType = dockerManifest }},
		{"A1: a manifest without a media type is an OCI one", remake(plain, func(m *ocispec.Manifest) { m.MediaType = "" }), nil},
		{"A1: annotations, urls and data of the descriptor stay",
			with(plain, func(c *Child) {
				c.Descriptor.Annotations, c.Descriptor.URLs, c.Descriptor.Data = map[string]string{"a": "b"}, []string{"u"}, c.Manifest
			}),
			func(d *ocispec.Descriptor) {
				d.Annotations, d.URLs, d.Data = map[string]string{"a": "b"}, []string{"u"}, plain.Manifest
			}},
		{"A2: platform of the descriptor without a config", with(describedUnder("linux/s390x"), func(c *Child) { c.Config = nil }),
			func(d *ocispec.Descriptor) { d.Platform = platform("linux/s390x") }},
		{"A2: baseline that only the descriptor writes out", describedUnder("linux/arm64/v8"),
			func(d *ocispec.Descriptor) { d.Platform = platform("linux/arm64/v8") }},
		{"A2: baseline that only the config writes out", with(image("linux/arm64/v8"), func(c *Child) { c.Descriptor.Platform = platform("linux/arm64") }),
			func(d *ocispec.Descriptor) { d.Platform = platform("linux/arm64/v8") }},
		{"A2: variant that the config leaves out", with(armless, func(c *Child) { c.Descriptor.Platform = platform("linux/arm/v6") }),
			func(d *ocispec.Descriptor) { d.Platform = platform("linux/arm/v6") }},
		{"A2: os.version and os.features that the config leaves out", with(plain, func(c *Child) { c.Descriptor.Platform = platform("linux/arm64@1+a") }),
			func(d *ocispec.Descriptor) { d.Platform = platform("linux/arm64@1+a") }},
		{"A2: os that the descriptor leaves out", with(plain, func(c *Child) { c.Descriptor.Platform = &ocispec.Platform{} }), nil},
		{"A2: artifactType that the manifest declares", remake(plain, func(m *ocispec.Manifest) { m.ArtifactType = "a/b" }),
			func(d *ocispec.Descriptor) { d.ArtifactType, d.Platform = "a/b", nil }},
		{"A2: config media type does not pass for an artifactType", with(plain, func(c *Child) { c.Descriptor.ArtifactType = ocispec.MediaTypeImageConfig }), nil},
		{"A2: the config of an artifact is not read", configured("no JSON", "application/vnd.cncf.helm.config.v1+json"),
			func(d *ocispec.Descriptor) { d.Platform = nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := of(tc.child)
			if tc.want != nil {
				tc.want(&want)
			}
			r := mustAssemble(t, []Child{tc.child}, Options{})
			if diff := cmp.Diff([]ocispec.Descriptor{want}, mustParse(t, r.Bytes).Manifests); diff != "" {
				t.Errorf("descriptor (-want +got):\n%s", diff)
			}
		})
	}
}

// TestChildContradictsItself is rules A1 and A2 where they refuse.
func TestChildContradictsItself(t *testing.T) {
	plain := image("linux/arm64/v9")
	set := func(change func(*ocispec.Descriptor)) Child {
		return with(plain, func(c *Child) { change(&c.Descriptor) })
	}
	other := image("linux/s390x")
	for _, tc := range []struct {
		name  string
		child Child
		code  Code
		path  string
	}{
		{"A1: digest", set(func(d *ocispec.Descriptor) { d.Digest = digest.FromString("other") }), CodeMismatch, "digest"},
		{"A1: digest of an unknown hash", set(func(d *ocispec.Descriptor) { d.Digest = "md5:zz" }), CodeInvalidDigest, "digest"},
		{"A1: size", set(func(d *ocispec.Descriptor) { d.Size = 1 }), CodeMismatch, "size"},
		{"A1: media type", set(func(d *ocispec.Descriptor) { d.MediaType = dockerManifest }), CodeMismatch, "mediaType"},
		{"A1: nothing that has a media type", Child{Manifest: []byte("{}")}, CodeInvalidMediaType, "mediaType"},
		{"A1: another image's config", with(plain, func(c *Child) { c.Config = other.Config }), CodeMismatch, "config.size"},
		{"A1: a config of the same length", with(plain, func(c *Child) { c.Config = append([]byte(" "), c.Config[:len(c.Config)-1]...) }), CodeMismatch, "config.digest"},
		{"A1: config digest of an unknown hash", remake(plain, func(m *ocispec.Manifest) { m.MediaType, m.Config.Digest = "a/b", "md5:zz" }), CodeInvalidDigest, "config.digest"},
		{"A1: config where the manifest names none", Child{Manifest: []byte(`{"mediaType":"a/b"}`), Config: []byte("{}")}, CodeMismatch, "config"},
		{"A2: os", set(func(d *ocispec.Descriptor) { d.Platform = platform("windows/arm64/v9") }), CodeMismatch, "platform.os"},
		{"A2: architecture", set(func(d *ocispec.Descriptor) { d.Platform = platform("linux/amd64") }), CodeMismatch, "platform.architecture"},
		{"A2: variant", set(func(d *ocispec.Descriptor) { d.Platform = platform("linux/arm64/v8") }), CodeMismatch, "platform.variant"},
		{"A2: os.version", with(image("windows/amd64@1"), func(c *Child) { c.Descriptor.Platform = platform("windows/amd64@2") }), CodeMismatch, "platform.os.version"},
		{"A4: a platform nowhere", with(plain, func(c *Child) { c.Config = nil }), CodeInvalidPlatform, "platform"},
		{"A4: an empty config", configured("{}", ocispec.MediaTypeImageConfig), CodeInvalidPlatform, "platform.os"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Assemble([]Child{tc.child}, Options{})
			var first *IndexError
			if !errors.As(err, &first) {
				t.Fatalf("error %v, want %s", err, tc.code)
			}
			if first.Code != tc.code || first.Path != "children[0]."+tc.path || place(first.Child) != 0 {
				t.Errorf("%s at %s of child %d, want %s at children[0].%s", first.Code, first.Path, place(first.Child), tc.code, tc.path)
			}
		})
	}
}

// deep nests arrays in between.
func deep(before string, levels int, after string) []byte {
	b := []byte(before)
	for range levels {
		b = append(b, '[')
	}
	for range levels {
		b = append(b, ']')
	}
	return append(b, after...)
}
