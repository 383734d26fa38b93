package polyarch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var required = regexp.MustCompile(`(?m)^\s+(\S+) (v\S+)`)

// The modules that nobody imports have one version of what both require, or it would be
// fetched, compiled and checked twice.
func TestHeavyModulesAgree(t *testing.T) {
	versions := func(dir string) map[string]string {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]string{}
		for _, m := range required.FindAllStringSubmatch(string(text), -1) {
			of[m[1]] = m[2]
		}
		return of
	}
	examples, both := versions("examples"), 0
	for module, version := range versions("internal/benchmarks") {
		other, ok := examples[module]
		if !ok {
			continue
		}
		both++
		if other != version {
			t.Errorf("%s: examples requires %s, internal/benchmarks %s", module, other, version)
		}
	}
	if both < 10 {
		t.Errorf("%d modules in both, want most", both)
	}
}
