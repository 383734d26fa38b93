package manifestlist

import (
	"errors"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// TestBytesOfAChild is rules B1 to B4: the code and the path of the first error, or
// none. Each row is a manifest, and the descriptor's media type if it has one.
func TestBytesOfAChild(t *testing.T) {
	good := string(image("linux/arm64").Manifest)
	put := func(old, now string) string {
		if strings.Count(good, old) == 0 {
			t.Fatalf("no %s in %s", old, good)
		}
		return strings.Replace(good, old, now, 1)
	}
	add := func(members string) string { return good[:len(good)-1] + members + "}" }
	const (
		oci      = `"mediaType":"application/vnd.oci.image.manifest.v1+json"`
		ociIndex = `"mediaType":"application/vnd.oci.image.index.v1+json"`
		list     = `"mediaType":"` + dockerList + `"`
		other    = `"mediaType":"a/b"`
		someDesc = `{"mediaType":"a/b","digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size":1}`
	)
	for _, tc := range []struct {
		name      string
		src       string
		described string
		code      Code
		path      string
	}{
		{"B1: no JSON", "{", "", CodeNotJSON, "manifest"},
		{"B1: empty", "", "", CodeNotJSON, "manifest"},
		{"B1: trailing data", good + "{}", "", CodeNotJSON, "manifest"},
		{"B1: no UTF-8", add(`,"x":"` + "\xff" + `"`), "", CodeNotJSON, "manifest"},
		{"B1: half a surrogate pair", add(`,"annotations":{"a":"\ud800"}`), "", CodeNotJSON, "manifest"},
		{"B1: nested too deep", add(`,"x":` + string(deep("", MaxDepth, ""))), "", CodeTooDeep, "manifest"},
		{"B1: as deep as allowed", add(`,"x":` + string(deep("", MaxDepth-1, ""))), "", "", ""},
		{"B1: null", "null", "", CodeNotManifest, "manifest"},
		{"B1: null of any type", "null", "a/b", CodeNotManifest, "manifest"},
		{"B1: array", "[]", "", CodeNotManifest, "manifest"},
		{"B1: field of another type", put(`"schemaVersion":2`, `"schemaVersion":"2"`), "", CodeNotManifest, "manifest.schemaVersion"},
		{"B2: config twice", add(`,"config":{}`), "", CodeAmbiguous, "manifest.config"},
		{"B2: mediaType twice", add(`,` + ociIndex), "", CodeAmbiguous, "manifest.mediaType"},
		{"B2: layers twice, once escaped", add(`,"layer\u0073":[]`), "", CodeAmbiguous, "manifest.layers"},
		{"B2: another letter case", add(`,"Config":{}`), "", CodeAmbiguous, "manifest.Config"},
		{"B2: a letter that folds to s", put(`"layers"`, `"layer`+"\u017f"+`"`), "", CodeAmbiguous, "manifest.layer\u017f"},
		{"B2: schemaVersion in another letter case", add(`,"schemaversion":1`), "", CodeAmbiguous, "manifest.schemaversion"},
		{"B2: manifests in another letter case", add(`,"Manifests":[]`), "", CodeAmbiguous, "manifest.Manifests"},
		{"B2: annotation", add(`,"annotations":{"a":"b","\u0061":"c"}`), "", CodeAmbiguous, "manifest.annotations"},
		{"B2: digest of the config twice", put(`"config":{`, `"config":{"digest":"x",`), "", CodeAmbiguous, "manifest.config.digest"},
		{"B2: digest of a layer twice", put(`"layers":[{`, `"layers":[{"digest":"x",`), "", CodeAmbiguous, "manifest.layers[0].digest"},
		{"B2: digest of a layer, another letter case", put(`"layers":[{`, `"layers":[{"Digest":"x",`), "", CodeAmbiguous, "manifest.layers[0].Digest"},
		{"B2: subject", add(`,"subject":{"size":1,"size":2}`), "", CodeAmbiguous, "manifest.subject.size"},
		{"B2: null subject and annotations", add(`,"subject":null,"annotations":null`), "", "", ""},
		{"B2: members of its own", add(`,"x":1,"x":2`), "", "", ""},
		{"B2: of any type", `{` + other + `,"MediaType":"c/d"}`, "", CodeAmbiguous, "manifest.MediaType"},
		{"B3: an image", good, "", "", ""},
		{"B3: an image that only its descriptor declares", put(oci+",", ""), dockerManifest, "", ""},
		{"B3: an image that nobody declares", put(oci+",", ""), "", "", ""},
		{"B3: an image of nothing", `{` + oci + `}`, "", CodeNotManifest, "manifest.schemaVersion"},
		{"B3: an image of nothing but a version", `{"schemaVersion":2,` + oci + `}`, "", CodeNotManifest, "manifest.config"},
		{"B3: an image of nothing, as its descriptor says", `{"schemaVersion":2}`, dockerManifest, CodeNotManifest, "manifest.config"},
		{"B3: an image that holds manifests", `{"schemaVersion":2,` + oci + `,"manifests":[]}`, "", CodeNotManifest, "manifest.mediaType"},
		{"B3: a Docker image that holds manifests", `{"schemaVersion":2,"manifests":[` + someDesc + `]}`, dockerManifest, CodeNotManifest, "manifest.mediaType"},
		{"B3: another type that holds manifests", `{"schemaVersion":2,` + other + `,"manifests":[]}`, "", CodeNotManifest, "manifest.mediaType"},
		{"B3: image and index at once", add(`,"manifests":[]`), "", CodeAmbiguous, "manifest"},
		{"B3: manifests and layers", `{"manifests":[],"layers":[]}`, "", CodeAmbiguous, "manifest"},
		{"B3: null manifests are there", add(`,"manifests":null`), "", CodeAmbiguous, "manifest"},
		{"B3: an index that is an image", put(oci, ociIndex), "", CodeNotManifest, "manifest.manifests"},
		{"B3: an image whose descriptor says index", put(oci+",", ""), dockerList, CodeNotManifest, "manifest.manifests"},
		{"B3: a list of nothing", `{"schemaVersion":2,` + list + `}`, "", CodeNotManifest, "manifest.manifests"},
		{"B3: an index of schemaVersion 1", `{"schemaVersion":1,` + ociIndex + `,"manifests":[]}`, "", CodeNotManifest, "manifest.schemaVersion"},
		{"B3: an image of schemaVersion 1", put(`"schemaVersion":2`, `"schemaVersion":1`), "", CodeNotManifest, "manifest.schemaVersion"},
		{"B3: an image without a schemaVersion", put(`"schemaVersion":2,`, ``), "", CodeNotManifest, "manifest.schemaVersion"},
		{"B3: an image without layers", put(`"layers"`, `"players"`), "", CodeNotManifest, "manifest.layers"},
		{"B3: an image without a config", put(`"config"`, `"configs"`), "", CodeNotManifest, "manifest.config"},
		{"B3: an image whose config is null", `{"schemaVersion":2,` + oci + `,"config":null,"layers":[]}`, "", CodeInvalidMediaType, "manifest.config.mediaType"},
		{"B3: an image whose config is nothing", `{"schemaVersion":2,` + oci + `,"config":{},"layers":[]}`, "", CodeInvalidMediaType, "manifest.config.mediaType"},
		{"B3: an image whose config has no size", strings.Replace(`{"schemaVersion":2,`+oci+`,"config":`+someDesc+`,"layers":[]}`, `"size":1`, `"size":0`, 1), "", CodeInvalidSize, "manifest.config.size"},
		{"B3: an image of schema 1", `{"schemaVersion":1,"mediaType":"application/vnd.docker.distribution.manifest.v1+prettyjws","fsLayers":[],"history":[]}`, "", CodeAmbiguous, "manifest.fsLayers"},
		{"B3: an image with layers of schema 1", add(`,"fsLayers":[]`), "", CodeAmbiguous, "manifest.fsLayers"},
		{"B3: an image with the history of schema 1", add(`,"history":[]`), "", CodeAmbiguous, "manifest.history"},
		{"B3: an artifact of its own type holds what it likes", `{` + other + `,"blobs":[],"history":[]}`, "", "", ""},
		{"B3: an artifact of its own type with a config", `{` + other + `,"config":` + someDesc + `}`, "", "", ""},
		{"B3: an artifact", `{"schemaVersion":2,` + oci + `,"config":` + someDesc + `,"layers":[]}`, "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Child{Manifest: []byte(tc.src)}
			c.Descriptor.MediaType = tc.described
			if strings.Contains(tc.src, ocispec.MediaTypeImageConfig) {
				c.Descriptor.Platform = platform("linux/arm64")
			}
			hold(t, c, Options{}, tc.code, tc.path)
		})
	}
}

