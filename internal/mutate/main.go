// Command mutate breaks the decisions one at a time and shows that a test notices.
//
//	go run ./internal/mutate [-v] [-limit 95] [packages]
//
// It prints a line per package,
//
//	mutation <package> <killed>/<total> <percent> <limit>
//
// and before it each mutant that no test killed; it exits with 1 if a package is below
// the limit. All mutants of a package are compiled into it once, each asleep behind a
// number, so that trying one is a run of the test programs and not a build: what
// sleep.go.txt adds to the package wakes the mutant that the environment names. A mutant
// is tried by the tests that come by it, the quick ones first, those of the kit too.
//
// Mutants are made of what rules consist of: the conditions of if and case, each negated,
// removed and always met, those of loops, each operand of && and ||, the boundaries of
// comparisons, the keys that order lists, statements and loops left out, and some functions
// that are easily taken for each other. A mutant that changes nothing that anybody could see is listed in
// equivalent.txt with the reason; an entry there that is killed, or matches no mutant,
// is an error too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	verbose := flag.Bool("v", false, "print each mutant and the test that kills it")
	limit := flag.Float64("limit", 95, "the lowest percentage of mutants killed, for each package")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: mutate [flags] [packages]\nWithout packages, all that decide something.\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	// Interrupted, it removes what it has built.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, flag.Args(), *limit, *verbose)
	if err != nil {
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// decisions are the packages that decide something, as directories.
func decisions() ([]string, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w (run it from the root of the repository)", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dirs := []string{"osimagestream"}
	for d := range strings.FieldsSeq(string(out)) {
		d, err := filepath.Rel(here, d)
		if err != nil {
			return nil, err
		}
		tooling := strings.HasPrefix(d, "internal/") && d != "internal/arch" && d != "internal/quote"
		if d != "." && d != "conformance" && !tooling && !strings.HasSuffix(d, "test") && !strings.Contains(d, "/internal/") {
			dirs = append(dirs, d)
		}
	}
	slices.Sort(dirs)
	return dirs, nil
}

func run(ctx context.Context, dirs []string, limit float64, verbose bool) (bool, error) {
	if len(dirs) == 0 {
		var err error
		if dirs, err = decisions(); err != nil {
			return false, err
		}
	}
	equivalent, err := readEquivalent("internal/mutate/equivalent.txt")
	if err != nil {
		return false, err
	}
	ok := true
	for _, dir := range dirs {
		dir = filepath.ToSlash(filepath.Clean(dir))
		p, err := build(dir)
		if err != nil {
			return false, fmt.Errorf("%s: %w", dir, err)
		}
		err = p.try(ctx)
		p.remove()
		if err != nil {
			return false, fmt.Errorf("%s: %w", dir, err)
		}
		if !p.report(os.Stdout, equivalent, limit, verbose) {
			ok = false
		}
	}
	return ok, nil
}
