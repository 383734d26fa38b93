package polyarch_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A text in a string literal of a test.
var textFile = regexp.MustCompile(`"((?:\.\./)+[^"]+\.md)"`)

// The cache of test results knows no file outside of a test's module, so tests that read a
// text from there look at a variable that make test sets to a sum of them all.
func TestTextsOfOtherModules(t *testing.T) {
	readers := 0
	for _, module := range []string{"examples", "osimagestream", "internal/benchmarks"} {
		err := filepath.WalkDir(module, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, "_test.go") {
				return err
			}
			src, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for _, m := range textFile.FindAllStringSubmatch(string(src), -1) {
				text := path.Join(path.Dir(filepath.ToSlash(file)), m[1])
				if strings.HasPrefix(text, module+"/") {
					continue
				}
				readers++
				if !strings.Contains(string(src), "texts.Read(") && !strings.Contains(string(src), "POLYARCH_TEXTS") {
					t.Errorf("%s reads %s, and its result stays in the cache when that changes; use examples/internal/texts", file, text)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if readers == 0 {
		t.Error("no test reads a text")
	}
}
