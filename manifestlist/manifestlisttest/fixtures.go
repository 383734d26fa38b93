package manifestlisttest

import (
	"encoding/json"
	"strings"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// The media types of Docker's image manifest v2, schema 2.
const (
	DockerList     = "application/vnd.docker.distribution.manifest.list.v2+json"
	DockerManifest = "application/vnd.docker.distribution.manifest.v2+json"
	dockerConfig   = "application/vnd.docker.container.image.v1+json"
)

// What a document may be.
const (
	maxSize  = 4 << 20
	maxDepth = 64
)

// Platform reads os/architecture/variant, and after an @ the os.version, after
// each + an os.feature.
func Platform(s string) *ocispec.Platform {
	s, features, _ := strings.Cut(s, "+")
	s, version, _ := strings.Cut(s, "@")
	parts := append(strings.Split(s, "/"), "", "")
	p := &ocispec.Platform{OS: parts[0], Architecture: parts[1], Variant: parts[2], OSVersion: version}
	if features != "" {
		p.OSFeatures = strings.Split(features, "+")
	}
	return p
}

// Platforms reads several.
func Platforms(platforms ...string) []ocispec.Platform {
	var all []ocispec.Platform
	for _, p := range platforms {
		all = append(all, *Platform(p))
	}
	return all
}

// Described is a descriptor of the content name; the platform nil makes none.
func Described(name, on string) ocispec.Descriptor {
	d := ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromString(name), Size: int64(100 + len(name))}
	if on != "nil" {
		d.Platform = Platform(on)
	}
	return d
}

// On is a child that is told apart by its platform.
func On(p string) Child { return Child{Descriptor: Described(p, p)} }

// Named is a child for a platform with a content of its own.
func Named(name, p string) Child { return Child{Descriptor: Described(name, p)} }

// Children are several of [On].
func Children(platforms ...string) []Child {
	all := make([]Child, len(platforms))
	for i, p := range platforms {
		all[i] = On(p)
	}
	return all
}

// With changes a copy of a child.
func With(c Child, change func(*Child)) Child {
	change(&c)
	return c
}

// AsDocker is a child that is a Docker image.
func AsDocker(c Child) Child {
	c.Descriptor.MediaType = DockerManifest
	return c
}

// Attestation is one of the image of that name, as BuildKit describes it.
func Attestation(of string) Child {
	c := Named("attestation of "+of, "unknown/unknown")
	c.Descriptor.Annotations = map[string]string{
		"vnd.docker.reference.type":   "attestation-manifest",
		"vnd.docker.reference.digest": string(digest.FromString(of)),
	}
	return c
}

// Image is a child with the bytes of a manifest and of its config.
func Image(p string) Child {
	config := marshal(ocispec.Image{Platform: *Platform(p)})
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2},
		MediaType: ocispec.MediaTypeImageManifest,
		Config:    ocispec.Descriptor{MediaType: ocispec.MediaTypeImageConfig, Digest: digest.FromBytes(config), Size: int64(len(config))},
		Layers:    []ocispec.Descriptor{{MediaType: ocispec.MediaTypeImageLayerGzip, Digest: digest.FromString("layer of " + p), Size: 7}},
	}
	return Child{Manifest: marshal(m), Config: config}
}

// Remade returns the child with its manifest changed.
func Remade(c Child, change func(*ocispec.Manifest)) Child {
	var m ocispec.Manifest
	if err := json.Unmarshal(c.Manifest, &m); err != nil {
		panic(err)
	}
	change(&m)
	c.Manifest = marshal(m)
	return c
}

// Configured returns a child with that config, named by its manifest.
func Configured(config string, mediaType string) Child {
	c := Remade(Image("linux/amd64"), func(m *ocispec.Manifest) {
		m.Config = ocispec.Descriptor{MediaType: mediaType, Digest: digest.FromString(config), Size: int64(len(config))}
	})
	c.Config = []byte(config)
	return c
}

// Entries makes an index of one entry for each word: a platform, nil, or
// attestation. A word may begin with a media type: index: or list:, or with
// zstd:.
func Entries(words string) ocispec.Index {
	var index ocispec.Index
	for i, w := range strings.Fields(words) {
		d := Described(string(rune('a'+i)), "nil")
		kind, rest, ok := strings.Cut(w, ":")
		if !ok {
			rest = w
		}
		switch kind {
		case "index":
			d.MediaType = ocispec.MediaTypeImageIndex
		case "list":
			d.MediaType = DockerList
		case "zstd":
			d.Annotations = map[string]string{"io.github.containers.compression.zstd": "true"}
		}
		switch rest {
		case "nil":
		case "attestation":
			d.Platform = Platform("unknown/unknown")
		default:
			d.Platform = Platform(rest)
		}
		index.Manifests = append(index.Manifests, d)
	}
	return index
}

// Deep nests arrays in between.
func Deep(before string, levels int, after string) []byte {
	return []byte(before + strings.Repeat("[", levels) + strings.Repeat("]", levels) + after)
}

func annotated(key, value string) func(*Child) {
	return func(c *Child) { c.Descriptor.Annotations = map[string]string{key: value} }
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
