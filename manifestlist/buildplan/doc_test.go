package buildplan

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The rule table names tests; each must be there.
func TestRuleTableNamesTests(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			src, err := os.ReadFile(e.Name())
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(src)
		}
	}
	named := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(string(doc), -1)
	if len(named) < 10 {
		t.Errorf("the table names only %v", named)
	}
	for _, name := range named {
		if !strings.Contains(tests.String(), "func "+name+"(t *testing.T)") {
			t.Errorf("%s is not there", name)
		}
	}
}
