package manifestlist

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// platform reads os/architecture/variant, and after an @ the os.version, after
// each + an os.feature.
func platform(s string) *ocispec.Platform {
	s, features, _ := strings.Cut(s, "+")
	s, version, _ := strings.Cut(s, "@")
	parts := append(strings.Split(s, "/"), "", "")
	p := &ocispec.Platform{OS: parts[0], Architecture: parts[1], Variant: parts[2], OSVersion: version}
	if features != "" {
		p.OSFeatures = strings.Split(features, "+")
	}
	return p
}

// describe is a descriptor of the content name; the platform nil makes none.
func describe(name, on string) ocispec.Descriptor {
	d := ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromString(name), Size: int64(100 + len(name))}
	if on != "nil" {
		d.Platform = platform(on)
	}
	return d
}

// on is a child that is told apart by its platform.
func on(p string) Child { return Child{Descriptor: describe(p, p)} }

// named is a child for a platform with a content of its own.
func named(name, p string) Child { return Child{Descriptor: describe(name, p)} }

func children(platforms ...string) []Child {
	all := make([]Child, len(platforms))
	for i, p := range platforms {
		all[i] = on(p)
	}
	return all
}

// with changes a copy of a child.
func with(c Child, change func(*Child)) Child {
	change(&c)
	return c
}

// attestation is one of the image of that name, as BuildKit describes it.
func attestation(of string) Child {
	c := named("attestation of "+of, "unknown/unknown")
	c.Descriptor.Annotations = map[string]string{
		"vnd.docker.reference.type":   "attestation-manifest",
		"vnd.docker.reference.digest": string(digest.FromString(of)),
	}
	return c
}

// image is a child with the bytes of a manifest and of its config.
func image(p string) Child {
	config := marshal(ocispec.Image{Platform: *platform(p)})
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2},
		MediaType: ocispec.MediaTypeImageManifest,
		Config:    ocispec.Descriptor{MediaType: ocispec.MediaTypeImageConfig, Digest: digest.FromBytes(config), Size: int64(len(config))},
		Layers:    []ocispec.Descriptor{{MediaType: ocispec.MediaTypeImageLayerGzip, Digest: digest.FromString("layer of " + p), Size: 7}},
	}
	return Child{Manifest: marshal(m), Config: config}
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func mustAssemble(t testing.TB, c []Child, opts Options) Result {
	t.Helper()
	r, err := Assemble(c, opts)
	if err != nil {
		t.Fatalf("Assemble: %v", err)
	}
	return r
}

func mustParse(t testing.TB, src []byte) Index {
	t.Helper()
	x, err := Parse(src)
	if err != nil {
		t.Fatalf("Parse(%s): %v", src, err)
	}
	return x
}

// layout lists the entries of an index, by platform or what stands in for it.
func layout(t testing.TB, index []byte) string {
	t.Helper()
	var all []string
	for _, d := range mustParse(t, index).Manifests {
		switch {
		case isAttestation(&d):
			all = append(all, "attestation")
		case d.Platform == nil:
			all = append(all, "nil")
		default:
			all = append(all, platformText(*d.Platform))
		}
	}
	return strings.Join(all, " ")
}

// codes lists the errors as code@position, or code@position:other.
func codes(t testing.TB, err error) []string {
	t.Helper()
	var all IndexErrors
	var one *IndexError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = IndexErrors{one}
	default:
		t.Fatalf("an error of type %T: %v", err, err)
	}
	var got []string
	for _, e := range all {
		s := fmt.Sprintf("%s@%d", e.Code, place(e.Child))
		if e.Other != nil {
			s += fmt.Sprintf(":%d", e.Other.Position)
		}
		got = append(got, s)
	}
	return got
}

// place is the position of a child, or -1 for nobody.
func place(c *ChildRef) int {
	if c == nil {
		return -1
	}
	return c.Position
}

// found lists the findings as code@path.
func found(findings []Finding) []string {
	var got []string
	for _, f := range findings {
		got = append(got, string(f.Code)+"@"+f.Path)
	}
	return got
}
