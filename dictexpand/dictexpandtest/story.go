package dictexpandtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// A Story is a cluster that has settled, something that happens, and what there is when
// the operator and CDI have settled again.
type Story struct {
	Rule string // its ID
	Name string // no two stories have one
	// Before are the templates that the world has settled for, after Prepare.
	Before  []Template
	Prepare func(*World)
	// Change is what happens, Later what happens when nothing has changed any more.
	Change, Later func(*World)
	// Want is what Play says; Old what it says with CDI before 1.60, "" if that is the
	// same.
	Want, Old string
}

// Play has the story happen to an operator. It says what exists in the end, one object a
// line: each cron, what it manages, whether it is new or was made anew, and how its
// labels and annotations differ from those after the change; each DataSource, where it
// leads to, or who updates its image; and, if the rule is that something is awaited, each
// DataSource that machines could not boot from for a while, though they could before and
// can now. The namespace GoldenImages is left out.
func (s Story) Play(operator func(*Client, []Template, Cluster) error, before160 bool) string {
	w := NewWorld(copyTemplates(s.Before)...)
	w.Operator, w.Before160 = operator, before160
	if s.Prepare != nil {
		s.Prepare(w)
	}
	w.Settle()
	s.Change(w)

	crons := maps.Clone(w.Crons)
	booted := w.Booting()
	gaps := map[types.NamespacedName]bool{}
	look := func() {
		for _, k := range booted {
			if !w.Boots(k) {
				gaps[k] = true
			}
		}
	}
	var last []string // what the last run still changed
	for i := range rounds {
		if i == rounds/2 && s.Later != nil {
			s.Later(w)
			w.Run()
		}
		c := w.Client()
		last = nil
		c.before = func(write Write) {
			if write.Verb == "Delete" && write.Kind == "DataImportCron" {
				for _, k := range w.Victims(write.Key) { // which CDI would take along
					gaps[k] = gaps[k] || slices.Contains(booted, k)
				}
			}
		}
		c.after = func(write Write, err error) {
			look()
			if err == nil {
				last = append(last, "not settled: "+write.String()+"\n")
			}
		}
		_ = w.reconcile(c) // tried again
		w.Run()
		look()
		w.FinishDeletions()
	}

	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(w.Crons), compareKeys) {
		live := w.Crons[k]
		fmt.Fprintf(&b, "cron %s manages %s%s\n", k, live.Spec.ManagedDataSource, sinceThen(crons[k], live))
	}
	for _, k := range slices.SortedFunc(maps.Keys(w.DataSources), compareKeys) {
		fmt.Fprintf(&b, "DataSource %s %s\n", k, w.fate(k))
	}
	for _, k := range slices.SortedFunc(maps.Keys(gaps), compareKeys) {
		if w.Boots(k) && slices.Contains(successions, s.Rule) {
			fmt.Fprintf(&b, "%s had no image for a while\n", k)
		}
	}
	return strings.ReplaceAll(b.String()+strings.Join(last, ""), GoldenImages+"/", "")
}

// successions are the rules that something is awaited.
var successions = []string{
	"takeover-is-awaited", "reference-is-awaited", "led-to-is-kept", "replacement-is-awaited", "target-image-is-awaited",
}

// sinceThen says how a cron differs from what it was.
func sinceThen(was, is cdiv1beta1.DataImportCron) string {
	switch {
	case was.UID == "":
		return ", new"
	case was.UID != is.UID:
		return ", made anew"
	}
	return diff("label", was.Labels, is.Labels) + diff("annotation", was.Annotations, is.Annotations)
}

func diff(what string, was, is map[string]string) string {
	var text string
	for _, k := range slices.Sorted(maps.Keys(was)) {
		if _, ok := is[k]; !ok {
			text += ", without the " + what + " " + k
		}
	}
	for _, k := range slices.Sorted(maps.Keys(is)) {
		if v, ok := was[k]; !ok || v != is[k] {
			text += ", with the " + what + " " + k + "=" + is[k]
		}
	}
	return text
}

// fate says what a DataSource has come to.
func (w *World) fate(k types.NamespacedName) string {
	ds := w.DataSources[k]
	if to := ds.Spec.Source.DataSource; to != nil {
		target := Key(to.Namespace, to.Name)
		switch {
		case ds.Spec.Source.PVC != nil:
			return "leads to " + target.String() + " and has an image"
		case !w.Boots(k):
			return "leads to " + target.String() + ", which has no image"
		}
		return "leads to " + target.String()
	}
	text := "has no image"
	if w.Boots(k) {
		text = "has an image"
	}
	for _, ck := range slices.SortedFunc(maps.Keys(w.Crons), compareKeys) {
		c := w.Crons[ck]
		if Key(c.Namespace, c.Spec.ManagedDataSource) == k && w.Updates(ck) {
			return text + ", updated by " + ck.Name
		}
	}
	return text
}

// Stories are all stories.
func Stories() []Story {
	return slices.Concat(cronStories(), dataSourceStories(), blockedStories(), heldStories(), prospectStories(), successionStories(), dryRunStories())
}

// StoryNamed returns the story of that name. There must be one.
func StoryNamed(name string) Story {
	all := Stories()
	return all[slices.IndexFunc(all, func(s Story) bool { return s.Name == name })]
}

func storyRows() []row {
	var all []row
	for _, s := range Stories() {
		for _, before160 := range []bool{false, true} {
			name, want := s.Name, s.Want
			if before160 {
				name += ", CDI before 1.60"
				if s.Old != "" {
					want = s.Old
				}
			}
			all = append(all, row{Rule: s.Rule, Name: name, Implemented: hasReconcile, Call: func(i Impl) outcome {
				return outcome{Input: s.Before, Want: want, Got: s.Play(i.Reconcile, before160)}
			}})
		}
	}
	return all
}
