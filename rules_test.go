package polyarch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ruled lists the directories whose doc.go numbers the rules of a package.
var ruled = []string{
	"dictexpand",
	"importmode",
	"manifestlist",
	"manifestlist/buildplan",
	"payloadarch",
	"payloadarch/nodearch",
	"osimagestream",
}

var (
	// A rule in doc.go: a line of a table or a list that begins with its number.
	ruleLine = regexp.MustCompile(`(?m)^//\s+([A-Z]?[0-9]+)(?:\.|  )\s*\S`)
	// A row of a test: a name that begins with the numbers of its rules.
	rowName = regexp.MustCompile(`^([A-Z]?[0-9]+(?:,[A-Z]?[0-9]+)*): `)
)

// maxRuleTable is the widest line that pkg.go.dev shows without scrolling.
const maxRuleTable = 100

// Every rule that doc.go numbers has a named row in the tests of its package, or is
// one of its test package, whose rules all have rows; and every numbered row names a
// rule that is there.
func TestEveryRuleHasARow(t *testing.T) {
	for _, dir := range ruled {
		t.Run(dir, func(t *testing.T) {
			doc, err := os.ReadFile(filepath.Join(dir, "doc.go"))
			if err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			var rows []row
			for _, name := range files {
				src, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				found, err := rowsOf(name, src)
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, found...)
			}
			kit, err := filepath.Glob(filepath.Join(dir, filepath.Base(dir)+"test", "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range kit {
				src, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				found, err := numbersOf(name, src)
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, found...)
			}
			for _, trouble := range compareRules(string(doc), rows) {
				t.Error(trouble)
			}
		})
	}
}

// compareRules returns what is wrong with the rules of a doc.go and the rows of
// the tests beside it.
func compareRules(doc string, rows []row) (troubles []string) {
	rules := map[string]bool{} // whether a row names it
	for _, m := range ruleLine.FindAllStringSubmatch(doc, -1) {
		if _, twice := rules[m[1]]; twice {
			troubles = append(troubles, fmt.Sprintf("doc.go numbers two rules %s", m[1]))
		}
		rules[m[1]] = false
	}
	if len(rules) == 0 {
		troubles = append(troubles, "doc.go numbers no rule")
	}
	for i, line := range strings.Split(doc, "\n") {
		if n := len([]rune(strings.ReplaceAll(line, "\t", "    "))); n > maxRuleTable {
			troubles = append(troubles, fmt.Sprintf("doc.go:%d is %d columns wide, more than %d", i+1, n, maxRuleTable))
		}
	}
	for _, r := range rows {
		m := rowName.FindStringSubmatch(r.name)
		if m == nil {
			troubles = append(troubles, fmt.Sprintf("%s: row %q names no rule, others of its table do", r.at, r.name))
			continue
		}
		for number := range strings.SplitSeq(m[1], ",") {
			if _, ok := rules[number]; !ok {
				troubles = append(troubles, fmt.Sprintf("%s: row %q is for a rule that doc.go does not have", r.at, r.name))
			}
			rules[number] = true
		}
	}
	for _, number := range slices.Sorted(maps.Keys(rules)) {
		if !rules[number] {
			troubles = append(troubles, fmt.Sprintf("rule %s of doc.go has no row", number))
		}
	}
	return troubles
}

// A row is the name of a test case.
type row struct{ name, at string }

// rowsOf returns the rows of a test file: the names of all elements of a list or
// map literal one of which begins with the number of a rule, and the subtests
// that begin with one.
func rowsOf(name string, src []byte) ([]row, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var rows []row
	at := func(n ast.Node) string { return fset.Position(n.Pos()).String() }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			var table []row
			numbered := false
			for _, element := range n.Elts {
				if text, ok := elementName(element); ok {
					table = append(table, row{text, at(element)})
					numbered = numbered || rowName.MatchString(text)
				}
			}
			if numbered {
				rows = append(rows, table...)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Run" && len(n.Args) == 2 {
				if text, ok := leadingText(n.Args[0]); ok && rowName.MatchString(text) {
					rows = append(rows, row{text, at(n)})
				}
			}
		}
		return true
	})
	return rows, nil
}

