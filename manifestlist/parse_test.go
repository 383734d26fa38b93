package manifestlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// TestParseRules has a row for each of P1 to P3: the code and the path of the
// error, or none.
func TestParseRules(t *testing.T) {
	index := func(members string) string { return `{"schemaVersion":2,"manifests":[{}]` + members + `}` }
	empty := func(members string) string { return `{"schemaVersion":2,"manifests":[]` + members + `}` }
	entry := func(members string) string { return `{"schemaVersion":2,"manifests":[{},{` + members + `}]}` }
	for _, tc := range []struct {
		name     string
		src      string
		code     Code
		path     string
		position int
	}{
		{"P1: empty", "", CodeNotJSON, "", -1},
		{"P1: no JSON", "{", CodeNotJSON, "", -1},
		{"P1: trailing data", index("") + "{}", CodeNotJSON, "", -1},
		{"P1: byte order mark", "\ufeff" + index(""), CodeNotJSON, "", -1},
		{"P1: no UTF-8", index(`,"x":"` + "\xff" + `"`), CodeNotJSON, "", -1},
		{"P1: no UTF-8 in a name", index(`,"` + "\xff" + `":1`), CodeNotJSON, "", -1},
		{"P1: half a surrogate pair", index(`,"annotations":{"a":"\ud800"}`), CodeNotJSON, "", -1},
		{"P1: the other half", index(`,"annotations":{"a":"x\\\udc00"}`), CodeNotJSON, "", -1},
		{"P1: halves in the wrong order", index(`,"x":"\uDC00\uD800"`), CodeNotJSON, "", -1},
		{"P1: half a pair and another character", index(`,"x":"\ud800\u0041"`), CodeNotJSON, "", -1},
		{"P1: a surrogate pair", index(`,"x":"\ud83d\udE00\u0041"`), "", "", 0},
		{"P1: no surrogate, but a backslash", index(`,"x":"\\ud800"`), "", "", 0},
		{"P1: 4 MiB are read", index(strings.Repeat(" ", MaxSize-len(index("")))), "", "", 0},
		{"P1: and not a byte more", index(strings.Repeat(" ", MaxSize-len(index(""))+1)), CodeTooLarge, "", -1},
		{"P1: as deep as allowed", index(`,"x":` + string(deep("", MaxDepth-1, ""))), "", "", 0},
		{"P1: too deep", index(`,"x":` + string(deep("", MaxDepth, ""))), CodeTooDeep, "", -1},
		{"P1: brackets in strings are not deep", index(`,"x":"` + strings.Repeat(`[\"[`, 99) + `"`), "", "", 0},
		{"P1: far too deep", string(deep("", 100000, "")), CodeNotJSON, "", -1},
		{"P2: array", "[]", CodeNotIndex, "", -1},
		{"P2: null", "null", CodeNotIndex, "", -1},
		{"P2: string", `"index"`, CodeNotIndex, "", -1},
		{"P2: number", "2", CodeNotIndex, "", -1},
		{"P2: no manifests", `{"schemaVersion":2}`, CodeNotIndex, "manifests", -1},
		{"P2: an image", `{"schemaVersion":2,"config":{},"layers":[]}`, CodeAmbiguous, "config", -1},
		{"P2: schemaVersion 1", `{"schemaVersion":1,"manifests":[]}`, CodeNotIndex, "schemaVersion", -1},
		{"P2: no schemaVersion", `{"manifests":[]}`, CodeNotIndex, "schemaVersion", -1},
		{"P2: media type of an image", index(`,"mediaType":"` + ocispec.MediaTypeImageManifest + `"`), CodeNotIndex, "mediaType", -1},
		{"P2: media type of an index", index(`,"mediaType":"` + ocispec.MediaTypeImageIndex + `"`), "", "", 0},
		{"P2: media type of a Docker list", index(`,"mediaType":"` + dockerList + `"`), "", "", 0},
		{"P2: no media type", index(""), "", "", 0},
		{"P2: empty media type", index(`,"mediaType":""`), "", "", 0},
		{"P2: field of another type", entry(`"size":"1"`), CodeNotIndex, "manifests.size", -1},
		{"P2: null manifests", `{"schemaVersion":2,"mediaType":"` + ocispec.MediaTypeImageIndex + `","manifests":null}`, CodeNotIndex, "manifests", -1},
		{"P2: no manifests and no media type", empty(""), CodeAmbiguous, "mediaType", -1},
		{"P2: no manifests and a null media type", empty(`,"mediaType":null`), CodeAmbiguous, "mediaType", -1},
		{"P2: no manifests, but a media type", empty(`,"mediaType":"` + dockerList + `"`), "", "", 0},
		{"P2: null entry", `{"schemaVersion":2,"manifests":[null]}`, "", "", 0},
		{"P2: null platform", entry(`"platform":null`), "", "", 0},
		{"P2: bad digest and size", entry(`"digest":"md5:zz","size":-5`), "", "", 0},
		{"P3: config", index(`,"config":{}`), CodeAmbiguous, "config", -1},
		{"P3: layers", index(`,"layers":null`), CodeAmbiguous, "layers", -1},
		{"P3: fsLayers", index(`,"fsLayers":[]`), CodeAmbiguous, "fsLayers", -1},
		{"P3: history", index(`,"history":[]`), CodeAmbiguous, "history", -1},
		{"P3: escaped config", index(`,"c\u006fnfig":{}`), CodeAmbiguous, "config", -1},
		{"P3: Config, another letter case", index(`,"Config":{}`), CodeAmbiguous, "Config", -1},
		{"P3: LAYERS, another letter case", index(`,"LAYERS":[]`), CodeAmbiguous, "LAYERS", -1},
		{"P3: FSlayers, another letter case", index(`,"FSlayers":[]`), CodeAmbiguous, "FSlayers", -1},
		{"P3: History, another letter case", index(`,"History":[]`), CodeAmbiguous, "History", -1},
		{"P3: layers with a letter that folds to s", index(`,"layer` + "\u017f" + `":[]`), CodeAmbiguous, "layer\u017f", -1},
		{"P3: layers with that letter escaped", index(`,"layer\u017F":[]`), CodeAmbiguous, "layer\u017f", -1},
		{"P3: Config escaped", index(`,"\u0043onfig":{}`), CodeAmbiguous, "Config", -1},
		{"P3: null config", index(`,"config":null`), CodeAmbiguous, "config", -1},
		{"P3: configs is another member", index(`,"configs":{}`), "", "", 0},
		{"P3: a letter that does not fold to i", index(`,"conf` + "\u0131" + `g":{}`), "", "", 0},
		{"P3: manifests twice", index(`,"manifests":[{}]`), CodeAmbiguous, "manifests", -1},
		{"P3: manifests twice, the second null", `{"schemaVersion":2,"manifests":[{"annotations":{"a":"b"}}],"manifests":null}`, CodeAmbiguous, "manifests", -1},
		{"P3: manifests twice, the second shorter", `{"schemaVersion":2,"manifests":[{},{}],"manifests":[{}]}`, CodeAmbiguous, "manifests", -1},
		{"P3: manifests twice, once escaped", index(`,"manif\u0065sts":[]`), CodeAmbiguous, "manifests", -1},
		{"P3: subject twice, the second null", index(`,"subject":{"annotations":{"a":"b"}},"subject":null`), CodeAmbiguous, "subject", -1},
		{"P3: another letter case", index(`,"MediaType":"x"`), CodeAmbiguous, "MediaType", -1},
		{"P3: a letter that folds to s", index(`,"manife` + "\u017f" + `ts":[]`), CodeAmbiguous, "manife\u017fts", -1},
		{"P3: entry", entry(`"digest":"a","digest":"b"`), CodeAmbiguous, "manifests[1].digest", 1},
		{"P3: entry, another letter case", entry(`"Digest":"a"`), CodeAmbiguous, "manifests[1].Digest", 1},
		{"P3: platform", entry(`"platform":{"os":"a","os":"b"}`), CodeAmbiguous, "manifests[1].platform.os", 1},
		{"P3: platform, another letter case", entry(`"platform":{"OS":"a"}`), CodeAmbiguous, "manifests[1].platform.OS", 1},
		{"P3: subject", index(`,"subject":{"size":1,"size":2}`), CodeAmbiguous, "subject.size", -1},
		{"P3: annotation", index(`,"annotations":{"a":"b","\u0061":"c"}`), CodeAmbiguous, "annotations", -1},
		{"P3: annotation of an entry", entry(`"annotations":{"a":"b","a":"b"}`), CodeAmbiguous, "manifests[1].annotations", 1},
		{"P3: annotations may differ by letter case", index(`,"annotations":{"a":"b","A":"c"}`), "", "", 0},
		{"P4: unknown members twice", index(`,"x":1,"x":2`), "", "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, err := Parse([]byte(tc.src))
			if tc.code == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				if x.Manifests == nil {
					t.Error("Manifests is nil")
				}
				return
			}
			var e *IndexError
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want %s", err, tc.code)
			}
			if e.Code != tc.code || e.Path != tc.path || place(e.Child) != tc.position {
				t.Errorf("%s at %q of %d, want %s at %q of %d", e.Code, e.Path, place(e.Child), tc.code, tc.path, tc.position)
			}
			if !cmp.Equal(x, Index{}) {
				t.Errorf("an index beside the error: %+v", x)
			}
		})
	}
}