// hold assembles one child and compares the first error.
func hold(t *testing.T, c Child, opts Options, code Code, path string) {
	t.Helper()
	_, err := Assemble([]Child{c}, opts)
	if code == "" {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return
	}
	var e *IndexError
	if !errors.As(err, &e) || e.Code != code || e.Path != "children[0]."+path || place(e.Child) != 0 {
		t.Errorf("error %v, want %s at children[0].%s", err, code, path)
	}
}

// TestConfigOfAChild is rules B1, B2 and B4 for configs.
func TestConfigOfAChild(t *testing.T) {
	for _, tc := range []struct {
		name   string
		config string
		code   Code
		path   string
	}{
		{"B1: no JSON", `{`, CodeNotJSON, "config"},
		{"B1: no UTF-8", `{"os":"linux","architecture":"amd64","author":"` + "\xff" + `"}`, CodeNotJSON, "config"},
		{"B1: nested too deep", string(deep(`{"x":`, MaxDepth, "}")), CodeTooDeep, "config"},
		{"B1: null", `null`, CodeNotManifest, "config"},
		{"B1: field of another type", `{"os":1}`, CodeNotManifest, "config.os"},
		{"B2: architecture twice", `{"os":"linux","architecture":"amd64","architecture":"arm64"}`, CodeAmbiguous, "config.architecture"},
		{"B2: architecture twice, once escaped", `{"os":"linux","architecture":"amd64","\u0061rchitecture":"arm64"}`, CodeAmbiguous, "config.architecture"},
		{"B2: another letter case", `{"os":"linux","architecture":"amd64","Architecture":"arm64"}`, CodeAmbiguous, "config.Architecture"},
		{"B2: os in another letter case", `{"OS":"linux","architecture":"amd64"}`, CodeAmbiguous, "config.OS"},
		{"B2: a letter that folds to s", `{"os":"linux","o` + "\u017f" + `":"windows","architecture":"amd64"}`, CodeAmbiguous, "config.o\u017f"},
		{"B2: rootfs twice", `{"os":"linux","architecture":"amd64","rootfs":{},"rootfs":{}}`, CodeAmbiguous, "config.rootfs"},
		{"B2: diff_ids twice", `{"os":"linux","architecture":"amd64","rootfs":{"diff_ids":[],"diff_ids":[]}}`, CodeAmbiguous, "config.rootfs.diff_ids"},
		{"B2: members of its own", `{"os":"linux","architecture":"amd64","container_config":{},"docker_version":"1","id":"a","ID":"b"}`, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hold(t, configured(tc.config, ocispec.MediaTypeImageConfig), Options{}, tc.code, tc.path)
		})
	}
	plain := image("linux/amd64")
	described := describe("a", "linux/amd64")
	for _, tc := range []struct {
		name  string
		child Child
	}{
		{"B4: a config without its manifest", Child{Config: plain.Config}},
		{"B4: a config beside a descriptor", Child{Config: plain.Config, Descriptor: described}},
		{"B4: a config beside a descriptor that agrees", Child{Config: plain.Config, Descriptor: ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(plain.Manifest), Size: int64(len(plain.Manifest)), Platform: platform("linux/amd64")}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hold(t, tc.child, Options{}, CodeMismatch, "config")
		})
	}
	t.Run("A12,B1: size limit of a config", func(t *testing.T) {
		c := configured(`{"os":"linux","architecture":"amd64","author":"`+strings.Repeat("x", 2000)+`"}`, ocispec.MediaTypeImageConfig)
		hold(t, c, Options{SizeLimit: 2000}, CodeTooLarge, "config")
		hold(t, c, Options{SizeLimit: 3000}, "", "")
	})
}
