package section_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/internal/texts"
)

var update = flag.Bool("update", false, "write the table of codes anew")

const docs = "../../../docs/audit.md"

// TestCodesAreDocumented holds that docs/audit.md has the codes as they are.
func TestCodesAreDocumented(t *testing.T) {
	text := texts.Read(t, docs)
	const begin, end = "<!-- codes: written by go test -C examples ./audit/section -update -->\n", "<!-- end -->"
	head, rest, ok := strings.Cut(text, begin)
	have, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the codes", docs)
	}
	var table strings.Builder
	table.WriteString("| code | level | impact | remedy |\n|---|---|---|---|\n")
	for _, c := range report.Codes() {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", c.Code, c.Level, c.Impact, c.Remedy)
	}
	if *update {
		if err := os.WriteFile(docs, []byte(head+begin+table.String()+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(table.String(), have); d != "" {
		t.Errorf("%s (-the codes +the document; -update writes it anew):\n%s", docs, d)
	}
}

// TestSchemaIsDocumented holds that docs/audit.md names every member of the JSON.
func TestSchemaIsDocumented(t *testing.T) {
	text := texts.Read(t, docs)
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Slice, reflect.Pointer, reflect.Map:
			walk(of.Elem())
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				f := of.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				if !strings.Contains(text, "`"+name+"`") {
					t.Errorf("%s does not name %s.%s, `%s`", docs, of.Name(), f.Name, name)
				}
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[report.Report]())
	if len(seen) < 10 {
		t.Errorf("only %d types were looked at", len(seen))
	}
}

// TestCodesAreFrozen holds that no code has gone or has another level. -update adds the
// new ones, and nothing else.
func TestCodesAreFrozen(t *testing.T) {
	const file = "testdata/codes.txt"
	text, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	frozen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		code, level, _ := strings.Cut(strings.TrimSpace(line), " ")
		frozen[code] = true
		if c, ok := report.Lookup(code); !ok || string(c.Level) != level {
			t.Errorf("%s of level %s is now %+v", code, level, c)
		}
	}
	for _, c := range report.Codes() {
		if frozen[c.Code] {
			continue
		}
		if !*update {
			t.Errorf("%s is not in %s; -update adds it", c.Code, file)
		}
		text = fmt.Appendf(text, "%s %s\n", c.Code, c.Level)
	}
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
