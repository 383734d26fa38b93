package whatif

import (
	"slices"

	"github.com/polyarch/polyarch/examples/audit/report"
)

// Compare returns what differs between the sections before and after.
func Compare(changes []Change, notes []string, before, after []report.Section) *report.WhatIf {
	w := &report.WhatIf{Notes: notes}
	for _, c := range changes {
		w.Changes = append(w.Changes, c.Text)
	}
	for i := range after {
		b, a := &before[i], &after[i]
		w.Differences = append(w.Differences, differences(a.Name, b.Decisions, a.Decisions)...)
		for _, write := range a.Writes {
			if slices.Contains(b.Writes, write) {
				continue
			}
			w.Writes = append(w.Writes, write)
			if write.Rollout != "" && !slices.Contains(w.Rollouts, write.Rollout) {
				w.Rollouts = append(w.Rollouts, write.Rollout)
			}
		}
		w.Growth = append(w.Growth, a.Growth...)
		w.Appears = append(w.Appears, slices.DeleteFunc(missing(a.Entries, b.Entries), pending)...)
		w.Disappears = append(w.Disappears, missing(b.Entries, a.Entries)...)
	}
	return w
}

// pending reports whether an entry only says that a write has yet to be made, as is so of
// all writes that follow from a change.
func pending(e report.Entry) bool {
	return e.Code == "chain.Lags" || e.Code == "bootsources.NotWritten" || e.Code == "hosted.ModeNotSet"
}

// differences are the decisions that are other ones after the change, in their order,
// and then those that there were only before.
func differences(section string, before, after []report.Decision) (all []report.Difference) {
	same := func(a, b report.Decision) bool { return a.Answer == b.Answer && a.Reason == b.Reason }
	was := map[string]report.Decision{}
	for _, d := range before {
		was[d.Name] = d
	}
	for _, d := range after {
		b, there := was[d.Name]
		delete(was, d.Name)
		if !there {
			b = report.Decision{Name: d.Name}
		}
		if !there || !same(b, d) {
			all = append(all, report.Difference{Section: section, Before: b, After: d})
		}
	}
	for _, d := range before {
		if _, gone := was[d.Name]; gone {
			all = append(all, report.Difference{Section: section, Before: d, After: report.Decision{Name: d.Name}})
		}
	}
	return all
}

// missing are the entries of the first list that the second does not have.
func missing(of, in []report.Entry) (all []report.Entry) {
	type key struct{ code, object, field string }
	there := make(map[key]bool, len(in))
	for _, e := range in {
		there[key{e.Code, e.Object, e.Field}] = true
	}
	for _, e := range of {
		if !there[key{e.Code, e.Object, e.Field}] {
			all = append(all, e)
		}
	}
	return all
}
