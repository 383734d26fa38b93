package embedding_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/examples/internal/texts"
)

// pages quote the examples: the whole of a file, or one section of it.
var pages = []struct{ file, section string }{
	{"../../docs/embedding.md", ""},
	{"../../README.md", "## Embed it"},
	{"../../README.md", "## Hold your own code to the rules"},
	{"../../docs/conformance.md", "## An operator's test file"},
}

// Every block of Go in the pages stands in one of the examples, line by line. So
// the pages show code that compiles and whose output is checked.
func TestPagesQuoteTheExamples(t *testing.T) {
	examples := exampleFiles(t)
	for _, page := range pages {
		blocks := goBlocks(texts.Read(t, page.file), page.section)
		if len(blocks) == 0 {
			t.Errorf("%s %s: quotes nothing", page.file, page.section)
		}
		for _, block := range blocks {
			if !slices.ContainsFunc(examples, func(e example) bool { return quotes(e.text, block) }) {
				t.Errorf("%s: stands in no example:\n%s", page.file, block)
			}
		}
	}
}

// Every example of an operator is quoted in docs/embedding.md, so that none is
// written for nobody.
func TestEveryExampleIsQuoted(t *testing.T) {
	blocks := goBlocks(texts.Read(t, pages[0].file), "")
	for _, e := range exampleFiles(t) {
		if e.examples > 0 && !slices.ContainsFunc(blocks, func(block string) bool { return quotes(e.text, block) }) {
			t.Errorf("%s quotes nothing of %s", pages[0].file, e.file)
		}
	}
}

// A check that finds everything in everything would hold nothing.
func TestQuotes(t *testing.T) {
	const text = "func f() {\n\tif a {\n\n\t\tb()\n\t}\n\tc()\n}\n"
	for _, tc := range []struct {
		name, block string
		want        bool
	}{
		{"as it stands", "\tif a {\n\n\t\tb()\n\t}\n", true},
		{"other indentation, no blank line", "if a {\n  b()\n}\n", true},
		{"a line changed", "if a {\n\tB()\n}\n", false},
		{"a line left out", "if a {\n}\nc()\n", false},
		{"a line added", "b()\nd()\n", false},
		{"a part of a line", "b(\n", false},
		{"nothing", "\n", false},
	} {
		if got := quotes(text, tc.block); got != tc.want {
			t.Errorf("%s: %t", tc.name, got)
		}
	}
	const page = "# T\n```go\na\n```\n## S\n```sh\nx\n```\n```go\nb\nc\n```\n## U\n```go\nd\n```\n"
	if got, want := goBlocks(page, ""), []string{"a\n", "b\nc\n", "d\n"}; !slices.Equal(got, want) {
		t.Errorf("blocks of the page: %q", got)
	}
	if got, want := goBlocks(page, "## S"), []string{"b\nc\n"}; !slices.Equal(got, want) {
		t.Errorf("blocks of the section: %q", got)
	}
}

// quotes reports whether the lines of block follow each other in text, however
// they are indented. Blank lines do not count.
func quotes(text, block string) bool {
	have, want := lines(text), lines(block)
	if len(want) == 0 {
		return false
	}
	for ; len(have) >= len(want); have = have[1:] {
		if slices.Equal(have[:len(want)], want) {
			return true
		}
	}
	return false
}

func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// goBlocks returns the blocks of Go in a page, or in one section of it: from its
// heading to the next of the second level.
func goBlocks(page, section string) []string {
	var blocks []string
	var block *strings.Builder
	in := section == ""
	for line := range strings.Lines(page) {
		switch trimmed := strings.TrimSpace(line); {
		case block != nil && trimmed == "```":
			blocks, block = append(blocks, block.String()), nil
		case block != nil:
			block.WriteString(line)
		case section != "" && strings.HasPrefix(line, "## "):
			in = trimmed == section
		case in && trimmed == "```go":
			block = &strings.Builder{}
		}
	}
	return blocks
}

type example struct {
	file, text string
	examples   int
}

func exampleFiles(t *testing.T) []example {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	for _, file := range files {
		if file == "quotes_test.go" {
			continue
		}
		e := example{file: file, text: texts.Read(t, file)}
		f, err := parser.ParseFile(token.NewFileSet(), file, e.text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Example_") {
				e.examples++
			}
		}
		all = append(all, e)
	}
	return all
}