// TestParseLimit: what is made with a size limit can be read with it.
func TestParseLimit(t *testing.T) {
	index := func(size int) []byte {
		const before, after = `{"schemaVersion":2,"manifests":[{}],"x":"`, `"}`
		return []byte(before + strings.Repeat("x", size-len(before)-len(after)) + after)
	}
	for _, tc := range []struct {
		name        string
		size, limit int
		refused     bool
	}{
		{"P1: 0 is 4 MiB", MaxSize, 0, false},
		{"P1: 0 is not more", MaxSize + 1, 0, true},
		{"P1: less than 0 is 4 MiB", MaxSize, -1, false},
		{"P1: a larger limit", MaxSize + 1, MaxSize + 1, false},
		{"P1: and not a byte more", MaxSize + 2, MaxSize + 1, true},
		{"P1: a smaller limit", 100, 99, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, err := ParseLimit(index(tc.size), tc.limit)
			var e *IndexError
			if refused := errors.As(err, &e) && e.Code == CodeTooLarge; refused != tc.refused || (err != nil) != tc.refused {
				t.Errorf("error %v, want one: %v", err, tc.refused)
			}
			if err != nil && !cmp.Equal(x, Index{}) {
				t.Error("an index beside the error")
			}
		})
	}
	t.Run("P1,A12: Assemble, ParseLimit, Update, and flattened", func(t *testing.T) {
		opts := Options{SizeLimit: 8 << 20, Annotations: map[string]string{"a": strings.Repeat("x", MaxSize)}}
		r := mustAssemble(t, children("linux/amd64"), opts)
		if _, err := Parse(r.Bytes); err == nil {
			t.Error("Parse takes more than 4 MiB")
		}
		x, err := ParseLimit(r.Bytes, opts.SizeLimit)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Update(x, children("linux/arm64"), Options{SizeLimit: opts.SizeLimit}); err != nil {
			t.Error(err)
		}
		if _, err := Assemble([]Child{{Manifest: r.Bytes}}, Options{SizeLimit: opts.SizeLimit, Nested: Flatten}); err != nil {
			t.Error(err)
		}
	})
}

