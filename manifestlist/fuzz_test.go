package manifestlist

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// FuzzAppend holds the encoder against encoding/json on any index. The index is
// read from JSON, where every field can be reached, and then given texts that
// JSON cannot hold, such as bytes that are no UTF-8.
func FuzzAppend(f *testing.F) {
	f.Add([]byte(`{}`), "", int64(0))                                                         // the zero value
	f.Add(marshal(everyField()), "<&>\u2028\u2029", int64(-1))                                // every field, HTML and JavaScript
	f.Add([]byte(`{"manifests":[{"platform":{}}]}`), "\xff\xed\xa0\x80\"\\", int64(1)<<62)    // no UTF-8, a surrogate
	f.Add([]byte(`{"subject":{},"annotations":{"":""}}`), "\x00\b\f\n\r\t\x1f\x7f", int64(9)) // controls
	f.Fuzz(func(t *testing.T, src []byte, text string, n int64) {
		var index ocispec.Index
		if json.Unmarshal(src, &index) != nil {
			return
		}
		index.SchemaVersion = int(n)
		index.ArtifactType = text
		if len(index.Annotations) > 0 {
			index.Annotations[text] = text
		}
		for i := range index.Manifests {
			d := &index.Manifests[i]
			d.MediaType, d.Digest, d.Size, d.URLs, d.Data = text, digest.Digest(text), n, append(d.URLs, text), []byte(text)
			if d.Platform != nil {
				d.Platform.OSFeatures = append(d.Platform.OSFeatures, text)
				d.Platform.Variant = text
			}
		}
		want, err := json.Marshal(index)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendIndex(nil, index); !bytes.Equal(got, want) {
			t.Fatalf("encoding/json writes\n%s\nappendIndex\n%s", want, got)
		}
	})
}

// FuzzParse: whatever Parse takes is kept, however often it is written and read;
// entries keep their bytes under Update; and no policy panics on it.
func FuzzParse(f *testing.F) {
	f.Add([]byte(strings.ReplaceAll(strange, "1e0", "1")), "linux", "amd64", "v1", "10.0.20348.1")                                      // members of its own everywhere
	f.Add(marshal(everyField()), "windows", "arm64", "v9.2", "10.0.17763")                                                              // every field
	f.Add([]byte(`{"schemaVersion":2,"manifests":[null,{"platform":null},{"platform":{}}]}`), "", "", "", "")                           // null where an object may be
	f.Add([]byte(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}`), "linux", "arm", "v7", "") // no entries, a variant
	f.Add([]byte(`{"schemaVersion":2,"manifests":[{}],"subject":{"annotations":{"a":"b"}},"subject":null}`), "", "x86_64", "", "")      // a member twice, an alias
	f.Add([]byte(`{"schemaVersion":2,"manifests":[{"x":"\\\""}],"\u006d":{}}`), "", "", "", "")                                         // escapes
	f.Fuzz(func(t *testing.T, src []byte, os, architecture, variant, version string) {
		x, err := Parse(src)
		if err != nil {
			return
		}
		once := x.Append(nil)
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("Parse refuses what Append wrote: %v\n%s", err, once)
		}
		if twice := again.Append(nil); !bytes.Equal(once, twice) {
			t.Fatalf("written once\n%s\nand twice\n%s", once, twice)
		}
		if countMembers(t, src) != countMembers(t, once) {
			t.Fatalf("members are lost:\n%s\n%s", src, once)
		}
		r, err := Update(x, nil, Options{})
		if err != nil {
			t.Fatalf("Update by nothing: %v", err)
		}
		for _, e := range x.sources() {
			if !bytes.Contains(r.Bytes, e) {
				t.Fatalf("the entry %s is not in\n%s", e, r.Bytes)
			}
		}
		want := ocispec.Platform{OS: os, Architecture: architecture, Variant: variant, OSVersion: version}
		for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
			choice, err := Select(x.Index, want, SelectOptions{Policy: policy, Host: want})
			if err == nil && x.Manifests[choice.Position].Digest != choice.Digest {
				t.Fatalf("%s: position %d has another digest than %s", policy, choice.Position, choice.Digest)
			}
		}
	})
}

// FuzzAssemble takes any bytes for a manifest and its config. What is accepted
// has the digest and size of the bytes, and can be read back.
func FuzzAssemble(f *testing.F) {
	i := image("linux/arm64/v8")
	f.Add(i.Manifest, i.Config, "", "")                                               // an image
	f.Add([]byte(`{}`), []byte(nil), "a/b", "linux")                                  // nothing inside
	f.Add([]byte(`{"manifests":[{}]}`), []byte(nil), "", "")                          // an index
	f.Add([]byte(`{"config":null,"mediaType":"a/b"}`), []byte(`null`), "", "windows") // a foreign type, a config of null
	f.Fuzz(func(t *testing.T, manifest, config []byte, mediaType, os string) {
		c := Child{Manifest: manifest, Config: config, Descriptor: ocispec.Descriptor{MediaType: mediaType}}
		if os != "" {
			c.Descriptor.Platform = &ocispec.Platform{OS: os}
		}
		for _, opts := range []Options{{}, {Nested: Flatten, Attestations: KeepAttestations}, {Format: Infer}} {
			r, err := Assemble([]Child{c}, opts)
			if err != nil {
				continue
			}
			x, err := Parse(r.Bytes)
			if err != nil {
				t.Fatalf("Parse refuses what Assemble wrote: %v\n%s", err, r.Bytes)
			}
			if len(manifest) > 0 && len(x.Manifests) == 1 && !isIndexType(mediaType) && opts.Nested == RefuseNested {
				if d := x.Manifests[0]; d.Digest != digest.FromBytes(manifest) || d.Size != int64(len(manifest)) {
					t.Fatalf("descriptor %+v of %s", d, manifest)
				}
			}
		}
	})
}

// countMembers counts the members of the index and of its entries that image-spec
// does not name.
func countMembers(t *testing.T, src []byte) int {
	var index map[string]any
	if err := json.Unmarshal(src, &index); err != nil {
		t.Fatal(err)
	}
	n := 0
	count := func(v any, kind object) {
		m, _ := v.(map[string]any)
		for k := range m {
			if kind.field([]byte(k)) < 0 {
				n++
			}
		}
	}
	count(index, objectIndex)
	entries, _ := index["manifests"].([]any)
	for _, e := range entries {
		count(e, objectDescriptor)
	}
	return n
}
