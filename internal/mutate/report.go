package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// An equivalent is a mutant that nobody could tell from the original.
type equivalent struct {
	dir, function, kind, source string
	nth                         int // 0 for all of that source
	reason                      string
	line                        int
	matched                     bool
}

// readEquivalent reads a file of lines
//
//	directory | function | kind | source | reason
//
// in which | within a source is written as it is: the source is all between. A kind that
// ends in #2 is about the second of several in the function.
func readEquivalent(file string) ([]*equivalent, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []*equivalent
	for i, line := range strings.Split(string(content), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) < 5 {
			return nil, fmt.Errorf("%s:%d: %q: want directory | function | kind | source | reason", file, i+1, line)
		}
		last := len(parts) - 1
		kind, number, numbered := strings.Cut(parts[2], " #")
		nth, err := strconv.Atoi(number)
		if numbered && (err != nil || nth < 1) {
			return nil, fmt.Errorf("%s:%d: %q is no number, as in %s #2", file, i+1, number, kind)
		}
		all = append(all, &equivalent{dir: parts[0], function: parts[1], kind: kind, nth: nth,
			source: strings.Join(parts[3:last], " | "), reason: parts[last], line: i + 1})
	}
	return all, nil
}

// report prints what survived and the package's line. It says whether the package is
// at the limit and equivalent.txt is up to date.
func (p *program) report(w io.Writer, all []*equivalent, limit float64, verbose bool) bool {
	total, killed, ok := 0, 0, true
	for _, m := range p.mutants {
		e := find(all, p.dir, m)
		why := p.killed[m.number]
		switch {
		case e != nil && why != "" && why != endless: // what takes longer says the same in the end
			fmt.Fprintf(w, "not equivalent (%s kills it, equivalent.txt:%d): %s\n", why, e.line, m)
			ok = false
			continue
		case e != nil:
			continue
		case why != "":
			killed++
			if verbose {
				fmt.Fprintf(w, "killed by %s: %s\n", why, m)
			}
		case !p.hit[m.number]:
			fmt.Fprintf(w, "no test comes by: %s\n", m)
		default:
			fmt.Fprintf(w, "survived: %s\n", m)
		}
		total++
	}
	for _, e := range all {
		if e.dir == p.dir && !e.matched {
			fmt.Fprintf(w, "equivalent.txt:%d: matches no mutant\n", e.line)
			ok = false
		}
	}
	percent := 100.0
	if total > 0 {
		percent = 100 * float64(killed) / float64(total)
	}
	fmt.Fprintf(w, "mutation %s %d/%d %.1f %g\n", p.dir, killed, total, percent, limit)
	return ok && percent >= limit
}

func find(all []*equivalent, dir string, m mutant) *equivalent {
	for _, e := range all {
		if e.dir == dir && e.function == m.function && e.kind == m.kind && e.source == m.source && (e.nth == 0 || e.nth == m.nth) {
			e.matched = true
			return e
		}
	}
	return nil
}
