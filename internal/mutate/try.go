package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type testProgram struct {
	dir    string // where it runs
	binary string
	// rapid says that it knows the flags of rapid.
	rapid bool
}

// A testCase is one of a program's tests, examples and seeds of fuzz tests.
type testCase struct {
	in   *testProgram
	name string
	cpu  time.Duration
	hit  map[int]bool
}

// endless is what kills a mutant that takes more than its time.
const endless = "does not end"

// together is what tests take that are run together. What takes longer is run alone.
var together = [...]time.Duration{20 * time.Millisecond, 80 * time.Millisecond, 320 * time.Millisecond}

// list returns the tests of a program. Mutants that sleep cost allocations, so those that
// count these are left out.
func (t *testProgram) list() ([]*testCase, error) {
	cmd := exec.Command(t.binary, "-test.list=^(Test|Example|Fuzz)")
	cmd.Dir = t.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests in %s: %w", t.dir, err)
	}
	var cases []*testCase
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.Contains(name, "Alloc") {
			cases = append(cases, &testCase{in: t, name: name, hit: map[int]bool{}})
		}
	}
	return cases, nil
}

// runTests runs tests of one program, and returns what failed first and the CPU time it took.
// They get four times what they took asleep, in CPU time, so that a busy machine kills no
// mutant; and some memory, for a loop that gathers without end.
func runTests(ctx context.Context, cases []*testCase, env ...string) (string, time.Duration, error) {
	t, limit := cases[0].in, 2*time.Second
	names := make([]string, len(cases))
	for i, c := range cases {
		names[i], limit = c.name, limit+4*c.cpu
		if c.cpu == 0 {
			limit += 10 * time.Minute // the first time
		}
	}
	args := []string{"-c", `ulimit -t "$1" && ulimit -v 6000000 && shift && exec "$@"`, "sh", strconv.Itoa(int(limit.Seconds())),
		t.binary, "-test.failfast", "-test.run=^(" + strings.Join(names, "|") + ")$"}
	if t.rapid {
		args = append(args, "-rapid.nofailfile", "-rapid.seed=1", "-rapid.shrinktime=1ms")
	}
	// A test that waits for nothing would never be through.
	within, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(within, "sh", args...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	cpu := time.Duration(0)
	if s := cmd.ProcessState; s != nil {
		cpu = s.UserTime() + s.SystemTime()
	}
	var exit *exec.ExitError
	switch m := failed.FindSubmatch(out); {
	case !errors.As(err, &exit):
		return "", cpu, err
	case exit.ExitCode() < 0: // a signal, that of the limit
		return endless, cpu, nil
	case m != nil:
		return string(m[1]), cpu, nil
	}
	return "panics: " + lastLine(out), cpu, nil
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// parallel calls f for each of list, as many at once as there are processors.
func parallel[T any](list []T, f func(int, T) error) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs error
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range work {
				if err := f(i, list[i]); err != nil {
					mu.Lock()
					errs = errors.Join(errs, err)
					mu.Unlock()
				}
			}
		}()
	}
	for i := range list {
		work <- i
	}
	close(work)
	wg.Wait()
	return errs
}

// try runs each test once asleep, to see that it passes and which mutants it comes by,
// and then these tests for each mutant.
func (p *program) try(ctx context.Context) error {
	for _, t := range p.tests {
		cases, err := t.list()
		if err != nil {
			return err
		}
		p.cases = append(p.cases, cases...)
	}
	if err := parallel(p.cases, func(i int, c *testCase) error { return p.asleep(ctx, i, c) }); err != nil {
		return err
	}
	for _, c := range p.cases {
		for n := range c.hit {
			p.hit[n] = true
		}
	}
	slices.SortStableFunc(p.cases, func(a, b *testCase) int { return cmp.Compare(a.cpu, b.cpu) })

	killed := make([]string, len(p.mutants))
	err := parallel(p.mutants, func(i int, m mutant) (err error) {
		killed[i], err = p.kill(ctx, m)
		return err
	})
	for i, m := range p.mutants {
		p.killed[m.number] = killed[i]
	}
	return err
}

// asleep runs a test with all mutants asleep.
func (p *program) asleep(ctx context.Context, i int, c *testCase) error {
	hits := filepath.Join(p.tmp, "hits"+strconv.Itoa(i))
	why, cpu, err := runTests(ctx, []*testCase{c}, "MUTANT_HITS="+hits)
	if err != nil {
		return err
	}
	if why != "" {
		return fmt.Errorf("with all mutants asleep %s in %s fails: %s", c.name, c.in.dir, why)
	}
	c.cpu = max(cpu, time.Millisecond)
	written, err := os.ReadFile(hits)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for s := range strings.FieldsSeq(string(written)) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return err
		}
		c.hit[n] = true
	}
	return nil
}

// kill returns the test that kills m.
func (p *program) kill(ctx context.Context, m mutant) (string, error) {
	for _, g := range p.groups(m) {
		why, _, err := runTests(ctx, g, "MUTANT="+strconv.Itoa(m.number))
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// groups returns the tests that come by m, the quickest first, and those together that take
// about as long: a mutant that dies early costs little.
func (p *program) groups(m mutant) [][]*testCase {
	var groups [][]*testCase
	least := time.Duration(0)
	for _, most := range together {
		for _, t := range p.tests {
			var group []*testCase
			for _, c := range p.cases {
				if c.in == t && c.hit[m.number] && least <= c.cpu && c.cpu < most {
					group = append(group, c)
				}
			}
			if group != nil {
				groups = append(groups, group)
			}
		}
		least = most
	}
	for _, c := range p.cases {
		if c.hit[m.number] && c.cpu >= least {
			groups = append(groups, []*testCase{c})
		}
	}
	return groups
}
