package main

import (
	"go/ast"
	gobuild "go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const sample = `package p

import (
	"cmp"
	"strings"
)

func f(a, b int, s string) (n int) {
	if a < b && s != "" {
		n = 1 // the first
	}
	switch s {
	case "x", "y":
		n++
	}
	switch {
	case a >= b:
		return strings.LastIndexByte(s, 'x')
	}
	for n > 3 {
		break
	}
	ok := !(a == b)
	g := func() bool { return ok || s[1:] == "z" }
	if g() {
		panic("no")
	}
	return cmp.Or(cmp.Compare(a, b), strings.Compare(s, "x"))
}

func h(list []string, x any) string {
	for range list {
		list = nil
	}
	switch y := x.(type) {
	case nil:
	case string, int:
		_ = y
	}
	switch s := strings.ToLower(list[0]); s {
	case "y":
		return cmp.Or(s, "z")
	default:
	}
	return ""
}
`

// Every kind of mutant is made, of what it is to be made of and of nothing else.
func TestMutants(t *testing.T) {
	_, mutants, err := rewrite("p.go", []byte(sample), 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, m := range mutants {
		if m.number != 101+i || m.function != "f" && m.function != "h" || m.file != "p.go" {
			t.Errorf("mutant %d is %+v", i, m)
		}
		got = append(got, m.kind+": "+m.source)
	}
	want := []string{
		`negated: a < b && s != ""`, `removed: a < b && s != ""`, `always: a < b && s != ""`,
		`operand of && left out: a < b`, `operand of && left out: s != ""`, `boundary moved: a < b`,
		`left out: n = 1`,
		`case negated: "x"`, `case removed: "x"`, `case negated: "y"`, `case removed: "y"`, `left out: n++`,
		`negated: a >= b`, `removed: a >= b`, `always: a >= b`, `boundary moved: a >= b`,
		`taken for strings.IndexByte: strings.LastIndexByte(s, 'x')`,
		`removed: n > 3`, `boundary moved: n > 3`, `left out: break`,
		`negated: !(a == b)`,
		`negated: ok || s[1:] == "z"`, `operand of || left out: ok`, `operand of || left out: s[1:] == "z"`,
		`negated: g()`, `removed: g()`, `always: g()`,
		`key of the order left out: cmp.Compare(a, b)`, `key of the order left out: strings.Compare(s, "x")`,
		`left out: for range list { list = nil }`, `left out: list = nil`,
		`case removed: string`, `case removed: int`, `left out: _ = y`,
		`taken for ` + same + `: strings.ToLower(list[0])`,
		`case negated: "y"`, `case removed: "y"`, `operand of cmp.Or left out: s`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("mutants:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is rewritten is still Go, of the same types, on the same lines.
func TestRewrittenCompiles(t *testing.T) {
	out, _, err := rewrite("p.go", []byte(sample), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(out), "\n"), strings.Count(sample, "\n"); got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for name, src := range map[string]string{"p.go": string(out), "asleep.go": strings.Replace(sleeping, "PACKAGE", "p", 1)} {
		f, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		files = append(files, f)
	}
	if gobuild.Default.GOROOT == "" { // with -trimpath the program does not know it
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		gobuild.Default.GOROOT = strings.TrimSpace(string(root))
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := config.Check("p", fset, files, nil); err != nil {
		t.Errorf("%v in\n%s", err, out)
	}
}

// What is the same but for where it stands is counted, function by function.
func TestNth(t *testing.T) {
	_, mutants, err := rewrite("x.go", []byte(`package p

func f(a, b bool) int {
	if a {
		return 1
	}
	if b {
		return 2
	}
	if a {
		return 3
	}
	return 4
}

func g(a bool) int {
	if a {
		return 1
	}
	return 2
}
`), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		if m.kind == "removed" {
			got = append(got, m.String())
		}
	}
	want := []string{"x.go:4: f: removed: a", "x.go:7: f: removed: b", "x.go:10: f: removed #2: a", "x.go:17: g: removed: a"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
