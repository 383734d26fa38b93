package source

import (
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
