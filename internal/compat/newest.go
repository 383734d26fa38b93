package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// testNewest runs the tests of the root module and of osimagestream with the
// newest API versions, on a copy in dir.
func testNewest(w io.Writer, root, dir string) error {
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
		in := filepath.Join(dir, m)
		var versions []string
		for _, req := range newest() {
			if m == "osimagestream" && strings.HasPrefix(req, cdi) {
				continue // it has no such requirement
			}
			if err := command(in, "go", "mod", "edit", "-require", req); err != nil {
				return err
			}
			versions = append(versions, req)
		}
		if err := command(in, "go", "mod", "tidy"); err != nil {
			return err
		}
		// The root's own tests, and those of this command, hold the repository
		// to its lists of modules, packages and files, which say nothing about a
		// copy with other versions.
		pkgs, err := output(in, "go", "list", "./...")
		if err != nil {
			return err
		}
		var tested []string
		for p := range strings.FieldsSeq(pkgs) {
			if p != module && p != module+"/internal/compat" {
				tested = append(tested, p)
			}
		}
		if err := test(in, root, tested...); err != nil {
			return err
		}
		fmt.Fprintf(w, "  module %s passes with %s\n", m, strings.Join(versions, " "))
	}
	return nil
}
