package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed sleep.go.txt
var sleeping string

// A program is a package with its mutants asleep, and the test programs that run it.
type program struct {
	dir     string
	tmp     string
	mutants []mutant
	tests   []*testProgram
	// hit holds the mutants that the tests come by, killed what killed each.
	hit    map[int]bool
	killed map[int]string
}

type testProgram struct {
	dir    string // where it runs
	binary string
	// rapid says that it knows the flags of rapid.
	rapid bool
	took  time.Duration
}

func (p *program) remove() { os.RemoveAll(p.tmp) }

// build compiles the tests of the package in dir, and of the kit beside it, against
// the package with all its mutants asleep.
func build(dir string) (*program, error) {
	tmp, err := os.MkdirTemp("", "polyarch-mutate-")
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, tmp: tmp, hit: map[int]bool{}, killed: map[int]string{}}
	if err := p.compile(); err != nil {
		p.remove()
		return nil, err
	}
	return p, nil
}

func (p *program) compile() error {
	out, err := exec.Command("go", "list", "-C", p.dir, "-f", `{{.Name}} {{join .GoFiles " "}}`, ".").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	name, files, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	abs, err := filepath.Abs(p.dir)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	put := func(file string, content []byte) error {
		to := filepath.Join(p.tmp, file)
		replace[filepath.Join(abs, file)] = to
		return os.WriteFile(to, content, 0o600)
	}
	for file := range strings.FieldsSeq(files) {
		src, err := os.ReadFile(filepath.Join(abs, file))
		if err != nil {
			return err
		}
		asleep, mutants, err := rewrite(p.dir+"/"+file, src, len(p.mutants))
		if err != nil {
			return err
		}
		p.mutants = append(p.mutants, mutants...)
		if err := put(file, asleep); err != nil {
			return err
		}
	}
	if err := put("mutants_asleep.go", []byte(strings.Replace(sleeping, "PACKAGE", name, 1))); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	file := filepath.Join(p.tmp, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return err
	}
	kit := filepath.Join(abs, filepath.Base(abs)+"test")
	for _, tested := range []string{abs, kit} {
		if _, err := os.Stat(tested); err != nil {
			continue
		}
		t := &testProgram{dir: tested, binary: filepath.Join(p.tmp, filepath.Base(tested)+".test")}
		cmd := exec.Command("go", "test", "-C", tested, "-c", "-overlay", file, "-vet=off", "-o", t.binary, ".")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go test -c: %w\n%s", err, out)
		}
		if _, err := os.Stat(t.binary); err != nil {
			continue // no tests there
		}
		t.rapid = exec.Command(t.binary, "-test.run=^$", "-rapid.nofailfile").Run() == nil
		p.tests = append(p.tests, t)
	}
	return nil
}

// run runs the tests with one mutant awake, and returns what failed first.
func (t *testProgram) run(limit time.Duration, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// Mutants that sleep cost allocations; the tests that count these are left out.
	args := []string{"-test.failfast", "-test.skip=Alloc"}
	if t.rapid {
		args = append(args, "-rapid.nofailfile", "-rapid.seed=1", "-rapid.shrinktime=1ms")
	}
	cmd := exec.CommandContext(ctx, t.binary, args...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "does not end", nil
	case errors.As(err, &exit):
		if m := failed.FindSubmatch(out); m != nil {
			return string(m[1]), nil
		}
		return "panics: " + lastLine(out), nil
	}
	return "", err
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// try runs the tests once asleep, to see that they pass and which mutants they come
// by, and then once for each of these.
func (p *program) try() error {
	hits := filepath.Join(p.tmp, "hits")
	for _, t := range p.tests {
		began := time.Now()
		why, err := t.run(10*time.Minute, "MUTANT_HITS="+hits)
		if err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("with all mutants asleep the tests in %s fail: %s", t.dir, why)
		}
		t.took = time.Since(began)
	}
	written, err := os.ReadFile(hits)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for n := range strings.FieldsSeq(string(written)) {
		n, err := strconv.Atoi(n)
		if err != nil {
			return err
		}
		p.hit[n] = true
	}

	var mu sync.Mutex
	var wg sync.WaitGroup
	var first error
	work := make(chan mutant)
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for m := range work {
				why, err := p.kill(m)
				mu.Lock()
				if why != "" {
					p.killed[m.number] = why
				}
				first = errors.Join(first, err)
				mu.Unlock()
			}
		}()
	}
	for _, m := range p.mutants {
		if p.hit[m.number] {
			work <- m
		}
	}
	close(work)
	wg.Wait()
	return first
}

// kill returns the test that kills m.
func (p *program) kill(m mutant) (string, error) {
	for _, t := range p.tests {
		why, err := t.run(10*t.took+10*time.Second, "MUTANT="+strconv.Itoa(m.number))
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}
