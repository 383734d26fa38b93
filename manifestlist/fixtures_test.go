package manifestlist

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// What follows is of the test package, whose cases are made of it.

func platform(s string) *ocispec.Platform { return manifestlisttest.Platform(s) }

func describe(name, on string) ocispec.Descriptor { return manifestlisttest.Described(name, on) }

func entries(words string) ocispec.Index { return manifestlisttest.Entries(words) }

func attestation(of string) Child { return fromKit(manifestlisttest.Attestation(of))[0] }

func image(p string) Child { return fromKit(manifestlisttest.Image(p))[0] }

func configured(config, mediaType string) Child {
	return fromKit(manifestlisttest.Configured(config, mediaType))[0]
}

func required(platforms ...string) []ocispec.Platform {
	return manifestlisttest.Platforms(platforms...)
}

// fromKit are children of the test package.
func fromKit(children ...manifestlisttest.Child) []Child {
	var all []Child
	for _, c := range children {
		all = append(all, Child{Name: c.Name, Descriptor: c.Descriptor, Manifest: c.Manifest, Config: c.Config})
	}
	return all
}

func optionsFromKit(o manifestlisttest.Options) Options {
	return Options{
		Format: Format(o.Format), Required: o.Required, Duplicates: Duplicates(o.Duplicates), Nested: Nested(o.Nested),
		Attestations: Attestations(o.Attestations), Remove: o.Remove, Annotations: o.Annotations, ArtifactType: o.ArtifactType,
		Subject: o.Subject, ClearAnnotations: o.ClearAnnotations, SizeLimit: o.SizeLimit,
	}
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
