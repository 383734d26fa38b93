package manifestlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/internal/mangle"
)

// FuzzMangled: of indexes and manifests with duplicates, other letter case, escapes
// and members of other documents, Parse and Assemble take only those that every
// reader of JSON reads alike. internal/benchmarks asks containerd and
// containers/image about the same documents. What is in testdata was found while a
// rule was missing.
func FuzzMangled(f *testing.F) {
	f.Add([]byte(nil))                                            // nothing mangled
	f.Add([]byte{0, 3, 3})                                        // no media type, no entries
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 2, 1}) // one thing changed
	f.Add([]byte("\x00\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x03\x00\x00\x04\x01\x01\x00\x04\x02\x01"))
	f.Fuzz(func(t *testing.T, entropy []byte) {
		parsedAlike(t, mangle.Index(entropy))
		assembledAlike(t, mangle.Manifest(entropy))
	})
}

// TestMangled runs the same over random entropy: enough is refused, and enough is
// not.
func TestMangled(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 13))
	total, parsed, assembled := 6000, 0, 0
	if testing.Short() {
		total = 1000
	}
	for range total {
		entropy := make([]byte, r.IntN(40))
		for i := range entropy {
			entropy[i] = byte(r.Uint32())
		}
		if parsedAlike(t, mangle.Index(entropy)) {
			parsed++
		}
		if assembledAlike(t, mangle.Manifest(entropy)) {
			assembled++
		}
	}
	for what, n := range map[string]int{"parsed": parsed, "assembled": assembled} {
		if n < total/5 || n > total*4/5 {
			t.Errorf("%d of %d were %s", n, total, what)
		}
	}
}

func parsedAlike(t *testing.T, src []byte) bool {
	t.Helper()
	x, err := Parse(src)
	if err != nil {
		return false
	}
	for name, read := range readers() {
		document := read(t, src)
		for _, foreign := range []string{"config", "layers", "fsLayers", "history"} {
			if _, there := document[foreign]; there {
				t.Fatalf("%s: Parse takes %s, which has %s", name, src, foreign)
			}
		}
		var index ocispec.Index
		if err := json.Unmarshal(marshal(document), &index); err != nil {
			t.Fatalf("%s: Parse takes %s: %v", name, src, err)
		}
		if diff := cmp.Diff(x.Index, index, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("Parse reads %s otherwise than %s (-Parse +reader):\n%s", src, name, diff)
		}
	}
	return true
}

func assembledAlike(t *testing.T, src []byte) bool {
	t.Helper()
	r, err := Assemble([]Child{{Manifest: src, Descriptor: ocispec.Descriptor{Platform: platform("linux/amd64")}}}, Options{})
	if err != nil {
		return false
	}
	d := mustParse(t, r.Bytes).Manifests[0]
	var first *ocispec.Manifest
	for name, read := range readers() {
		document := read(t, src)
		_, config := document["config"]
		_, layers := document["layers"]
		_, manifests := document["manifests"]
		if manifests || isImageManifest(d.MediaType) != (config && layers) {
			t.Fatalf("%s: %s is called %s", name, src, d.MediaType)
		}
		var m ocispec.Manifest
		if err := json.Unmarshal(marshal(document), &m); err != nil {
			t.Fatalf("%s: Assemble takes %s: %v", name, src, err)
		}
		if first == nil {
			first = &m
		}
		if diff := cmp.Diff(*first, m, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("two readers of %s differ:\n%s", src, diff)
		}
	}
	return true
}

// readers are four ways to read JSON: names as they are written or folded as
// encoding/json folds them, and the first or the last of two members of one name.
func readers() map[string]func(*testing.T, []byte) map[string]any {
	all := map[string]func(*testing.T, []byte) map[string]any{}
	for name, r := range map[string]reader{
		"exact, first": {first: true}, "exact, last": {}, "folding, first": {fold: true, first: true}, "folding, last": {fold: true},
	} {
		all[name] = func(t *testing.T, src []byte) map[string]any {
			dec := json.NewDecoder(bytes.NewReader(src))
			dec.UseNumber()
			document, ok := r.value(t, dec, true).(map[string]any)
			if _, err := dec.Token(); !ok || !errors.Is(err, io.EOF) {
				t.Fatalf("%s is not one object", src)
			}
			return document
		}
	}
	return all
}

type reader struct{ fold, first bool }

// value reads one value; the names below are those of image-spec unless they are
// the keys of annotations.
func (r reader) value(t *testing.T, dec *json.Decoder, named bool) any {
	t.Helper()
	token, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		m := map[string]any{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			name, _ := key.(string)
			known := name
			if i := slices.IndexFunc(knownNames, func(k string) bool { return strings.EqualFold(k, name) }); named && i >= 0 {
				known = knownNames[i]
			}
			v := r.value(t, dec, known != "annotations")
			if !r.fold && known != name {
				continue
			}
			if _, there := m[known]; !there || !r.first {
				m[known] = v
			}
		}
		_, _ = dec.Token()
		return m
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, r.value(t, dec, named))
		}
		_, _ = dec.Token()
		return list
	}
	return token
}

var knownNames = slices.Concat(objectIndex.fields(), objectDescriptor.fields(), objectPlatform.fields(), objectManifest.fields())
