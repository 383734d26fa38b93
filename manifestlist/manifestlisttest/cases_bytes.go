package manifestlisttest

import (
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A BytesCase is a child that Assemble takes or refuses for what its bytes are.
type BytesCase struct {
	Rules string // their IDs
	Name  string
	Child Child
	Code  string // of the error that polyarch reports, or "" if the child is taken
	Path  string // of that error, below the child
}

// ManifestCases are the manifests of children.
func ManifestCases() []BytesCase {
	good := string(Image("linux/arm64").Manifest)
	put := func(old, now string) string {
		if !strings.Contains(good, old) {
			panic("no " + old + " in " + good)
		}
		return strings.Replace(good, old, now, 1)
	}
	add := func(members string) string { return good[:len(good)-1] + members + "}" }
	const (
		oci      = `"mediaType":"application/vnd.oci.image.manifest.v1+json"`
		ociIndex = `"mediaType":"application/vnd.oci.image.index.v1+json"`
		list     = `"mediaType":"` + DockerList + `"`
		other    = `"mediaType":"a/b"`
		someDesc = `{"mediaType":"a/b","digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size":1}`
	)
	var cases []BytesCase
	for _, c := range []struct{ rules, name, src, described, code, path string }{
		{"child-is-one-json-object", "no JSON", "{", "", "NotJSON", "manifest"},
		{"child-is-one-json-object", "empty", "", "", "NotJSON", "manifest"},
		{"child-is-one-json-object", "trailing data", good + "{}", "", "NotJSON", "manifest"},
		{"child-is-one-json-object", "no UTF-8", add(`,"x":"` + "\xff" + `"`), "", "NotJSON", "manifest"},
		{"child-is-one-json-object", "half a surrogate pair", add(`,"annotations":{"a":"\ud800"}`), "", "NotJSON", "manifest"},
		{"child-is-one-json-object", "nested too deep", add(`,"x":` + string(Deep("", maxDepth, ""))), "", "TooDeep", "manifest"},
		{"child-is-one-json-object", "as deep as allowed", add(`,"x":` + string(Deep("", maxDepth-1, ""))), "", "", ""},
		{"child-is-one-json-object", "null", "null", "", "NotManifest", "manifest"},
		{"child-is-one-json-object", "null of any type", "null", "a/b", "NotManifest", "manifest"},
		{"child-is-one-json-object", "array", "[]", "", "NotManifest", "manifest"},
		{"child-is-one-json-object", "field of another type", put(`"schemaVersion":2`, `"schemaVersion":"2"`), "", "NotManifest", "manifest.schemaVersion"},
		{"child-is-read-one-way", "config twice", add(`,"config":{}`), "", "Ambiguous", "manifest.config"},
		{"child-is-read-one-way", "mediaType twice", add(`,` + ociIndex), "", "Ambiguous", "manifest.mediaType"},
		{"child-is-read-one-way", "layers twice, once escaped", add(`,"layer\u0073":[]`), "", "Ambiguous", "manifest.layers"},
		{"child-is-read-one-way", "another letter case", add(`,"Config":{}`), "", "Ambiguous", "manifest.Config"},
		{"child-is-read-one-way", "a letter that folds to s", put(`"layers"`, `"layer`+"\u017f"+`"`), "", "Ambiguous", "manifest.layer\u017f"},
		{"child-is-read-one-way", "schemaVersion in another letter case", add(`,"schemaversion":1`), "", "Ambiguous", "manifest.schemaversion"},
		{"child-is-read-one-way", "manifests in another letter case", add(`,"Manifests":[]`), "", "Ambiguous", "manifest.Manifests"},
		{"child-is-read-one-way", "annotation", add(`,"annotations":{"a":"b","\u0061":"c"}`), "", "Ambiguous", "manifest.annotations"},
		{"child-is-read-one-way", "digest of the config twice", put(`"config":{`, `"config":{"digest":"x",`), "", "Ambiguous", "manifest.config.digest"},
		{"child-is-read-one-way", "digest of a layer twice", put(`"layers":[{`, `"layers":[{"digest":"x",`), "", "Ambiguous", "manifest.layers[0].digest"},
		{"child-is-read-one-way", "digest of a layer, another letter case", put(`"layers":[{`, `"layers":[{"Digest":"x",`), "", "Ambiguous", "manifest.layers[0].Digest"},
		{"child-is-read-one-way", "subject", add(`,"subject":{"size":1,"size":2}`), "", "Ambiguous", "manifest.subject.size"},
		{"child-is-read-one-way", "null subject and annotations", add(`,"subject":null,"annotations":null`), "", "", ""},
		{"child-is-read-one-way", "members of its own", add(`,"x":1,"x":2`), "", "", ""},
		{"child-is-read-one-way", "of any type", `{` + other + `,"MediaType":"c/d"}`, "", "Ambiguous", "manifest.MediaType"},
		{"child-is-what-it-declares", "an image", good, "", "", ""},
		{"child-is-what-it-declares", "an image that only its descriptor declares", put(oci+",", ""), DockerManifest, "", ""},
		{"child-is-what-it-declares", "an image that nobody declares", put(oci+",", ""), "", "", ""},
		{"child-is-what-it-declares", "an image of nothing", `{` + oci + `}`, "", "NotManifest", "manifest.schemaVersion"},
		{"child-is-what-it-declares", "an image of nothing but a version", `{"schemaVersion":2,` + oci + `}`, "", "NotManifest", "manifest.config"},
		{"child-is-what-it-declares", "an image of nothing, as its descriptor says", `{"schemaVersion":2}`, DockerManifest, "NotManifest", "manifest.config"},
		{"child-is-what-it-declares", "an image that holds manifests", `{"schemaVersion":2,` + oci + `,"manifests":[]}`, "", "NotManifest", "manifest.mediaType"},
		{"child-is-what-it-declares", "a Docker image that holds manifests", `{"schemaVersion":2,"manifests":[` + someDesc + `]}`, DockerManifest, "NotManifest", "manifest.mediaType"},
		{"child-is-what-it-declares", "another type that holds manifests", `{"schemaVersion":2,` + other + `,"manifests":[]}`, "", "NotManifest", "manifest.mediaType"},
		{"child-is-what-it-declares", "image and index at once", add(`,"manifests":[]`), "", "Ambiguous", "manifest"},
		{"child-is-what-it-declares", "manifests and layers", `{"manifests":[],"layers":[]}`, "", "Ambiguous", "manifest"},
		{"child-is-what-it-declares", "null manifests are there", add(`,"manifests":null`), "", "Ambiguous", "manifest"},
		{"child-is-what-it-declares", "an index that is an image", put(oci, ociIndex), "", "NotManifest", "manifest.manifests"},
		{"child-is-what-it-declares", "an image whose descriptor says index", put(oci+",", ""), DockerList, "NotManifest", "manifest.manifests"},
		{"child-is-what-it-declares", "a list of nothing", `{"schemaVersion":2,` + list + `}`, "", "NotManifest", "manifest.manifests"},
		{"child-is-what-it-declares", "an index of schemaVersion 1", `{"schemaVersion":1,` + ociIndex + `,"manifests":[]}`, "", "NotManifest", "manifest.schemaVersion"},
		{"child-is-what-it-declares", "an image of schemaVersion 1", put(`"schemaVersion":2`, `"schemaVersion":1`), "", "NotManifest", "manifest.schemaVersion"},
		{"child-is-what-it-declares", "an image without a schemaVersion", put(`"schemaVersion":2,`, ``), "", "NotManifest", "manifest.schemaVersion"},
		{"child-is-what-it-declares", "an image without layers", put(`"layers"`, `"players"`), "", "NotManifest", "manifest.layers"},
		{"child-is-what-it-declares", "an image without a config", put(`"config"`, `"configs"`), "", "NotManifest", "manifest.config"},
		{"child-is-what-it-declares", "an image whose config is null", `{"schemaVersion":2,` + oci + `,"config":null,"layers":[]}`, "", "InvalidMediaType", "manifest.config.mediaType"},
		{"child-is-what-it-declares", "an image whose config is nothing", `{"schemaVersion":2,` + oci + `,"config":{},"layers":[]}`, "", "InvalidMediaType", "manifest.config.mediaType"},
		{"child-is-what-it-declares", "an image whose config has no size", strings.Replace(`{"schemaVersion":2,`+oci+`,"config":`+someDesc+`,"layers":[]}`, `"size":1`, `"size":0`, 1), "", "InvalidSize", "manifest.config.size"},
		{"child-is-what-it-declares", "an image of schema 1", `{"schemaVersion":1,"mediaType":"application/vnd.docker.distribution.manifest.v1+prettyjws","fsLayers":[],"history":[]}`, "", "Ambiguous", "manifest.fsLayers"},
		{"child-is-what-it-declares", "an image with layers of schema 1", add(`,"fsLayers":[]`), "", "Ambiguous", "manifest.fsLayers"},
		{"child-is-what-it-declares", "an image with the history of schema 1", add(`,"history":[]`), "", "Ambiguous", "manifest.history"},
		{"child-is-what-it-declares", "an artifact of its own type holds what it likes", `{` + other + `,"blobs":[],"history":[]}`, "", "", ""},
		{"child-is-what-it-declares", "an artifact of its own type with a config", `{` + other + `,"config":` + someDesc + `}`, "", "", ""},
		{"child-is-what-it-declares", "an artifact", `{"schemaVersion":2,` + oci + `,"config":` + someDesc + `,"layers":[]}`, "", "", ""},
	} {
		child := Child{Manifest: []byte(c.src)}
		child.Descriptor.MediaType = c.described
		if strings.Contains(c.src, ocispec.MediaTypeImageConfig) {
			child.Descriptor.Platform = Platform("linux/arm64")
		}
		cases = append(cases, BytesCase{c.rules, c.name, child, c.code, c.path})
	}
	return cases
}

// ConfigCases are the configs of children.
func ConfigCases() []BytesCase {
	var cases []BytesCase
	for _, c := range []struct{ rules, name, config, code, path string }{
		{"child-is-one-json-object", "no JSON", `{`, "NotJSON", "config"},
		{"child-is-one-json-object", "no UTF-8", `{"os":"linux","architecture":"amd64","author":"` + "\xff" + `"}`, "NotJSON", "config"},
		{"child-is-one-json-object", "nested too deep", string(Deep(`{"x":`, maxDepth, "}")), "TooDeep", "config"},
		{"child-is-one-json-object", "null", `null`, "NotManifest", "config"},
		{"child-is-one-json-object", "field of another type", `{"os":1}`, "NotManifest", "config.os"},
		{"child-is-read-one-way", "architecture twice", `{"os":"linux","architecture":"amd64","architecture":"arm64"}`, "Ambiguous", "config.architecture"},
		{"child-is-read-one-way", "architecture twice, once escaped", `{"os":"linux","architecture":"amd64","\u0061rchitecture":"arm64"}`, "Ambiguous", "config.architecture"},
		{"child-is-read-one-way", "another letter case", `{"os":"linux","architecture":"amd64","Architecture":"arm64"}`, "Ambiguous", "config.Architecture"},
		{"child-is-read-one-way", "os in another letter case", `{"OS":"linux","architecture":"amd64"}`, "Ambiguous", "config.OS"},
		{"child-is-read-one-way", "a letter that folds to s", `{"os":"linux","o` + "\u017f" + `":"windows","architecture":"amd64"}`, "Ambiguous", "config.o\u017f"},
		{"child-is-read-one-way", "rootfs twice", `{"os":"linux","architecture":"amd64","rootfs":{},"rootfs":{}}`, "Ambiguous", "config.rootfs"},
		{"child-is-read-one-way", "diff_ids twice", `{"os":"linux","architecture":"amd64","rootfs":{"diff_ids":[],"diff_ids":[]}}`, "Ambiguous", "config.rootfs.diff_ids"},
		{"child-is-read-one-way", "members of its own", `{"os":"linux","architecture":"amd64","container_config":{},"docker_version":"1","id":"a","ID":"b"}`, "", ""},
	} {
		cases = append(cases, BytesCase{c.rules, "config: " + c.name, Configured(c.config, ocispec.MediaTypeImageConfig), c.code, c.path})
	}
	plain := Image("linux/amd64")
	described := Described("a", "linux/amd64")
	for _, c := range []struct {
		rules, name string
		child       Child
	}{
		{"config-needs-its-manifest", "a config without its manifest", Child{Config: plain.Config}},
		{"config-needs-its-manifest", "a config beside a descriptor", Child{Config: plain.Config, Descriptor: described}},
		{"config-needs-its-manifest", "a config beside a descriptor that agrees", Child{Config: plain.Config, Descriptor: ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest, Digest: digest.FromBytes(plain.Manifest), Size: int64(len(plain.Manifest)), Platform: Platform("linux/amd64")}}},
	} {
		cases = append(cases, BytesCase{c.rules, c.name, c.child, "Mismatch", "config"})
	}
	return cases
}
