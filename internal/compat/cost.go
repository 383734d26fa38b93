package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A vendored package is what modules.txt of a vendor directory names.
type vendored struct {
	lines   int      // of its Go files
	imports []string // of all of them, with repetitions
}

// readVendor returns the packages of a vendor directory, which holds no tests.
func readVendor(dir string) (map[string]vendored, error) {
	list, err := os.ReadFile(filepath.Join(dir, "modules.txt"))
	if err != nil {
		return nil, err
	}
	all := map[string]vendored{}
	for line := range strings.SplitSeq(string(list), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue // a module, or a remark about one
		}
		if all[line], err = readPackage(filepath.Join(dir, line)); err != nil {
			return nil, fmt.Errorf("package %s of modules.txt: %w", line, err)
		}
	}
	return all, nil
}

func readPackage(dir string) (p vendored, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return p, err
	}
	if len(files) == 0 {
		return p, errors.New("it has no Go files")
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return p, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return p, err
		}
		p.lines += bytes.Count(src, []byte("\n"))
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return p, err
			}
			p.imports = append(p.imports, path)
		}
	}
	return p, nil
}

// reached returns the packages that the imports lead to, with their lines: what go mod
// vendor would put there for these imports alone, because it goes by the imports of the
// files of every platform, too.
func reached(all map[string]vendored, imports []string) map[string]int {
	lines := map[string]int{}
	for rest := slices.Clone(imports); len(rest) > 0; {
		path := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		p, ok := all[path]
		if _, been := lines[path]; ok && !been {
			lines[path] = p.lines
			rest = append(rest, p.imports...)
		}
	}
	return lines
}

// A cost is what a use adds to a vendor directory, packages in order of their
// paths.
type cost struct {
	others   []string // packages of others
	lines    int      // their lines of Go
	own      []string // packages of polyarch
	ownLines int
}

// price compares what is vendored before and after an import.
func price(before, after map[string]int) cost {
	var c cost
	for _, p := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[p]; had {
			continue
		}
		if ours(p) {
			c.own = append(c.own, p)
			c.ownLines += after[p]
		} else {
			c.others = append(c.others, p)
			c.lines += after[p]
		}
	}
	return c
}

// compare returns an error that names each package that comes along beyond the
// list, and each that the list names and that does not come.
func (c cost) compare(list []string) error {
	var failed []error
	for _, p := range c.others {
		if !slices.Contains(list, p) {
			failed = append(failed, fmt.Errorf("package %s comes along, which its list in consumers.go does not name", p))
		}
	}
	for _, p := range list {
		if !slices.Contains(c.others, p) {
			failed = append(failed, fmt.Errorf("its list in consumers.go names package %s, which does not come along", p))
		}
	}
	return errors.Join(failed...)
}

// table renders, for VERSIONING.md, what each use adds.
func table(all []consumer, costs [][]cost) string {
	var b strings.Builder
	b.WriteString("| operator | imports | adds packages of others | lines |\n|---|---|---|---|\n")
	for i, c := range all {
		for j, u := range c.uses {
			name := c.name
			if j > 0 {
				name = "… and"
			}
			adds := "none"
			if spent := costs[i][j]; len(spent.others) > 0 {
				adds = strings.ReplaceAll(strings.Join(spent.others, ", "), "github.com/", "")
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %d |\n", name, strings.Join(u.polyarch, ", "), adds, costs[i][j].lines)
		}
	}
	return b.String()
}
