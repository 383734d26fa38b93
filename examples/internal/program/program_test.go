package program

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a change could not reach a test by is left out, and nothing else.
func TestSources(t *testing.T) {
	files, err := sources(module + "apiserver")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"examples/apiserver/main.go", "examples/apiserver/server/config.go", "importmode/decide.go"} {
		file := filepath.Join(root, want)
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(files, file) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, file := range files {
		if !strings.HasPrefix(file, root+string(filepath.Separator)) || strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s is no source in this repository", file)
		}
	}
}

func TestBuild(t *testing.T) {
	t.Setenv("POLYARCH_ETCDMEMBER", "")
	path, err := Build("internal/etcdmember")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("%s is no program: %v", path, err)
	}
	if path, err := Build("nowhere"); err == nil || !strings.Contains(err.Error(), "examples/nowhere") {
		t.Errorf("got %q, %v", path, err)
	}
}

// make test says where it has built the commands.
func TestBuilt(t *testing.T) {
	t.Setenv("POLYARCH_ETCDMEMBER", "/built")
	if path, err := Build("internal/etcdmember"); path != "/built" || err != nil {
		t.Errorf("got %q, %v", path, err)
	}
}
