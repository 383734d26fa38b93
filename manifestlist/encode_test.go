package manifestlist

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// everyField has a value in every field that image-spec defines.
func everyField() ocispec.Index {
	d := ocispec.Descriptor{
		MediaType: "m", Digest: "d", Size: -1, URLs: []string{"u", "v"}, Annotations: map[string]string{"k": "v", "a": ""}, Data: []byte{0, 255},
		Platform: &ocispec.Platform{Architecture: "a", OS: "o", OSVersion: "v", OSFeatures: []string{"f", "g"}, Variant: "v"}, ArtifactType: "t",
	}
	return ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: "m", ArtifactType: "a",
		Manifests: []ocispec.Descriptor{d, {}, d}, Subject: &d, Annotations: map[string]string{"z": "1", "y": "2"},
	}
}

// appendIndex is what Assemble and Index.Append write of an index without a
// source, but for the null that encoding/json writes for no manifests.
func appendIndex(dst []byte, index ocispec.Index) []byte {
	dst = appendHead(dst, &index)
	if index.Manifests == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, '[')
		for i := range index.Manifests {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendDescriptor(dst, &index.Manifests[i], nil)
		}
		dst = append(dst, ']')
	}
	return appendTail(dst, &index, nil)
}

func TestAppendWritesWhatEncodingJSONWrites(t *testing.T) {
	many := map[string]string{}
	for _, c := range strings.Split("the quick brown fox jumps over a lazy dog and then some more words follow", " ") {
		many[c] = c
	}
	for name, index := range map[string]ocispec.Index{
		"zero value":         {},
		"no schemaVersion":   {MediaType: ocispec.MediaTypeImageIndex},
		"no manifests":       {Manifests: []ocispec.Descriptor{}},
		"every field":        everyField(),
		"many annotations":   {Annotations: many},
		"empty, not missing": {Annotations: map[string]string{}, Subject: &ocispec.Descriptor{URLs: []string{}, Data: []byte{}, Platform: &ocispec.Platform{OSFeatures: []string{}}}},
	} {
		want, err := json.Marshal(index)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(appendIndex(nil, index))); diff != "" {
			t.Errorf("%s (-encoding/json +appendIndex):\n%s", name, diff)
		}
	}
}

// TestAppendEscapes takes every rune, every byte that is no UTF-8, and each at
// every place in a word of eight.
func TestAppendEscapes(t *testing.T) {
	check := func(s string) {
		t.Helper()
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendString(nil, s)); got != string(want) {
			t.Fatalf("%q is written %s, encoding/json writes %s", s, got, want)
		}
	}
	for r := rune(0); r <= 0x10ffff+1; r++ {
		check(string(r))
	}
	for b := range 256 {
		one := string([]byte{byte(b)})
		for before := range 17 {
			check(strings.Repeat("x", before) + one)
			check(strings.Repeat("x", before) + one + strings.Repeat("y", 9))
		}
	}
}

func TestAppendAppends(t *testing.T) {
	if got := string(Index{}.Append([]byte("before "))); got != `before {"schemaVersion":0,"manifests":[]}` {
		t.Errorf("got %s", got)
	}
}

func TestSizeHintIsNearTheMark(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, d := range append(everyField().Manifests,
		ocispec.Descriptor{URLs: []string{long, long, long}},
		ocispec.Descriptor{Annotations: map[string]string{long: long, "a": long}},
		ocispec.Descriptor{Data: []byte(long)},
		ocispec.Descriptor{MediaType: long, Digest: digest.Digest(long), ArtifactType: long},
		ocispec.Descriptor{Platform: &ocispec.Platform{OS: long, Architecture: long, OSVersion: long, Variant: long, OSFeatures: []string{long, long}}},
	) {
		got, want := sizeHint(&d), len(appendDescriptor(nil, &d, nil))
		if got < want || got > want+40 {
			t.Errorf("sizeHint is %d for %d bytes", got, want)
		}
	}
}
