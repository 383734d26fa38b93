package section

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/importmode"
)

// section makes the section of what was gathered and of the images that were read.
func (p *pass) section(images map[string]*imageFacts) report.Section {
	s := p.f.begin("imagestreams", "Image streams", source.ImageStreams, source.Images, source.Pods)
	if len(p.images) == 0 { // none was needed
		s.Missing = slices.DeleteFunc(s.Missing, func(m report.Missing) bool { return m.Kind == source.Images.Name() })
	}
	unread := p.settle(images)
	p.settleUses(images)
	if p.uses.omitted > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Pods use more than %d images by digest; %d uses were left out.", maxUses, p.uses.omitted))
	}
	s.Entries = p.s.Entries
	totals := &p.effect.Totals
	s.Decisions = append(s.Decisions,
		report.Decision{Name: "tags", Answer: fmt.Sprintf("%d in %d image streams", totals.Tags, totals.Streams), Objects: []string{"imagestreams"}},
		report.Decision{Name: "tags that change their mode", Answer: strconv.FormatInt(totals.Changed, 10), Objects: []string{"imagestreams"}},
		report.Decision{Name: "tags that stay Legacy although nodes are of several architectures",
			Answer: strconv.FormatInt(totals.ByFixes.Tags, 10), Objects: []string{"imagestreams"}},
	)
	reasons := report.Table{Name: "reasons", Title: "why tags have the mode that they have", Columns: []string{"reason", "tags"}}
	for r, n := range totals.Reasons {
		if n > 0 {
			reasons.Rows = append(reasons.Rows, []string{importmode.EffectReason(r).String(), strconv.FormatInt(n, 10)})
		}
	}
	s.Tables = append(s.Tables, reasons, p.namespaces(), p.table)
	s.Growth = p.growth()
	if totals.Repositories > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d streams name a repository: tags that are found there later get the mode of the cluster.", totals.Repositories))
	}
	if len(p.images) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Of %d images it was asked for which architectures they are, of at most %d; %d of these are not known, and %d tags were left out.",
			len(p.images), p.o.Images, unread, p.unlooked))
	}
	for code, n := range p.counts {
		if n > p.o.Limit {
			if s.Omitted == nil {
				s.Omitted = map[string]int{}
			}
			s.Omitted[code] = n - p.o.Limit
		}
	}
	return s
}

// settle says of each tag that waited for its image where that cannot run. It returns
// how many images are not known.
func (p *pass) settle(images map[string]*imageFacts) (unread int) {
	for name := range p.images {
		if images[name] == nil {
			unread++
		}
	}
	for _, t := range p.pending {
		facts := images[t.image]
		if facts == nil {
			continue
		}
		has, missing := facts.architectures(), facts.missing(p.nodes)
		if t.row >= 0 {
			row := p.table.Rows[t.row]
			row[6], row[7] = has.String(), missing.String()
		}
		if missing.Len() == 0 {
			continue
		}
		for arch := range missing.All() {
			if p.cannot[t.namespace] == nil {
				p.cannot[t.namespace] = map[string]int{}
			}
			p.cannot[t.namespace][arch]++
		}
		detail := fmt.Sprintf("its image is for %s, and does not run on nodes of %s", list(has), list(missing))
		if t.entry >= 0 {
			p.s.Entries[t.entry].Detail += "; " + detail
			continue
		}
		p.entry(report.New("imagestreams.NotForNodes", t.object, t.field, detail))
	}
	return unread
}

// namespaces has a row for each namespace with tags that cannot run somewhere.
func (p *pass) namespaces() report.Table {
	t := report.Table{Name: "namespaces", Title: "tags whose image does not run on nodes of an architecture", Columns: []string{"namespace"}}
	archs := slices.Collect(p.nodes.All())
	t.Columns = append(t.Columns, archs...)
	for _, ns := range slices.Sorted(maps.Keys(p.cannot)) {
		if len(t.Rows) >= p.o.Limit {
			t.Omitted++
			continue
		}
		row := []string{ns}
		for _, arch := range archs {
			row = append(row, strconv.Itoa(p.cannot[ns][arch]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// growth tells what changes add, and what the fixes would.
func (p *pass) growth() []report.Growth {
	of := func(name string, g, estimate *importmode.Growth) report.Growth {
		r := report.Growth{Name: name, Tags: g.Tags, Unknown: g.Unknown, Objects: g.Objects, Bytes: g.Bytes,
			BytesUnknown: g.BytesUnknown, LayersGone: g.LayersGone}
		if estimate != nil {
			r.Estimate, r.AssumedChildren = &estimate.Objects, p.o.AssumeChildren
		}
		return r
	}
	var byChange, byFixes *importmode.Growth
	if p.assumed != nil {
		byChange, byFixes = &p.assumed.Totals.ByChange, &p.assumed.Totals.ByFixes
	}
	var all []report.Growth
	if g := &p.effect.Totals.ByChange; g.Tags > 0 {
		all = append(all, of("ByChange", g, byChange))
	}
	if g := &p.effect.Totals.ByFixes; g.Tags > 0 {
		all = append(all, of("ByFixes", g, byFixes))
	}
	return all
}
