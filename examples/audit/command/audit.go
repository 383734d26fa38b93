package command

import (
	"context"
	"time"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/examples/audit/whatif"
)

// Options says what to audit, and how.
type Options struct {
	From source.Source
	// Now is the time that the report bears.
	Now          time.Time
	Suppressions []report.Suppression
	Streams      section.StreamOptions
	WhatIf       []whatif.Change
}

// Audit makes the report. The error is one of a source that cannot be read at all.
func Audit(ctx context.Context, o Options) (*report.Report, error) {
	facts, err := section.Load(ctx, o.From)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Time: o.Now.UTC().Format(time.RFC3339)}
	all := []*section.Facts{facts}
	var notes []string
	if len(o.WhatIf) > 0 {
		var after *section.Facts
		after, notes = whatif.Apply(facts, o.WhatIf)
		all = append(all, after)
	}
	streams, err := section.StreamSections(ctx, o.Streams, all...)
	if err != nil {
		return nil, err
	}
	r.Sections = sections(facts, streams[0])
	if len(all) > 1 {
		r.WhatIf = whatif.Compare(o.WhatIf, notes, r.Sections, sections(all[1], streams[1]))
	}
	r.Source = o.From.Info()
	for _, text := range facts.Unreadable {
		r.Source.Unreadable.Add("object", text)
	}
	r.Unjudged = facts.Unjudged()
	r.Judged = len(r.Unjudged) == 0
	r.Finish(o.Suppressions)
	return r, nil
}

// sections are those of a report, in their order.
func sections(f *section.Facts, streams report.Section) []report.Section {
	return []report.Section{
		f.PayloadSection(), f.NodesSection(), f.ChainSection(), streams,
		f.BootSourcesSection(), f.OSBuildsSection(), f.OSStreamsSection(), f.HostedSection(),
	}
}
