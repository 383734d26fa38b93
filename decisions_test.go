package polyarch_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/decisions.md names the tests that hold a decision. They are there, in whatever
// package.
func TestDecisionsNameTests(t *testing.T) {
	doc, err := os.ReadFile("docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(doc), -1)
	if len(named) < 50 {
		t.Errorf("docs/decisions.md names %d tests", len(named))
	}
	for _, m := range named {
		if !there[m[1]] {
			t.Errorf("docs/decisions.md names %s, which there is not", m[1])
		}
	}
}
