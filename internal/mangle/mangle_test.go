package mangle

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

func TestWithoutEntropyNothingIsMangled(t *testing.T) {
	const index = `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[` +
		`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000","size":1}]}`
	if got := string(Index(nil)); got != index {
		t.Errorf("the plain index is %s", got)
	}
	const manifest = `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":` +
		`{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000","size":1},"layers":[]}`
	if got := string(Manifest(nil)); got != manifest {
		t.Errorf("the plain manifest is %s", got)
	}
}

// TestEveryManglingHappens: the documents are JSON nearly always, and each kind of
// damage is among them.
func TestEveryManglingHappens(t *testing.T) {
	for what, of := range map[string]func([]byte) []byte{"Index": Index, "Manifest": Manifest} {
		const total = 40000
		r := rand.New(rand.NewPCG(1, 2)) // of its own: the order of a map is not the same twice
		valid := 0
		seen := map[string]int{}
		for range total {
			entropy := make([]byte, r.IntN(40))
			for i := range entropy {
				entropy[i] = byte(r.Uint32())
			}
			src := of(entropy)
			if !bytes.Equal(src, of(entropy)) {
				t.Fatalf("%s(%x) is not the same twice", what, entropy)
			}
			if json.Valid(src) {
				valid++
			}
			for _, part := range []string{`"layer` + "\u017f" + `"`, `"LAYERS"`, `"Config"`, `"\u0063onfig"`, `"fsLayers"`, `"history"`, "\xff", `\ud800`, "\u0131", `"manifests":null`, `"config":{}`} {
				if bytes.Contains(src, []byte(part)) {
					seen[part]++
				}
			}
			if bytes.Count(src, []byte(`"schemaVersion"`)) > 1 {
				seen["twice"]++
			}
		}
		if valid < total*9/10 {
			t.Errorf("%s: only %d of %d are JSON", what, valid, total)
		}
		if len(seen) != 12 {
			t.Errorf("%s: only these are there: %v", what, seen)
		}
	}
}
