// Command compat shows that importing polyarch costs an importer nothing:
//
//   - the root module and osimagestream pass their tests with the newest API
//     versions as well as with their own, the lowest that serve;
//   - modules with the pins of the operators import the packages, and no
//     requirement of theirs changes. One of them is built from a vendor
//     directory.
//
// It runs from the root of the repository and works on copies in a temporary
// directory.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/polyarch/polyarch"

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "compat: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	if name, err := output(root, "go", "list", "-m"); err != nil || name != module {
		return fmt.Errorf("run it from the root of the repository (module here: %q, %v)", name, err)
	}
	tmp, err := os.MkdirTemp("", "polyarch-compat-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)

	fmt.Println("compat: the root module at its own, lowest versions")
	if err := command(root, "go", "test", "./..."); err != nil {
		return err
	}
	if err := testNewest(root, filepath.Join(tmp, "newest")); err != nil {
		return fmt.Errorf("newest versions: %w", err)
	}
	var failed []error
	for _, c := range consumers() {
		if err := c.check(root, filepath.Join(tmp, c.name)); err != nil {
			failed = append(failed, fmt.Errorf("consumer %s: %w", c.name, err))
		}
	}
	return errors.Join(failed...)
}

// testNewest runs the tests of the root module and of osimagestream with the
// newest API versions.
func testNewest(root, dir string) error {
	files, err := output(root, "git", "ls-files", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for f := range strings.SplitSeq(files, "\n") {
		if strings.HasPrefix(f, "examples/") || strings.HasPrefix(f, "internal/benchmarks/") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, f))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not committed yet
		} else if err != nil {
			return err
		}
		to := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	for _, m := range []string{".", "osimagestream"} {
		fmt.Printf("compat: module %s at the newest versions: %s\n", m, strings.Join(newest(), " "))
		in := filepath.Join(dir, m)
		for _, req := range newest() {
			path, version, _ := strings.Cut(req, "@")
			if m == "osimagestream" && strings.HasPrefix(path, "kubevirt.io/") {
				continue // it has no such requirement
			}
			if err := command(in, "go", "mod", "edit", "-require", path+"@"+version); err != nil {
				return err
			}
		}
		if err := command(in, "go", "mod", "tidy"); err != nil {
			return err
		}
		// The root's own tests hold the repository to its lists of modules and
		// files, which say nothing about a copy with other versions.
		pkgs, err := output(in, "go", "list", "./...")
		if err != nil {
			return err
		}
		args := []string{"test"}
		for p := range strings.FieldsSeq(pkgs) {
			if p != module {
				args = append(args, p)
			}
		}
		if err := command(in, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// check builds the consumer before and after it imports polyarch and compares
// what it requires.
func (c consumer) check(root, dir string) error {
	fmt.Printf("compat: consumer %s imports %s\n", c.name, strings.Join(c.polyarch, ", "))
	if err := os.MkdirAll(filepath.Join(dir, "uses"), 0o755); err != nil {
		return err
	}
	mod := "module example.com/" + c.name + "\n\ngo " + c.goVer + "\n"
	for _, r := range c.requires {
		mod += "\nrequire " + strings.Replace(r, "@", " ", 1) + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	// client-go holds the operator's Kubernetes pins in place; it is resolved,
	// not built.
	if err := writeImports(filepath.Join(dir, "uses"), append(slices.Clone(c.apis), "k8s.io/client-go/kubernetes")); err != nil {
		return err
	}
	if err := command(dir, "go", "mod", "tidy"); err != nil {
		return err
	}
	before, err := requirements(dir)
	if err != nil {
		return err
	}

	var imports []string
	for _, p := range c.polyarch {
		imports = append(imports, module+"/"+p)
	}
	if err := writeImports(dir, imports); err != nil {
		return err
	}
	edits := []string{"mod", "edit", "-require", module + "@v0.0.0", "-replace", module + "=" + root}
	if slices.Contains(c.polyarch, "osimagestream") {
		edits = append(edits, "-require", module+"/osimagestream@v0.0.0",
			"-replace", module+"/osimagestream="+filepath.Join(root, "osimagestream"))
	}
	if err := command(dir, "go", edits...); err != nil {
		return err
	}
	if err := command(dir, "go", "mod", "tidy"); err != nil {
		return err
	}
	after, err := requirements(dir)
	if err != nil {
		return err
	}
	var changed []string
	for path, version := range before {
		if after[path] != version {
			changed = append(changed, fmt.Sprintf("%s: %s → %q", path, version, after[path]))
		}
	}
	if len(changed) > 0 {
		slices.Sort(changed)
		return fmt.Errorf("importing polyarch changes requirements:\n  %s", strings.Join(changed, "\n  "))
	}

	build := []string{"build"}
	if c.vendor {
		if err := command(dir, "go", "mod", "vendor"); err != nil {
			return err
		}
		build = append(build, "-mod=vendor")
	}
	if err := command(dir, "go", append(build, ".")...); err != nil {
		return err
	}
	fmt.Printf("compat: consumer %s: %d requirements, none changed\n", c.name, len(before))
	return nil
}

func writeImports(dir string, paths []string) error {
	src := "package consumer\n\nimport (\n"
	for _, p := range paths {
		src += "\t_ \"" + p + "\"\n"
	}
	return os.WriteFile(filepath.Join(dir, "consumer.go"), []byte(src+")\n"), 0o644)
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

func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
