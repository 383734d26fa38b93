package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed sleep.go.txt
var sleeping string

// A program is a package with its mutants asleep, and the test programs that run it.
type program struct {
	dir     string
	tmp     string
	mutants []mutant
	tests   []*testProgram
	cases   []*testCase
	// hit holds the mutants that the tests come by, killed what killed each.
	hit    map[int]bool
	killed map[int]string
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
