// Command compat shows what importing polyarch costs an importer:
//
//   - the tests of the root module and of osimagestream that are built from API types
//     pass with the newest of these; with their own, the lowest that serve, make test
//     runs them;
//   - modules with the pins of the operators import the packages, and no
//     requirement of theirs changes and none but polyarch is added;
//   - what the packages add to the operators' vendor directories is what the
//     lists in consumers.go name, no more and no less, and what the table in
//     VERSIONING.md says; and the operators build from these directories.
//
// It runs from the root of the repository and works on copies in a temporary
// directory.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
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

	// The tests take longest and come first; the consumers, which mostly wait
	// for files, run beside them.
	checks := []check{
		{"newest versions", func(w io.Writer) error {
			return testNewest(w, root, filepath.Join(tmp, "newest"))
		}},
	}
	all := consumers()
	costs := make([][]cost, len(all))
	for i, c := range all {
		checks = append(checks, check{"consumer " + c.name, func(w io.Writer) (err error) {
			costs[i], err = c.check(w, root, filepath.Join(tmp, c.name))
			return err
		}})
	}
	fmt.Printf("compat: %d checks, two at a time; each prints when it is done\n", len(checks))
	if err := runAll(os.Stdout, checks); err != nil {
		return err
	}

	t := table(all, costs)
	fmt.Printf("compat: what importing adds to the vendor directories:\n\n%s\n", t)
	doc, err := os.ReadFile(filepath.Join(root, "VERSIONING.md"))
	if err != nil {
		return err
	}
	if !strings.Contains(string(doc), t) {
		return errors.New("the table in VERSIONING.md is another one; put the table above in its place")
	}
	return nil
}

// A check is one thing that compat shows. It writes what it found.
type check struct {
	name string
	run  func(w io.Writer) error
}

// runAll runs the checks in their order, two at a time, and writes what each
// found as one block when it is done. Its error names every check that failed.
func runAll(w io.Writer, checks []check) error {
	next := make(chan int)
	failed := make([]error, len(checks))
	var mu sync.Mutex // of w
	var workers sync.WaitGroup
	for range 2 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range next {
				began := time.Now()
				var found bytes.Buffer
				err := checks[i].run(&found)
				outcome := "ok"
				if err != nil {
					outcome = "FAILED"
					failed[i] = fmt.Errorf("%s: %w", checks[i].name, err)
				}
				mu.Lock()
				fmt.Fprintf(w, "compat: %s: %s after %d s\n%s", checks[i].name, outcome,
					int(time.Since(began).Seconds()), found.String())
				mu.Unlock()
			}
		}()
	}
	for i := range checks {
		next <- i
	}
	close(next)
	workers.Wait()
	return errors.Join(failed...)
}

// test tests packages of the module in dir with the script that make test uses. What
// the conformance kits find wrong in wrong implementations is no question of versions.
func test(dir, root string, packages ...string) error {
	return command(dir, "env", "PACKAGES="+strings.Join(packages, " "),
		"sh", filepath.Join(root, "internal/scripts/gotest.sh"), "-skip", "^TestDefects")
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
