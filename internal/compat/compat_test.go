package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What a list in consumers.go allows must be needed: it comes with the packages
// of its use, and with none of the uses before.
func TestListsAreNeeded(t *testing.T) {
	for _, c := range consumers() {
		var have []string
		for _, u := range c.uses {
			var deps []string
			for _, p := range u.polyarch {
				deps = append(deps, goListDeps(t, p)...)
			}
			for _, add := range u.adds {
				if !slices.Contains(deps, add) || slices.Contains(have, add) {
					t.Errorf("%s: the list of %s names %s, which these packages do not bring in",
						c.name, strings.Join(u.polyarch, ", "), add)
				}
			}
			have = append(have, deps...)
		}
	}
}

// Each decision is measured with an operator that would import it. What only tests
// import is vendored with them, and is not among the costs.
func TestEveryPackageHasAConsumer(t *testing.T) {
	used := map[string]bool{}
	for _, c := range consumers() {
		for _, u := range c.uses {
			for _, p := range u.polyarch {
				used[module+"/"+p] = true
			}
		}
	}
	out, err := output("../..", "go", "list", "-f", "{{.ImportPath}} {{.Dir}}", "./...")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out + "\n" + module + "/osimagestream .") {
		p, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := os.ReadDir(dir); err != nil { // so that the test runs again for a package below
			t.Fatal(err)
		}
		internal := strings.Contains(p, "/internal/") || p == module
		if !internal && !used[p] && !strings.HasSuffix(p, "test") && p != module+"/conformance" {
			t.Errorf("no consumer in consumers.go imports %s", p)
		}
	}
}

// make compat compares the whole table, lines included; this much is known
// without vendoring.
func TestVersioningHasTheTable(t *testing.T) {
	doc, err := os.ReadFile("../../VERSIONING.md")
	if err != nil {
		t.Fatal(err)
	}
	all := consumers()
	costs := make([][]cost, len(all))
	for i, c := range all {
		for _, u := range c.uses {
			costs[i] = append(costs[i], cost{others: slices.Sorted(slices.Values(u.adds))})
		}
	}
	for row := range strings.Lines(table(all, costs)) {
		row = strings.TrimSuffix(row, " 0 |\n")
		if !strings.Contains(string(doc), row) {
			t.Errorf("VERSIONING.md lacks the row %q", row)
		}
	}
}

func TestReadVendor(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("modules.txt", "# example.com/a v1.0.0\n## explicit; go 1.24\nexample.com/a\nexample.com/a/b\n"+
		"# example.com/none v1.0.0\n## explicit\n# example.com/old => ../old\n")
	write("example.com/a/a.go", "package a\n\nimport \"example.com/a/b\"\n\nvar A = b.B\n")
	write("example.com/a/c_windows.go", "//go:build windows\n\npackage a\n\nimport (\n\t\"fmt\"\n\t_ \"example.com/a/b\"\n)\n")
	write("example.com/a/README.md", "one\ntwo\n")
	write("example.com/a/b/b.go", "package b\n")
	got, err := readVendor(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]vendored{
		"example.com/a":   {13, []string{"example.com/a/b", "fmt", "example.com/a/b"}},
		"example.com/a/b": {1, nil},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(vendored{})); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(filepath.Join(dir, "example.com/a/b/b.go")); err != nil {
		t.Fatal(err)
	}
	if got, err := readVendor(dir); err == nil {
		t.Errorf("a package without files counts as %v", got)
	}
}

func TestReached(t *testing.T) {
	all := map[string]vendored{
		"a": {1, []string{"strings", "b", "c"}}, "b": {2, []string{"c"}}, "c": {4, []string{"b"}}, // not in Go, but it ends
		"d": {8, []string{"e"}}, "e": {16, nil},
	}
	for _, row := range []struct {
		imports []string
		want    map[string]int
	}{
		{nil, map[string]int{}},
		{[]string{"b"}, map[string]int{"b": 2, "c": 4}},
		{[]string{"a", "strings"}, map[string]int{"a": 1, "b": 2, "c": 4}},
		{[]string{"e", "a"}, map[string]int{"a": 1, "b": 2, "c": 4, "e": 16}},
		{[]string{"d", "e", "d"}, map[string]int{"d": 8, "e": 16}},
	} {
		if diff := cmp.Diff(row.want, reached(all, row.imports)); diff != "" {
			t.Errorf("%q: %s", row.imports, diff)
		}
	}
}

func TestPrice(t *testing.T) {
	before := map[string]int{"k8s.io/api/core/v1": 100}
	after := map[string]int{
		"k8s.io/api/core/v1": 100, "example.com/b": 20, "example.com/a": 1,
		module + "/importmode": 7, module + "/osimagestream": 5, module + "ish": 3,
	}
	got := price(before, after)
	want := cost{
		others: []string{"example.com/a", "example.com/b", module + "ish"}, lines: 24,
		own: []string{module + "/importmode", module + "/osimagestream"}, ownLines: 12,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cost{})); diff != "" {
		t.Error(diff)
	}
}

