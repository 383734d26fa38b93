package buildplan_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The README's snippet that uses the package stands, word for word, in an Example.
func TestREADMEIsAnExample(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	snippets := 0
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)\n```").FindAllStringSubmatch(string(readme), -1) {
		if !strings.Contains(m[1], "buildplan.") {
			continue
		}
		snippets++
		indented := "\n\t" + strings.ReplaceAll(m[1], "\n", "\n\t") + "\n"
		if !strings.Contains(string(examples), indented) {
			t.Errorf("no Example has the README's snippet:\n%s", m[1])
		}
	}
	if snippets != 1 {
		t.Errorf("the README has %d snippets with buildplan, want 1", snippets)
	}
}
