package manifestlisttest

import (
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A ParseCase is a document that is read or refused.
type ParseCase struct {
	Rules    string // their IDs
	Name     string
	Source   string
	Limit    int
	Code     string // of the error that polyarch reports, or "" if the index is read
	Path     string // of that error
	Position int    // of the entry that it is about, or -1
}

// ParseCases are one or more for each rule of reading.
func ParseCases() []ParseCase {
	index := func(members string) string { return `{"schemaVersion":2,"manifests":[{}]` + members + `}` }
	empty := func(members string) string { return `{"schemaVersion":2,"manifests":[]` + members + `}` }
	entry := func(members string) string { return `{"schemaVersion":2,"manifests":[{},{` + members + `}]}` }
	sized := func(size int) string {
		const before, after = `{"schemaVersion":2,"manifests":[{}],"x":"`, `"}`
		return before + strings.Repeat("x", size-len(before)-len(after)) + after
	}
	return []ParseCase{
		{"index-is-one-json-document", "empty", "", 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "no JSON", "{", 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "trailing data", index("") + "{}", 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "byte order mark", "\ufeff" + index(""), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "no UTF-8", index(`,"x":"` + "\xff" + `"`), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "no UTF-8 in a name", index(`,"` + "\xff" + `":1`), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "half a surrogate pair", index(`,"annotations":{"a":"\ud800"}`), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "the other half", index(`,"annotations":{"a":"x\\\udc00"}`), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "halves in the wrong order", index(`,"x":"\uDC00\uD800"`), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "half a pair and another character", index(`,"x":"\ud800\u0041"`), 0, "NotJSON", "", -1},
		{"index-is-one-json-document", "a surrogate pair", index(`,"x":"\ud83d\udE00\u0041"`), 0, "", "", 0},
		{"index-is-one-json-document", "no surrogate, but a backslash", index(`,"x":"\\ud800"`), 0, "", "", 0},
		{"index-is-one-json-document", "4 MiB are read", index(strings.Repeat(" ", maxSize-len(index("")))), 0, "", "", 0},
		{"index-is-one-json-document", "and not a byte more", index(strings.Repeat(" ", maxSize-len(index(""))+1)), 0, "TooLarge", "", -1},
		{"index-is-one-json-document", "as deep as allowed", index(`,"x":` + string(Deep("", maxDepth-1, ""))), 0, "", "", 0},
		{"index-is-one-json-document", "too deep", index(`,"x":` + string(Deep("", maxDepth, ""))), 0, "TooDeep", "", -1},
		{"index-is-one-json-document", "brackets in strings are not deep", index(`,"x":"` + strings.Repeat(`[\"[`, 99) + `"`), 0, "", "", 0},
		{"index-is-one-json-document", "far too deep", string(Deep("", 100000, "")), 0, "NotJSON", "", -1},
		{"index-has-its-shape", "array", "[]", 0, "NotIndex", "", -1},
		{"index-has-its-shape", "null", "null", 0, "NotIndex", "", -1},
		{"index-has-its-shape", "string", `"index"`, 0, "NotIndex", "", -1},
		{"index-has-its-shape", "number", "2", 0, "NotIndex", "", -1},
		{"index-has-its-shape", "no manifests", `{"schemaVersion":2}`, 0, "NotIndex", "manifests", -1},
		{"index-has-its-shape", "an image", `{"schemaVersion":2,"config":{},"layers":[]}`, 0, "Ambiguous", "config", -1},
		{"index-has-its-shape", "schemaVersion 1", `{"schemaVersion":1,"manifests":[]}`, 0, "NotIndex", "schemaVersion", -1},
		{"index-has-its-shape", "no schemaVersion", `{"manifests":[]}`, 0, "NotIndex", "schemaVersion", -1},
		{"index-has-its-shape", "media type of an image", index(`,"mediaType":"` + ocispec.MediaTypeImageManifest + `"`), 0, "NotIndex", "mediaType", -1},
		{"index-has-its-shape", "media type of an index", index(`,"mediaType":"` + ocispec.MediaTypeImageIndex + `"`), 0, "", "", 0},
		{"index-has-its-shape", "media type of a Docker list", index(`,"mediaType":"` + DockerList + `"`), 0, "", "", 0},
		{"index-has-its-shape", "no media type", index(""), 0, "", "", 0},
		{"index-has-its-shape", "empty media type", index(`,"mediaType":""`), 0, "", "", 0},
		{"index-has-its-shape", "field of another type", entry(`"size":"1"`), 0, "NotIndex", "manifests.size", -1},
		{"index-has-its-shape", "null manifests", `{"schemaVersion":2,"mediaType":"` + ocispec.MediaTypeImageIndex + `","manifests":null}`, 0, "NotIndex", "manifests", -1},
		{"index-has-its-shape", "no manifests and no media type", empty(""), 0, "Ambiguous", "mediaType", -1},
		{"index-has-its-shape", "no manifests and a null media type", empty(`,"mediaType":null`), 0, "Ambiguous", "mediaType", -1},
		{"index-has-its-shape", "no manifests, but a media type", empty(`,"mediaType":"` + DockerList + `"`), 0, "", "", 0},
		{"index-has-its-shape", "null entry", `{"schemaVersion":2,"manifests":[null]}`, 0, "", "", 0},
		{"index-has-its-shape", "null platform", entry(`"platform":null`), 0, "", "", 0},
		{"index-has-its-shape", "bad digest and size", entry(`"digest":"md5:zz","size":-5`), 0, "", "", 0},
		{"index-is-read-one-way", "config", index(`,"config":{}`), 0, "Ambiguous", "config", -1},
		{"index-is-read-one-way", "layers", index(`,"layers":null`), 0, "Ambiguous", "layers", -1},
		{"index-is-read-one-way", "fsLayers", index(`,"fsLayers":[]`), 0, "Ambiguous", "fsLayers", -1},
		{"index-is-read-one-way", "history", index(`,"history":[]`), 0, "Ambiguous", "history", -1},
		{"index-is-read-one-way", "escaped config", index(`,"c\u006fnfig":{}`), 0, "Ambiguous", "config", -1},
		{"index-is-read-one-way", "Config, another letter case", index(`,"Config":{}`), 0, "Ambiguous", "Config", -1},
		{"index-is-read-one-way", "LAYERS, another letter case", index(`,"LAYERS":[]`), 0, "Ambiguous", "LAYERS", -1},
		{"index-is-read-one-way", "FSlayers, another letter case", index(`,"FSlayers":[]`), 0, "Ambiguous", "FSlayers", -1},
		{"index-is-read-one-way", "History, another letter case", index(`,"History":[]`), 0, "Ambiguous", "History", -1},
		{"index-is-read-one-way", "layers with a letter that folds to s", index(`,"layer` + "\u017f" + `":[]`), 0, "Ambiguous", "layer\u017f", -1},
		{"index-is-read-one-way", "layers with that letter escaped", index(`,"layer\u017F":[]`), 0, "Ambiguous", "layer\u017f", -1},
		{"index-is-read-one-way", "Config escaped", index(`,"\u0043onfig":{}`), 0, "Ambiguous", "Config", -1},
		{"index-is-read-one-way", "null config", index(`,"config":null`), 0, "Ambiguous", "config", -1},
		{"index-is-read-one-way", "configs is another member", index(`,"configs":{}`), 0, "", "", 0},
		{"index-is-read-one-way", "a letter that does not fold to i", index(`,"conf` + "\u0131" + `g":{}`), 0, "", "", 0},
		{"index-is-read-one-way", "manifests twice", index(`,"manifests":[{}]`), 0, "Ambiguous", "manifests", -1},
		{"index-is-read-one-way", "manifests twice, the second null", `{"schemaVersion":2,"manifests":[{"annotations":{"a":"b"}}],"manifests":null}`, 0, "Ambiguous", "manifests", -1},
		{"index-is-read-one-way", "manifests twice, the second shorter", `{"schemaVersion":2,"manifests":[{},{}],"manifests":[{}]}`, 0, "Ambiguous", "manifests", -1},
		{"index-is-read-one-way", "manifests twice, once escaped", index(`,"manif\u0065sts":[]`), 0, "Ambiguous", "manifests", -1},
		{"index-is-read-one-way", "subject twice, the second null", index(`,"subject":{"annotations":{"a":"b"}},"subject":null`), 0, "Ambiguous", "subject", -1},
		{"index-is-read-one-way", "another letter case", index(`,"MediaType":"x"`), 0, "Ambiguous", "MediaType", -1},
		{"index-is-read-one-way", "a letter that folds to s", index(`,"manife` + "\u017f" + `ts":[]`), 0, "Ambiguous", "manife\u017fts", -1},
		{"index-is-read-one-way", "entry", entry(`"digest":"a","digest":"b"`), 0, "Ambiguous", "manifests[1].digest", 1},
		{"index-is-read-one-way", "entry, another letter case", entry(`"Digest":"a"`), 0, "Ambiguous", "manifests[1].Digest", 1},
		{"index-is-read-one-way", "platform", entry(`"platform":{"os":"a","os":"b"}`), 0, "Ambiguous", "manifests[1].platform.os", 1},
		{"index-is-read-one-way", "platform, another letter case", entry(`"platform":{"OS":"a"}`), 0, "Ambiguous", "manifests[1].platform.OS", 1},
		{"index-is-read-one-way", "subject", index(`,"subject":{"size":1,"size":2}`), 0, "Ambiguous", "subject.size", -1},
		{"index-is-read-one-way", "annotation", index(`,"annotations":{"a":"b","\u0061":"c"}`), 0, "Ambiguous", "annotations", -1},
		{"index-is-read-one-way", "annotation of an entry", entry(`"annotations":{"a":"b","a":"b"}`), 0, "Ambiguous", "manifests[1].annotations", 1},
		{"index-is-read-one-way", "annotations may differ by letter case", index(`,"annotations":{"a":"b","A":"c"}`), 0, "", "", 0},
		{"unknown-members-stay", "unknown members twice", index(`,"x":1,"x":2`), 0, "", "", 0},
		{"index-is-one-json-document", "0 is 4 MiB", sized(maxSize), 0, "", "", -1},
		{"index-is-one-json-document", "0 is not more", sized(maxSize + 1), 0, "TooLarge", "", -1},
		{"index-is-one-json-document", "less than 0 is 4 MiB", sized(maxSize), -1, "", "", -1},
		{"index-is-one-json-document", "a larger limit", sized(maxSize + 1), maxSize + 1, "", "", -1},
		{"index-is-one-json-document", "of a larger limit not a byte more", sized(maxSize + 2), maxSize + 1, "TooLarge", "", -1},
		{"index-is-one-json-document", "a smaller limit", sized(100), 99, "TooLarge", "", -1},
	}
}
