package source

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// fuzzLimits are small, so that the fuzzer comes to them.
var fuzzLimits = Limits{Files: 20, File: 1 << 20, Object: 4 << 10, Total: 1 << 20, Ratio: 50}

// scanned are the pieces of a text, and whether all of it was read.
func scanned(t *testing.T, text []byte, oneByOne bool) (pieces []piece, err error) {
	t.Helper()
	r := bytes.NewReader(text)
	take := func(p piece) error {
		p.text = bytes.Clone(p.text)
		pieces = append(pieces, p)
		return nil
	}
	if oneByOne {
		err = scan(iotest.OneByteReader(r), fuzzLimits.Object, take)
	} else {
		err = scan(r, fuzzLimits.Object, take)
	}
	return pieces, err
}

// FuzzScan: whatever a file holds, its objects have a kind and are within the limit, what
// is read of their identity at a glance is what a parser of YAML reads, and it does not
// matter in which portions the file comes.
func FuzzScan(f *testing.F) {
	f.Add([]byte("apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  resourceVersion: \"7\"\n"))                                               // as oc adm inspect writes it
	f.Add([]byte("apiVersion: v1\nitems:\n- metadata:\n    name: a\n- apiVersion: v1\n  kind: Node\nkind: NodeList\n"))                         // a list, its kind at the end
	f.Add([]byte("---\n# nothing\n---\nkind: A\napiVersion: b\n...\n--- \nkind: C\napiVersion: d\n"))                                           // several documents
	f.Add([]byte(`{"kind":"List","apiVersion":"v1","items":[{"kind":"Node","apiVersion":"v1","metadata":{"name":"a"}}]} {"kind":"Node"}`))      // JSON, two documents
	f.Add([]byte("kind: Node\napiVersion: v1\nmetadata: {name: a, namespace: 'b'}\n"))                                                          // flow style
	f.Add([]byte("kind: >-\n  Node\napiVersion: v1\nspec: |\n  - a\n  items:\n  - b\n"))                                                        // texts of several lines
	f.Add([]byte("items: []\nkind: NodeList\napiVersion: v1\n"))                                                                                // an empty list
	f.Add([]byte("\ufeffkind: \"No\\u0064e\"\r\napiVersion: 'v1'\r\n"))                                                                         // a byte order mark, escapes, other line ends
	f.Add([]byte(`{"kind":"List","items":null,"items":[{}],"kind":1}`))                                                                         // members twice, of other types
	f.Add(append([]byte("kind: Node\napiVersion: v1\nspec: "), bytes.Repeat([]byte("a"), 5<<10)...))                                            // over the limit
	f.Add([]byte("kind: Node\napiVersion: v1\nmetadata:\n  name: a\n  labels:\n    name: b\n  ownerReferences:\n  - kind: Job\n    name: c\n")) // names further in
	f.Add([]byte("kind: A\napiVersion: b\nmetadata:\n  labels:\n    x: y\u0085  name: c\u2028  namespace: d\r  resourceVersion: e\r\n"))        // other ends of lines
	f.Fuzz(func(t *testing.T, text []byte) {
		pieces, err := scanned(t, text, false)
		again, errAgain := scanned(t, text, true)
		if (err == nil) != (errAgain == nil) || len(pieces) != len(again) {
			t.Fatalf("%d pieces, %v; byte by byte %d, %v", len(pieces), err, len(again), errAgain)
		}
		for i, p := range pieces {
			if p.identity != again[i].identity || !bytes.Equal(p.text, again[i].text) {
				t.Fatalf("piece %d differs when read byte by byte", i)
			}
			if p.kind == "" || int64(len(p.text)) > 2*fuzzLimits.Object {
				t.Fatalf("piece %d is of kind %q and %d bytes", i, p.kind, len(p.text))
			}
			checkGlance(t, p)
		}
	})
}

// checkGlance holds what is read at a glance to what the parser reads. The glance may be
// unsure, and it may read a text where the parser sees a number.
func checkGlance(t *testing.T, p piece) {
	t.Helper()
	if p.text == nil || p.isJSON {
		return
	}
	at, sure := glance(p.text)
	var whole struct {
		APIVersion any `json:"apiVersion"`
		Kind       any `json:"kind"`
		Metadata   struct {
			Namespace       any `json:"namespace"`
			Name            any `json:"name"`
			ResourceVersion any `json:"resourceVersion"`
		} `json:"metadata"`
	}
	text, err := yaml.YAMLToJSON(p.text)
	if !sure || err != nil || utiljson.Unmarshal(text, &whole) != nil {
		return
	}
	m := whole.Metadata
	for _, pair := range []struct {
		read   string
		parsed any
	}{
		{at.apiVersion, whole.APIVersion}, {at.kind, whole.Kind},
		{at.Namespace, m.Namespace}, {at.Name, m.Name}, {at.resourceVersion, m.ResourceVersion},
	} {
		if parsed, isText := pair.parsed.(string); isText && parsed != pair.read {
			t.Fatalf("%q at a glance, %q when parsed:\n%s", pair.read, parsed, p.text)
		}
	}
}

