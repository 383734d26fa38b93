package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// check vendors what the consumer imports with all of its uses, and tells what each of
// them added. It fails if a requirement changes or is added, and if a use adds other
// packages than its list names.
func (c consumer) check(w io.Writer, root, dir string) ([]cost, error) {
	if err := os.MkdirAll(filepath.Join(dir, "uses"), 0o755); err != nil {
		return nil, err
	}
	mod := "module example.com/" + c.name + "\n\ngo " + c.goVer + "\n"
	for _, r := range c.requires {
		mod += "\nrequire " + strings.Replace(r, "@", " ", 1) + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return nil, err
	}
	// What the operator vendors is vendored here, but not built: that takes
	// long and says nothing of polyarch.
	imports := slices.Concat(common(), c.vendors)
	if err := writeImports(filepath.Join(dir, "uses"), imports); err != nil {
		return nil, err
	}
	required, err := tidy(dir)
	if err != nil {
		return nil, err
	}

	edits := []string{"mod", "edit", "-require", module + "@v0.0.0", "-replace", module + "=" + root}
	if slices.ContainsFunc(c.uses, func(u use) bool { return slices.Contains(u.polyarch, "osimagestream") }) {
		edits = append(edits, "-require", module+"/osimagestream@v0.0.0",
			"-replace", module+"/osimagestream="+filepath.Join(root, "osimagestream"))
	}
	if err := command(dir, "go", edits...); err != nil {
		return nil, err
	}
	operators := len(imports)
	for _, u := range c.uses {
		for _, p := range u.polyarch {
			imports = append(imports, module+"/"+p)
		}
	}
	if err := writeImports(dir, imports[operators:]); err != nil {
		return nil, err
	}
	requires, err := tidy(dir)
	if err != nil {
		return nil, err
	}
	if changed := changes(required, requires); len(changed) > 0 {
		return nil, fmt.Errorf("importing polyarch changes requirements:\n  %s", strings.Join(changed, "\n  "))
	}
	if err := command(dir, "go", "mod", "vendor"); err != nil {
		return nil, err
	}
	packages, err := readVendor(filepath.Join(dir, "vendor"))
	if err != nil {
		return nil, err
	}
	if n := len(reached(packages, imports)); n != len(packages) {
		return nil, fmt.Errorf("%d packages are vendored, and the imports lead to %d", len(packages), n)
	}

	var costs []cost
	imported := operators
	before := reached(packages, imports[:imported])
	for _, u := range c.uses {
		imported += len(u.polyarch)
		after := reached(packages, imports[:imported])
		spent := price(before, after)
		costs = append(costs, spent)
		fmt.Fprintf(w, "  imports %s: %d packages of others, %d lines; of polyarch %d packages, %d lines\n",
			strings.Join(u.polyarch, ", "), len(spent.others), spent.lines, len(spent.own), spent.ownLines)
		if err := spent.compare(u.adds); err != nil {
			return nil, fmt.Errorf("importing %s: %w", strings.Join(u.polyarch, ", "), err)
		}
		before = after
	}
	fmt.Fprintf(w, "  %d requirements, none changed, none but polyarch added\n", len(required))
	// With -trimpath the build cache serves every run, wherever the directory is.
	return costs, command(dir, "go", "build", "-trimpath", "-mod=vendor", ".")
}

func writeImports(dir string, paths []string) error {
	src := "package consumer\n\nimport (\n"
	for _, p := range paths {
		src += "\t_ \"" + p + "\"\n"
	}
	return os.WriteFile(filepath.Join(dir, "consumer.go"), []byte(src+")\n"), 0o644)
}

// tidy tidies the module in dir and returns every requirement with its version.
func tidy(dir string) (map[string]string, error) {
	if err := command(dir, "go", "mod", "tidy"); err != nil {
		return nil, err
	}
	return requirements(dir)
}

// requirements returns every requirement of the go.mod file in dir, and its go
// version under "go".
func requirements(dir string) (map[string]string, error) {
	out, err := output(dir, "go", "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct {
		Go      string
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal([]byte(out), &mod); err != nil {
		return nil, err
	}
	all := map[string]string{"go": mod.Go}
	for _, r := range mod.Require {
		all[r.Path] = r.Version
	}
	return all, nil
}

// changes tells, sorted, which requirements of before have another version
// after, or none, and which came along besides polyarch itself.
func changes(before, after map[string]string) []string {
	var changed []string
	for path, version := range before {
		if after[path] != version {
			changed = append(changed, fmt.Sprintf("%s: %s → %q", path, version, after[path]))
		}
	}
	for path, version := range after {
		if _, had := before[path]; !had && !ours(path) {
			changed = append(changed, fmt.Sprintf("%s: none → %q", path, version))
		}
	}
	slices.Sort(changed)
	return changed
}

// ours tells whether the path of a module or package is polyarch's.
func ours(path string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}