// numbersOf returns a row for each rule of a test package: package conformance
// runs no suite in which a rule has none.
func numbersOf(name string, src []byte) ([]row, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var rows []row
	ast.Inspect(file, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Number" {
			if number, ok := leadingText(kv.Value); ok {
				rows = append(rows, row{number + ": in the test package", fset.Position(kv.Pos()).String()})
			}
		}
		return true
	})
	return rows, nil
}

// elementName returns the name of an element of a table: the key of a map's, or
// the field name, or the first field of a struct's.
func elementName(e ast.Expr) (string, bool) {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		return leadingText(kv.Key)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 {
		return "", false
	}
	for _, field := range lit.Elts {
		kv, ok := field.(*ast.KeyValueExpr)
		if !ok {
			return leadingText(lit.Elts[0])
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "name" {
			return leadingText(kv.Value)
		}
	}
	return "", false
}

// leadingText returns the text that an expression begins with: a literal, the
// left end of a concatenation, or the format of a call.
func leadingText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		return leadingText(e.X)
	case *ast.CallExpr:
		if len(e.Args) > 0 {
			return leadingText(e.Args[0])
		}
	}
	return "", false
}

// A checker that finds nothing proves nothing, so it is shown what it must find.
func TestRuleCheckerFinds(t *testing.T) {
	const doc = "// Package p decides.\n//\n// # A question\n//\n//\t 1  facts   answer\n//\tA2  facts   answer\n//  3. a sentence that goes on\n//     over 4 lines\n"
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"all there", `var rows = []struct{ name string }{{"1: a"}, {name: "A2: b"}}; func F(t *T) { t.Run("3: c", nil) }`, nil},
		{"several rules in a row", `var rows = map[string]int{"1,A2,3: a": 1}`, nil},
		{"concatenated, formatted", `var rows = []struct{ name string }{{"1: " + x}, {Sprintf("A2: %d", 1)}, {"3: c"}}`, nil},
		{"a rule without a row", `var rows = []struct{ name string }{{"1: a"}, {"A2: b"}}`, []string{"rule 3"}},
		{"a row without a rule", `var rows = []struct{ name string }{{"1: a"}, {"A2: b"}, {"3: c"}, {"4: d"}}`, []string{"does not have"}},
		{"a row without a number", `var rows = []struct{ name string }{{"1: a"}, {"A2: b"}, {"3: c"}, {"d"}}`, []string{"names no rule"}},
		{"other tables do not count", `var rows = []string{"x"}; var more = []struct{ name string }{{"1,A2,3: a"}}; var other = []struct{ name string }{{"d"}}`, nil},
	} {
		rows, err := rowsOf(tc.name, []byte("package p; "+tc.src))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got := compareRules(doc, rows)
		if len(got) != len(tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], tc.want[i]) {
				t.Errorf("%s: %q, want it to say %q", tc.name, got[i], tc.want[i])
			}
		}
	}
	kit, err := numbersOf("kit", []byte(`package ptest; var rules = []Rule{{ID: "a", Number: "1"}, {ID: "b", Number: "A2"}, {ID: "c", Number: "9"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := compareRules(doc, kit); len(got) != 2 || !strings.Contains(got[0], "does not have") || !strings.Contains(got[1], "rule 3") {
		t.Errorf("numbers of a test package: %q", got)
	}
	wide := doc + "// " + strings.Repeat("w", maxRuleTable) + "\n//\t 1  twice\n"
	rows := []row{{"1,A2,3: a", "x"}}
	if got := compareRules(wide, rows); len(got) != 2 {
		t.Errorf("a wide line and a doubled number: %q", got)
	}
}