func TestParseKeepsTheCause(t *testing.T) {
	_, err := Parse([]byte(`{"schemaVersion":"2"}`))
	var cause *json.UnmarshalTypeError
	if !errors.As(err, &cause) {
		t.Errorf("no cause in %v", err)
	}
	var e *IndexError
	if !errors.As(err, &e) || e.Path != "schemaVersion" {
		t.Errorf("not at schemaVersion: %v", err)
	}
	_, err = Parse([]byte(`{`))
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		t.Errorf("no cause in %v", err)
	}
}

// strange has members of its own everywhere, and white space.
const strange = `{
  "x-first": [1, 2.50, "a\u0062 c"],
  "schemaVersion": 2,
  "manifests": [
    {"y": {"deep": [ ]}, "mediaType": "m", "digest": "d", "size": 3, "platform": {"features": ["sse4"], "os": "linux", "architecture": "amd64"}, "z": null},
    {"digest": "e", "size": 1e0, "mediaType": "n", "platform": null, "<": "&"}
  ],
  "subject": {"size": 1, "digest": "s", "s": "t", "mediaType": ""},
  "annotations": {},
  "x-last": true
}`

func TestIndexAppendKeepsUnknownMembers(t *testing.T) {
	t.Run("A13,P4: what image-spec does not name comes last", func(t *testing.T) {
		// 1e0 is no Go integer.
		x := mustParse(t, []byte(strings.ReplaceAll(strange, "1e0", "1")))
		want := `{"schemaVersion":2,"manifests":[` +
			`{"mediaType":"m","digest":"d","size":3,"platform":{"architecture":"amd64","os":"linux","features":["sse4"]},"y":{"deep":[]},"z":null},` +
			`{"mediaType":"n","digest":"e","size":1,"<":"&"}],` +
			`"subject":{"mediaType":"","digest":"s","size":1,"s":"t"},` +
			`"x-first":[1,2.50,"a\u0062 c"],"x-last":true}`
		got := string(x.Append(nil))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if again := string(mustParse(t, []byte(got)).Append(nil)); again != got {
			t.Errorf("canonical bytes change when they are read and written again:\n%s\n%s", got, again)
		}
	})
}

