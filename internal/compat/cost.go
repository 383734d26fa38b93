package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// vendored returns, for each package that modules.txt of the vendor directory
// names, the lines of its Go files. A vendor directory holds no tests.
func vendored(dir string) (map[string]int, error) {
	list, err := os.ReadFile(filepath.Join(dir, "modules.txt"))
	if err != nil {
		return nil, err
	}
	all := map[string]int{}
	for line := range strings.SplitSeq(string(list), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue // a module, or a remark about one
		}
		files, err := filepath.Glob(filepath.Join(dir, line, "*.go"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("modules.txt names package %s, which has no Go files", line)
		}
		all[line] = 0
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			all[line] += bytes.Count(src, []byte("\n"))
		}
	}
	return all, nil
}

// A cost is what a use adds to a vendor directory, packages in order of their
// paths.
type cost struct {
	others   []string // packages of others
	lines    int      // their lines of Go
	own      []string // packages of polyarch
	ownLines int
}

// price compares vendor directories before and after an import.
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
