package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// testNewest runs the tests of the root module and of osimagestream that are built
// from API types with the newest versions of these, on a copy in dir.
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
		tests, err := output(in, "go", "list", "-test", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...")
		if err != nil {
			return err
		}
		if err := test(in, root, affected(tests, newest())...); err != nil {
			return err
		}
		fmt.Fprintf(w, "  module %s passes with %s\n", m, strings.Join(versions, " "))
	}
	return nil
}

// affected returns the packages whose tests are built from one of the modules
// required, path@version: all others are the same with any version of them. Each line
// of tests is a package, or the program of its tests, and what it is built from.
func affected(tests string, required []string) (packages []string) {
	for line := range strings.SplitSeq(tests, "\n") {
		program, deps, _ := strings.Cut(line, " ")
		p, isTest := strings.CutSuffix(program, ".test")
		if isTest && slices.ContainsFunc(strings.Fields(deps), func(dep string) bool {
			return slices.ContainsFunc(required, func(r string) bool {
				path, _, _ := strings.Cut(r, "@")
				return dep == path || strings.HasPrefix(dep, path+"/")
			})
		}) {
			packages = append(packages, p)
		}
	}
	return packages
}
