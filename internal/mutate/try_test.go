package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A mutant is killed by what fails, by what panics, and by what does not end.
func TestRunTests(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"passes", "echo PASS", ""},
		{"fails", "echo '--- FAIL: TestX (0.00s)'; exit 1", "TestX"},
		{"panics", "echo boom; exit 2", "panics: boom"},
		{"does not end", "while :; do :; done", "does not end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &testProgram{dir: t.TempDir()}
			p.binary = filepath.Join(p.dir, "x.test")
			if err := os.WriteFile(p.binary, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			got, _, err := runTests(t.Context(), []*testCase{{in: p, name: "TestX", cpu: time.Millisecond}})
			if got != tt.want || err != nil {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
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
