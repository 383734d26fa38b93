package manifestlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// TestParseRules has a row for each of P1 to P3: the code and the path of the
// error, or none.
func TestParseRules(t *testing.T) {
	type row struct {
		name     string
		src      string
		limit    int
		code     Code
		path     string
		position int
	}
	halves := func(rest string) string { return `{"schemaVersion":2,"manifests":[{}],"x":"\ud800` + rest + `"}` }
	rows := []row{
		{"P3: annotations of an entry twice, the same", `{"schemaVersion":2,"manifests":[{"annotations":{"a":"b"},"annotations":{"a":"b"}}]}`, 0, CodeAmbiguous, "manifests[0].annotations", 0},
		{"P1: half a pair, and what looks like the end of the other half", halves("xxdc00"), 0, CodeNotJSON, "", -1},
		{"P1: half a pair, and the other half but for its backslash", halves("xudc00"), 0, CodeNotJSON, "", -1},
		{"P1: half a pair, and another escape", halves(`\ndc00`), 0, CodeNotJSON, "", -1},
		{"P3: platform of an entry twice, the same", `{"schemaVersion":2,"manifests":[{"platform":{},"platform":{}}]}`, 0, CodeAmbiguous, "manifests[0].platform", 0},
	}
	for _, c := range manifestlisttest.ParseCases() {
		rows = append(rows, row{c.Name, c.Source, c.Limit, Code(c.Code), c.Path, c.Position})
	}
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			x, err := ParseLimit([]byte(tc.src), tc.limit)
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
