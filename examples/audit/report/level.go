package report

import "fmt"

// A Level says how bad an entry is.
type Level string

const (
	// Broken: something does not work, or will not when it is next touched.
	Broken Level = "broken"
	// Risk: it works, and there is a way in which it will not.
	Risk Level = "risk"
	// Note: worth knowing.
	Note Level = "note"
	// Never is no level: with it, --fail-on lets everything pass.
	Never Level = "never"
)

func (l Level) rank() int {
	switch l {
	case Broken:
		return 3
	case Risk:
		return 2
	case Note:
		return 1
	}
	return 0
}

// ParseFailOn reads the value of --fail-on.
func ParseFailOn(s string) (Level, error) {
	switch l := Level(s); l {
	case Broken, Risk, Note, Never:
		return l, nil
	}
	return "", fmt.Errorf("--fail-on is %q, want broken, risk, note or never", s)
}

// The exit status, which is frozen.
const (
	ExitClean    = 0
	ExitFound    = 1
	ExitUnjudged = 2
	ExitUsage    = 64 // EX_USAGE of sysexits.h
)

// ExitStatus returns the status of a command that made the report.
func (r *Report) ExitStatus(failOn Level) int {
	s := r.Summary
	switch {
	case !r.Judged:
		return ExitUnjudged
	case failOn == Never:
		return ExitClean
	case s.Broken > 0,
		s.Risk > 0 && failOn.rank() <= Risk.rank(),
		s.Note > 0 && failOn.rank() <= Note.rank():
		return ExitFound
	}
	return ExitClean
}