func TestCompare(t *testing.T) {
	for _, row := range []struct {
		name         string
		others, list []string
		blames       []string // packages that the error names
	}{
		{"nothing comes, nothing is listed", nil, nil, nil},
		{"what comes is listed", []string{"a", "b"}, []string{"b", "a"}, nil},
		{"a package beyond the list", []string{"a", "b", "c"}, []string{"b"}, []string{"package a ", "package c "}},
		{"a stale entry", []string{"a"}, []string{"a", "b"}, []string{"package b,"}},
		{"one for another", []string{"a"}, []string{"b"}, []string{"package a ", "package b,"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := cost{others: row.others}.compare(row.list)
			if (err != nil) != (len(row.blames) > 0) {
				t.Fatalf("error %v, want one that names %q", err, row.blames)
			}
			for _, p := range row.blames {
				if !strings.Contains(err.Error(), p) {
					t.Errorf("error %q does not name %q", err, p)
				}
			}
			if err != nil && strings.Count(err.Error(), "\n")+1 != len(row.blames) {
				t.Errorf("error %q, want %d lines", err, len(row.blames))
			}
		})
	}
}

func TestChanges(t *testing.T) {
	before := map[string]string{"go": "1.24.0", "a": "v1.0.0", "b": "v1.0.0", "c": "v1.0.0"}
	for _, row := range []struct {
		name  string
		after map[string]string
		want  []string
	}{
		{"nothing", map[string]string{"go": "1.24.0", "a": "v1.0.0", "b": "v1.0.0", "c": "v1.0.0"}, nil},
		{"polyarch is added", map[string]string{"go": "1.24.0", "a": "v1.0.0", "b": "v1.0.0", "c": "v1.0.0",
			module: "v0.0.0", module + "/osimagestream": "v0.0.0"}, nil},
		{"raised, dropped, added, and a newer go", map[string]string{"go": "1.26.0", "a": "v1.1.0", "b": "v1.0.0", "d": "v1.0.0"},
			[]string{`a: v1.0.0 → "v1.1.0"`, `c: v1.0.0 → ""`, `d: none → "v1.0.0"`, `go: 1.24.0 → "1.26.0"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, changes(before, row.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTable(t *testing.T) {
	all := []consumer{{name: "one", uses: []use{{polyarch: []string{"a", "b"}}, {polyarch: []string{"c"}}}}, {name: "two", uses: []use{{polyarch: []string{"c"}}}}}
	costs := [][]cost{{{}, {others: []string{"github.com/x/y", "k8s.io/z"}, lines: 12}}, {{own: []string{"c"}, ownLines: 9}}}
	want := `| operator | imports | adds packages of others | lines |
|---|---|---|---|
| one | a, b | none | 0 |
| … and | c | x/y, k8s.io/z | 12 |
| two | c | none | 0 |
`
	if diff := cmp.Diff(want, table(all, costs)); diff != "" {
		t.Error(diff)
	}
}

func TestAffected(t *testing.T) {
	tests := strings.Join([]string{
		"example.com/a strings k8s.io/api/core/v1", // tests nothing
		"example.com/a.test strings k8s.io/api/core/v1",
		"example.com/b.test strings k8s.io/apimachinery/pkg/types k8s.io/api2",
		"example.com/c.test",
		"example.com/d.test k8s.io/api testing",
	}, "\n")
	if diff := cmp.Diff([]string{"example.com/a", "example.com/d"}, affected(tests, []string{"k8s.io/api@v1.2.3", "k8s.io/client-go@v1.2.3"})); diff != "" {
		t.Error(diff)
	}
}

func TestRunAll(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	var running atomic.Int32
	met := make(chan bool)
	checks := []check{
		// The first two can only end together.
		{"a", func(w io.Writer) error {
			select {
			case met <- true:
			case <-time.After(time.Minute):
				t.Error("nothing runs beside a")
			}
			fmt.Fprintln(w, "  found")
			return nil
		}},
		{"b", func(io.Writer) error {
			select {
			case <-met:
			case <-time.After(time.Minute):
				t.Error("nothing runs beside b")
			}
			return first
		}},
	}
	for _, err := range []error{nil, second, nil, nil} {
		checks = append(checks, check{"more", func(io.Writer) error {
			if n := running.Add(1); n > 2 {
				t.Errorf("%d checks at a time", n)
			}
			time.Sleep(10 * time.Millisecond)
			running.Add(-1)
			return err
		}})
	}
	var out bytes.Buffer
	err := runAll(&out, checks)
	if !errors.Is(err, first) || !errors.Is(err, second) {
		t.Errorf("error %v, want both", err)
	}
	for want, n := range map[string]int{"compat: a: ok": 1, "\n  found\n": 1, "compat: b: FAILED": 1,
		"compat: more: ok": 3, "compat: more: FAILED": 1} {
		if strings.Count(out.String(), want) != n {
			t.Errorf("output does not hold %q %d times:\n%s", want, n, out.String())
		}
	}
	if err := runAll(io.Discard, checks[2:3]); err != nil {
		t.Error(err)
	}
}

// goListDeps returns everything that a package of polyarch imports, at the
// versions of the repository.
func goListDeps(t *testing.T, pkg string) []string {
	t.Helper()
	dir, pattern := "../..", "./"+pkg
	if pkg == "osimagestream" {
		dir, pattern = "../../osimagestream", "." // a module of its own
	}
	cmd := exec.Command("go", "list", "-deps", pattern)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", pkg, err)
	}
	return strings.Fields(string(out))
}