func TestUnknownMembersStayWithTheirEntry(t *testing.T) {
	t.Run("P5: an exchanged entry does not get the members of the one before", func(t *testing.T) {
		x := mustParse(t, []byte(`{"schemaVersion":2,"manifests":[{"mediaType":"m","digest":"d","size":3,"x":1},{"mediaType":"m","digest":"e","size":3,"x":2}]}`))
		x.Manifests[0].Digest = "other"
		x.Manifests = append(x.Manifests, ocispec.Descriptor{Digest: "third"})
		want := `{"schemaVersion":2,"manifests":[{"mediaType":"m","digest":"other","size":3},{"mediaType":"m","digest":"e","size":3,"x":2},{"mediaType":"","digest":"third","size":0}]}`
		if diff := cmp.Diff(want, string(x.Append(nil))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		var sources []string
		for _, c := range x.Children() {
			sources = append(sources, c.Source.String())
		}
		if diff := cmp.Diff([]string{"", `{"mediaType":"m","digest":"e","size":3,"x":2}`, ""}, sources); diff != "" {
			t.Errorf("sources of the children (-want +got):\n%s", diff)
		}
	})
	t.Run("P5: a digest is the same however it is written", func(t *testing.T) {
		x := mustParse(t, []byte(`{"schemaVersion":2,"manifests":[{"dig\u0065st":"\u0064","x":1},{"x":2},{"digest":null,"x":3},null]}`))
		want := `{"schemaVersion":2,"manifests":[{"mediaType":"","digest":"d","size":0,"x":1},{"mediaType":"","digest":"","size":0,"x":2},` +
			`{"mediaType":"","digest":"","size":0,"x":3},{"mediaType":"","digest":"","size":0}]}`
		if diff := cmp.Diff(want, string(x.Append(nil))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("P5: fewer entries, other entries", func(t *testing.T) {
		x := mustParse(t, []byte(`{"schemaVersion":2,"manifests":[{"digest":"d","x":1},{"digest":"e","x":2}]}`))
		x.Manifests = []ocispec.Descriptor{x.Manifests[1]}
		want := `{"schemaVersion":2,"manifests":[{"mediaType":"","digest":"e","size":0}]}`
		if diff := cmp.Diff(want, string(x.Append(nil))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestSource(t *testing.T) {
	const compact = `{"schemaVersion":2,"manifests":[{}],"x":"a b"}`
	spaced := mustParse(t, []byte(" {\"schemaVersion\": 2, \"manifests\":[\n{ }], \"x\":\"a b\"}"))
	if got := spaced.Source.String(); got != compact {
		t.Errorf("the source is %s, want %s", got, compact)
	}
	if !spaced.Source.Equal(mustParse(t, []byte(compact)).Source) || spaced.Source.Equal(Source{}) {
		t.Error("sources are equal when their JSON is, and only then")
	}
	one := mustParse(t, []byte(`{"schemaVersion":2,"manifests":[{}],"x":1}`))
	if diff := cmp.Diff(one, mustParse(t, []byte(`{"schemaVersion":2,"manifests":[{}],"x":2}`))); diff == "" {
		t.Error("cmp.Diff sees no difference in what image-spec does not name")
	}
}

// A name that image-spec knows is known however it is escaped.
func TestEscapedNamesAreKnown(t *testing.T) {
	x := mustParse(t, []byte(`{"schema\u0056ersion":2,"manif\u0065sts":[{"siz\u0065":3,"platf\u006frm":{"\u006fs":"linux","\u0078":1}}]}`))
	want := `{"schemaVersion":2,"manifests":[{"mediaType":"","digest":"","size":3,"platform":{"architecture":"","os":"linux","\u0078":1}}]}`
	if diff := cmp.Diff(want, string(x.Append(nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestZeroIndex(t *testing.T) {
	var x Index
	if got := string(x.Append(nil)); got != `{"schemaVersion":0,"manifests":[]}` {
		t.Errorf("got %s", got)
	}
	if len(x.Children()) != 0 {
		t.Error("it has children")
	}
	r, err := Update(x, children("linux/amd64"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := mustAssemble(t, children("linux/amd64"), Options{}); !bytes.Equal(r.Bytes, want.Bytes) {
		t.Errorf("updating nothing gives %s", r.Bytes)
	}
}
