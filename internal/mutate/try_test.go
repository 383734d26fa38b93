package main

import (
	"os"
	"path/filepath"
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
