package polyarch_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The module osimagestream has its own copy of package conformance, since it does
// not require the root module: an importer of it would get the root's requirements
// for a test package.
func TestCopiesOfConformance(t *testing.T) {
	const hint = "run sh internal/scripts/copy-conformance.sh"
	from, to := sources(t, "conformance"), sources(t, "osimagestream/conformance")
	for name, text := range from {
		if copied, ok := to[name]; !ok {
			t.Errorf("osimagestream/conformance lacks %s; %s", name, hint)
		} else if !bytes.Equal(text, copied) {
			t.Errorf("osimagestream/conformance/%s differs from the original; %s", name, hint)
		}
	}
	for name := range to {
		if _, ok := from[name]; !ok {
			t.Errorf("osimagestream/conformance/%s has no original; %s", name, hint)
		}
	}
}

// sources returns the files of a package without its tests, by name.
func sources(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s holds no Go file (%v)", dir, err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = text
	}
	return files
}
