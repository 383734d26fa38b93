package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	audit "github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/examples/audit/whatif"
)

// audit makes the report of the command audit, with what its --what-if is given.
func (c *cluster) audit(ctx context.Context, suppose ...string) (*report.Report, error) {
	changes, err := whatif.Parse(suppose)
	if err != nil {
		return nil, err
	}
	from, err := source.NewCluster(c.w.cfg)
	if err != nil {
		return nil, err
	}
	return audit.Audit(ctx, audit.Options{From: from, Now: time.Now(), Streams: section.DefaultStreamOptions, WhatIf: changes})
}

// audited reads something out of a new report.
func (c *cluster) audited(read func(*report.Report) any) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		r, err := c.audit(ctx)
		if err != nil {
			return nil, err
		}
		return read(r), nil
	}
}

// decided reads the answer of a decision, and its reason.
func decided(in, name string) func(*report.Report) any {
	return func(r *report.Report) any {
		for _, s := range r.Sections {
			for _, d := range s.Decisions {
				if s.Name == in && d.Name == name {
					return answered(d)
				}
			}
		}
		return "no such decision"
	}
}

func answered(d report.Decision) string {
	if d.Reason == "" {
		return d.Answer
	}
	return d.Answer + " (" + d.Reason + ")"
}

// way reads the state of each hop of the import mode.
func way(r *report.Report) any {
	var all []string
	for _, s := range r.Sections {
		for _, h := range s.Hops {
			all = append(all, fmt.Sprintf("%s %s %s", h.Name, orEmpty(h.Value), h.State))
		}
	}
	return all
}

// entries reads the objects and fields of the entries that have a code.
func entries(code string) func(*report.Report) any {
	return func(r *report.Report) any {
		all := []string{}
		for _, s := range r.Sections {
			all = append(all, places(s.Entries, code)...)
		}
		return all
	}
}

func places(entries []report.Entry, code string) (all []string) {
	for _, e := range entries {
		if e.Code == code {
			all = append(all, e.Object+" "+e.Field)
		}
	}
	slices.Sort(all)
	return all
}

// status is how the command would end with --fail-on=risk.
func status(r *report.Report) any { return r.ExitStatus(report.Risk) }

// says prints the lines of the audit's text that begin so, in their order, each with
// those that are indented below it.
func (s *step) says(r *report.Report, beginnings ...string) error {
	var text strings.Builder
	if err := r.WriteText(&text, false); err != nil {
		return err
	}
	s.note("the audit says:")
	said := map[string]bool{}
	below := -1 // the indentation of the line that is being quoted
	for line := range strings.Lines(text.String()) {
		content := strings.TrimLeft(line, " ")
		indent := len(line) - len(content)
		if content == "\n" || indent <= below {
			below = -1
		}
		if i := slices.IndexFunc(beginnings, func(b string) bool { return strings.HasPrefix(content, b) }); i >= 0 && below < 0 {
			below, said[beginnings[i]] = indent, true
		}
		if below >= 0 {
			fmt.Fprint(s.out, line)
		}
	}
	for _, b := range beginnings {
		if !said[b] {
			return fmt.Errorf("the audit has no line that begins with %q", b)
		}
	}
	return nil
}
