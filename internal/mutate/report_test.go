package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadEquivalent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "equivalent.txt")
	for line, want := range map[string]string{
		"p | f | removed | a | b | why":  "{p f removed a | b 0 why 1 false}",
		"p | f | left out #2 | a | why":  "{p f left out a 2 why 1 false}",
		"p | f | left out #0 | a | why":  "is no number",
		"p | f | left out #x | a | why":  "is no number",
		"p | f | removed | no reason":    "want directory",
		"# p | f | removed | a | remark": "",
	} {
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := readEquivalent(file)
		got := fmt.Sprint(err)
		if err == nil {
			got = ""
		}
		for _, e := range all {
			got += fmt.Sprint(*e)
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// An equivalent mutant is found by what it is, not by where it stands.
func TestFind(t *testing.T) {
	all := []*equivalent{{dir: "p", function: "f", kind: "removed", source: "a | b"}}
	m := mutant{file: "p/p.go", line: 7, function: "f", kind: "removed", source: "a | b"}
	if find(all, "p", m) == nil || !all[0].matched {
		t.Error("not found")
	}
	for name, change := range map[string]func(*mutant){
		"function": func(m *mutant) { m.function = "g" }, "kind": func(m *mutant) { m.kind = "negated" }, "source": func(m *mutant) { m.source = "a" },
	} {
		other := m
		change(&other)
		if find(all, "p", other) != nil {
			t.Errorf("found with another %s", name)
		}
	}
	if find(all, "q", m) != nil {
		t.Error("found in another package")
	}
	m.nth = 2
	for nth, want := range []bool{true, false, true} {
		all[0].nth = nth
		if got := find(all, "p", m) != nil; got != want {
			t.Errorf("the second, found as #%d: %t", nth, got)
		}
	}
}

// What is listed as equivalent may take longer, but is killed by no test.
func TestReport(t *testing.T) {
	m := mutant{number: 1, file: "p/p.go", line: 7, function: "f", kind: "removed", source: "a"}
	for _, tt := range []struct {
		name, why  string
		equivalent bool
		ok         bool
		want       string
	}{
		{"killed", "TestX", false, true, "mutation p 1/1 100.0 95\n"},
		{"survived", "", false, false, "survived: p/p.go:7: f: removed: a\nmutation p 0/1 0.0 95\n"},
		{"equivalent", "", true, true, "mutation p 0/0 100.0 95\n"},
		{"equivalent and slow", endless, true, true, "mutation p 0/0 100.0 95\n"},
		{"not equivalent", "TestX", true, false, "not equivalent (TestX kills it, equivalent.txt:3): p/p.go:7: f: removed: a\nmutation p 0/0 100.0 95\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{dir: "p", mutants: []mutant{m}, hit: map[int]bool{1: true}, killed: map[int]string{1: tt.why}}
			var all []*equivalent
			if tt.equivalent {
				all = []*equivalent{{dir: "p", function: "f", kind: "removed", source: "a", line: 3}}
			}
			var got strings.Builder
			if ok := p.report(&got, all, 95, false); ok != tt.ok || got.String() != tt.want {
				t.Errorf("%v:\n%s", ok, &got)
			}
		})
	}
}
