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

func (p *printer) section(s *Section) {
	title := strings.ToUpper(s.Title)
	if s.Proposed {
		title += " (proposed: no operator of today does this)"
	}
	p.line("")
	p.line(p.paint(bold, title))
	if len(s.Looked) > 0 {
		var counts []string
		for _, c := range s.Looked {
			counts = append(counts, fmt.Sprintf("%s %d", c.Kind, c.Objects))
		}
		p.hang(2, "looked at: ", strings.Join(counts, ", "))
	}
	for _, m := range s.Missing {
		p.missing(m)
	}
	for _, d := range s.Decisions {
		p.decision("", d)
	}
	p.hops(s.Hops)
	for _, t := range s.Tables {
		p.table(t)
	}
	p.growth(s.Growth)
	p.writes("still to be written:", s.Writes)
	for _, n := range s.Notes {
		p.hang(2, "", n)
	}
	p.entries(s.Entries, s.Omitted)
}

func (p *printer) missing(m Missing) {
	text := map[string]string{
		source.NotInSource.String(): "not in the source",
		source.NotServed.String():   "the cluster has no such kind",
		source.Forbidden.String():   "forbidden",
		source.Failed.String():      "could not be read",
	}[m.State]
	if m.Detail != "" {
		text += ": " + m.Detail
	}
	p.hang(2, m.Kind+": ", text)
	if m.Command != "" {
		p.command(4, m.Command)
	}
}

func (p *printer) decision(prefix string, d Decision) {
	text := d.Answer
	if text == "" {
		text = "none"
	}
	if d.Reason != "" {
		text += " (" + d.Reason
		if d.Field != "" {
			text += ": " + d.Field
		}
		text += ")"
	}
	p.hang(2, prefix+d.Name+": ", text)
}

func (p *printer) hops(hops []Hop) {
	for i, h := range hops {
		arrow := "   "
		if i > 0 {
			arrow = "-> "
		}
		value, want := h.Value, h.Want
		if value == "" {
			value = "empty"
		}
		if want == "" {
			want = "empty"
		}
		text := value
		switch h.State {
		case HopAsExpected:
			text += ", as it should be"
		case HopLags:
			text += ", " + p.paint(red, "lags") + ": should be " + want
		case HopWaits:
			text += ", waits for the hop before"
		case HopRefused:
			text += ", " + p.paint(red, "kept") + ": the hop before has a value that it does not take"
		case HopUnknown:
			text = "not known"
		}
		if h.Reason != "" {
			text += " (" + h.Reason + ")"
		}
		p.hang(2, arrow, h.Name+": "+text)
		p.hang(7, "", h.Object+" "+h.Field)
	}
}

func (p *printer) growth(list []Growth) {
	for _, g := range list {
		text := fmt.Sprintf("%d tags: %d Image objects and %d bytes for the internal registry at most", g.Tags, g.Objects, g.Bytes)
		if g.Unknown > 0 {
			text += fmt.Sprintf("; of %d tags the list is not known, and they are in no number", g.Unknown)
		}
		if g.Estimate != nil {
			text += fmt.Sprintf("; an ESTIMATE with %d children for each unknown list: %d Image objects", g.AssumedChildren, *g.Estimate)
		}
		if g.BytesUnknown > 0 {
			text += fmt.Sprintf("; of %d tags some sizes are not known", g.BytesUnknown)
		}
		p.hang(2, "growth "+g.Name+": ", text)
	}
}

func (p *printer) writes(title string, list []Write) {
	if len(list) == 0 {
		return
	}
	p.line("  " + title)
	for i, w := range list {
		if i == maxText {
			p.line(fmt.Sprintf("    and %d more; -o json has them", len(list)-i))
			return
		}
		text := w.Verb + " " + w.Object
		if w.Field != "" {
			text += " " + w.Field
		}
		if w.Value != "" {
			text += " = " + w.Value
		}
		text += ", by " + w.By
		if w.Reason != "" {
			text += " (" + w.Reason + ")"
		}
		if w.Rollout != "" {
			text += "; rolls out " + w.Rollout
		}
		if w.Proposed {
			text += "; proposed"
		}
		p.hang(4, "", text)
	}
}

// table writes the rows in columns that fit, with the text of a cell wrapped.
func (p *printer) table(t Table) {
	if len(t.Rows) == 0 || t.JSONOnly {
		return
	}
	p.line("  " + t.Title)
	rows := append([][]string{t.Columns}, t.Rows[:min(len(t.Rows), maxText)]...)
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(short(cell)))
		}
	}
	for total(widths) > Width-4 {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	for _, row := range rows {
		cells, height := make([][]string, len(row)), 1
		for i, cell := range row {
			cells[i] = wrap(short(cell), widths[i])
			height = max(height, len(cells[i]))
		}
		for line := range height {
			text := "    "
			for i := range row {
				cell := ""
				if line < len(cells[i]) {
					cell = cells[i][line]
				}
				text += cell + strings.Repeat(" ", max(widths[i]-columns(cell), 0)+2)
			}
			p.line(text)
		}
	}
	if more := len(t.Rows) - maxText + t.Omitted; more > 0 && len(t.Rows) >= maxText {
		p.line(fmt.Sprintf("    and %d more", more))
	}
}

func total(widths []int) int {
	n := 0
	for _, w := range widths {
		n += max(w, 10) + 2
	}
	return n
}

func (p *printer) entries(entries []Entry, omitted map[string]int) {
	for i := 0; i < len(entries); {
		n := i
		for n < len(entries) && entries[n].Code == entries[i].Code {
			n++
		}
		p.entriesOf(entries[i:n], omitted[entries[i].Code])
		i = n
	}
}

// entriesOf writes the entries of one code, with what they have in common once.
func (p *printer) entriesOf(entries []Entry, omitted int) {
	first := entries[0]
	p.line("")
	p.hang(2, p.paint(colorOf(first.Level), string(first.Level))+" ", fmt.Sprintf("%s (%d)", first.Code, len(entries)+omitted))
	p.hang(4, "impact: ", first.Impact)
	p.hang(4, "remedy: ", first.Remedy)
	for i, e := range entries {
		if i == maxText {
			break
		}
		at := e.Object
		if e.Field != "" {
			at += " " + e.Field
		}
		p.text("    - ", "      ", at+": "+e.Detail)
		for _, c := range e.Commands {
			p.command(6, c)
		}
	}
	if more := max(len(entries)-maxText, 0) + omitted; more > 0 {
		p.line(fmt.Sprintf("    and %d more; -o json has up to --limit", more))
	}
}

func (p *printer) command(indent int, c string) {
	for i, line := range wrapCommand(c, Width-indent-2) {
		mark := "$ "
		if i > 0 {
			mark = "  "
		}
		p.line(strings.Repeat(" ", indent) + mark + line)
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
