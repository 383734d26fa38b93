package source

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each line that ends a document to YAML does so here, or the next one would be lost.
func TestDocuments(t *testing.T) {
	object := func(kind string) string { return "apiVersion: v1\nkind: " + kind + "\n" }
	for _, mark := range []string{"---", "...", "--- # a remark", "... # a remark", "---\t# behind a tab", "...\t# behind a tab", "--- ", "---\r"} {
		t.Run(mark, func(t *testing.T) {
			pieces, err := scanned(t, []byte(object("A")+mark+"\n"+object("B")), false)
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, p := range pieces {
				kinds = append(kinds, p.kind)
			}
			if diff := cmp.Diff([]string{"A", "B"}, kinds); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, text := range []string{"----", "--", "....", "---a", "...a", " ---"} {
		if isMark([]byte(text)) {
			t.Errorf("%q counts as the end of a document", text)
		}
	}
}

// What YAML takes for several documents, and this for one, is refused: only the first would
// be read.
func TestHiddenDocuments(t *testing.T) {
	object := func(kind, end string) string { return "apiVersion: v1" + end + "kind: " + kind + end }
	for _, end := range []string{"\r", "\u0085", "\u2028", "\u2029"} {
		hidden := object("A", end) + "---" + end + object("B", end)
		list := "items:\n- apiVersion: v1\n  kind: A" + end + "---" + end + object("B", end) + "\nkind: List\n"
		for _, text := range []string{hidden, list} {
			if _, err := scanned(t, []byte(text), false); !errors.Is(err, errBreaks) {
				t.Errorf("%q: %v, want %v", text, err, errBreaks)
			}
		}
		for _, text := range []string{object("A", end), object("A", end) + "..." + end, "---" + end + object("A", end)} {
			if pieces, err := scanned(t, []byte(text), false); err != nil || len(pieces) != 1 || pieces[0].kind != "A" {
				t.Errorf("%q: %v, %v, want the one object", text, pieces, err)
			}
		}
	}
}
