package report

import (
	"fmt"
	"strings"

	"github.com/polyarch/polyarch/examples/audit/source"
)

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
