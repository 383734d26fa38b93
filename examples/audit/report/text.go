package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/polyarch/polyarch/examples/audit/source"
)

// maxText is how many entries of one code, and how many rows of one table, the text has.
// The JSON has all.
const maxText = 20

// A printer writes the text of a report.
type printer struct {
	w     *bufio.Writer
	color bool
}

// WriteText writes the report for people, with colors if asked.
func (r *Report) WriteText(w io.Writer, color bool) error {
	p := &printer{bufio.NewWriter(w), color}
	p.head(r)
	for i := range r.Sections {
		p.section(&r.Sections[i])
	}
	if r.WhatIf != nil {
		p.whatIf(r.WhatIf)
	}
	p.suppressed(r)
	return p.w.Flush()
}

// The colors of a terminal, by their numbers.
const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

func (p *printer) paint(color, s string) string {
	if !p.color || color == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func colorOf(l Level) string {
	switch l {
	case Broken:
		return red
	case Risk:
		return yellow
	}
	return cyan
}

func (p *printer) line(s string) { fmt.Fprintln(p.w, strings.TrimRight(s, " ")) }

// text writes a wrapped text, its first line behind first and the others behind rest.
func (p *printer) text(first, rest, s string) {
	for i, line := range wrapFrom(short(s), Width-columns(first), Width-columns(rest)) {
		if i == 0 {
			p.line(first + line)
		} else {
			p.line(rest + line)
		}
	}
}

// hang writes a wrapped text behind a label, and indents its other lines like the first,
// unless the label is long.
func (p *printer) hang(indent int, label, s string) {
	first := strings.Repeat(" ", indent) + label
	rest := columns(first)
	if rest > Width/3 {
		rest = indent + 4
	}
	p.text(first, strings.Repeat(" ", rest), s)
}

func (p *printer) head(r *Report) {
	p.text("", "  ", "Audit of "+strings.Join(r.Source.Names, ", ")+" at "+r.Time)
	p.hang(2, "", fmt.Sprintf("%d broken, %s, %s, %d suppressed; %s read",
		r.Summary.Broken, plural(r.Summary.Risk, "risk"), plural(r.Summary.Note, "note"), r.Summary.Suppressed, plural(r.Source.Objects, "object")))
	for _, why := range r.Unjudged {
		p.hang(2, p.paint(red, "NOT JUDGED")+": ", why)
	}
	p.source(&r.Source)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// source says what was not read of the source.
func (p *printer) source(i *source.Info) {
	if i.TimedOut {
		p.hang(2, "", "This gather holds ClusterVersion and ClusterOperators only, as oc adm must-gather leaves it when gathering fails or times out.")
	}
	if i.Type == source.TypeFiles {
		p.hang(2, "", fmt.Sprintf("%s with objects, %s without; %d superseded by a later state; %d Secrets skipped unread",
			plural(i.Files, "file"), plural(i.Others, "file"), i.Superseded, i.Secrets))
	}
	for _, t := range []struct {
		what string
		list source.Troubles
	}{{"unreadable", i.Unreadable}, {"refused", i.Refused}} {
		for _, n := range t.list.Named {
			p.hang(2, t.what+": ", n.Where+": "+n.Why)
		}
		if more := t.list.Count - len(t.list.Named); more > 0 {
			p.hang(2, t.what+": ", fmt.Sprintf("and %d more", more))
		}
	}
}

func (p *printer) whatIf(w *WhatIf) {
	p.line("")
	p.line(p.paint(bold, "WHAT IF"))
	p.hang(2, "", strings.Join(w.Changes, ", "))
	for _, d := range w.Differences {
		p.decision(d.Section+" before: ", d.Before)
		p.decision(d.Section+" after:  ", d.After)
	}
	p.writes("writes that follow:", w.Writes)
	for _, r := range w.Rollouts {
		p.hang(2, "rolls out: ", r)
	}
	p.growth(w.Growth)
	for _, n := range w.Notes {
		p.hang(2, "", n)
	}
	if len(w.Appears) > 0 {
		p.line("  what appears:")
		p.entries(w.Appears, nil)
	}
	if len(w.Disappears) > 0 {
		p.line("  what disappears:")
		p.entries(w.Disappears, nil)
	}
}

func (p *printer) suppressed(r *Report) {
	if len(r.Suppressed)+len(r.Stale) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(bold, "SUPPRESSED"))
	for _, s := range r.Stale {
		p.hang(2, "", fmt.Sprintf("stale, line %d: %s %s matches no entry", s.Line, s.Code, s.Object))
	}
	for i, s := range r.Suppressed {
		if i == maxText {
			p.line(fmt.Sprintf("  and %d more", len(r.Suppressed)-i))
			break
		}
		p.hang(2, "", fmt.Sprintf("%s %s: %s", s.Entry.Code, s.Entry.Object, s.By.Reason))
	}
}