// FuzzScanWritten: whatever texts stand in objects, the lists and documents that
// Kubernetes writes of them are cut where objects begin.
func FuzzScanWritten(f *testing.F) {
	f.Add("a", "b", "c")                            // plain words
	f.Add("a\nb\n", "- c\n", "items:\n- d\n")       // lines that look like items
	f.Add("---\n", "...\n", "--- a")                // like the end of a document
	f.Add("# a", "  # b\n\n  c", "\tkind: Secret")  // like remarks and members
	f.Add("", " ", "\n\n")                          // blanks
	f.Add("yes", "1e3", "~")                        // what YAML reads as something else
	f.Add("\u2028a\u0085b", "\ufeff", "\x00\x1b[m") // other ends of lines, marks, controls
	f.Fuzz(func(t *testing.T, key, value, name string) {
		if len(key)+len(value)+len(name) > 100 || name == "" || // six bytes each and five times, at most
			!utf8.ValidString(key) || !utf8.ValidString(value) || !utf8.ValidString(name) {
			t.Skip("no API server stores it")
		}
		object := func(name string) map[string]any {
			return map[string]any{
				"apiVersion": "v1", "kind": "ConfigMap",
				"metadata": map[string]any{"name": name, "annotations": map[string]any{key: value}},
				"data":     map[string]any{key: value, "list": []any{value, key, map[string]any{key: value}}},
			}
		}
		want := []map[string]any{object(name), object(name + "2")}
		list, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": want, "metadata": map[string]any{"resourceVersion": ""}})
		if err != nil {
			t.Skip("sigs.k8s.io/yaml, by which Kubernetes writes, cannot")
		}
		var documents []byte
		for _, o := range want {
			text, err := yaml.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(append(documents, "---\n"...), text...)
		}
		inJSON, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": want})
		if err != nil {
			t.Fatal(err)
		}
		for what, text := range map[string][]byte{"list": list, "documents": documents, "JSON": inJSON} {
			pieces, err := scanned(t, text, false)
			if err != nil {
				t.Fatalf("%s: %v\n%s", what, err, text)
			}
			var got []map[string]any
			for _, p := range pieces {
				if p.text == nil {
					continue // the end of the list
				}
				content, err := p.json()
				if err != nil {
					t.Fatalf("%s: %v\n%s", what, err, p.text)
				}
				var object map[string]any
				if err := json.Unmarshal(content, &object); err != nil {
					t.Fatal(err)
				}
				if p.Name != object["metadata"].(map[string]any)["name"] {
					t.Fatalf("%s: the name is read as %q:\n%s", what, p.Name, p.text)
				}
				got = append(got, object)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s (-want +got):\n%s\n%s", what, d, text)
			}
		}
	})
}

// FuzzFiles: whatever a file is (an archive, a manifest, neither), reading it ends, no
// Secret comes out of it, and each object that is counted is handed out or named as
// unreadable.
func FuzzFiles(f *testing.F) {
	const node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n"
	const stream = "apiVersion: image.openshift.io/v1\nkind: ImageStream\nmetadata:\n  name: a\n  namespace: b\n"
	f.Add([]byte(node + "---\n" + stream))                                                                                                                     // manifests
	f.Add([]byte("apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  a: YQ==\n"))                                                                    // to be skipped
	f.Add(archiveOf(f, "tar", map[string]string{"a.yaml": node, "b/c.json": `{"kind":"Node","apiVersion":"v1","metadata":{"name":"b"}}`, "d.log": "kind of"})) // a must-gather, with a log
	f.Add(archiveOf(f, "tar.gz", map[string]string{"a.yaml": node, "../b.yaml": node}))                                                                        // leads outside
	f.Add(archiveOf(f, "zip", map[string]string{"a.yaml": stream, "b.yaml": stream}))                                                                          // one object twice
	f.Add([]byte("PK\x03\x04"))                                                                                                                                // the beginning of a zip
	f.Add([]byte{0x1f, 0x8b, 8, 0})                                                                                                                            // and of a gzip
	file := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s := NewFiles(fuzzLimits, file)
		handed := 0
		take := func(k *Kind, o Object) error {
			handed++
			var head struct{ Kind string }
			if err := o.Into(&head); err == nil && head.Kind == secret {
				t.Fatalf("a Secret comes out:\n%s", o.JSON())
			}
			if o.Name == "" || kindOf(Kinds(), identity{apiVersion: k.APIVersion(), kind: k.Kind, Key: o.Key}) == nil {
				t.Fatalf("%+v is none of %s", o.Key, k.Name())
			}
			return nil
		}
		if err := s.Read(t.Context(), take); err != nil {
			return // neither a directory nor an archive
		}
		asked := 0
		for _, k := range Kinds() {
			if k.Bulk {
				if err := s.Stream(t.Context(), k, func(o Object) error { return take(k, o) }); err != nil {
					t.Fatal(err)
				}
			} else if k.Picked {
				asked += len(s.held[k])
			}
		}
		info := s.Info()
		if missing := info.Objects - handed - asked; missing < 0 || missing > info.Unreadable.Count {
			t.Fatalf("%d objects are handed out, and %d of those that are asked for, of %d:\n%+v", handed, asked, info.Objects, info)
		}
	})
}
