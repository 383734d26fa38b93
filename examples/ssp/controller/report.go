package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// ConditionType is the condition that the adapter keeps on the SSP object. It is
// False while a template is blocked, something had to be left as it is, or the API
// server refuses a write.
const ConditionType = "DataImportCronTemplatesExpanded"

// The reasons of the condition. Of several the first one here counts.
const (
	ReasonUnreadable  = "Unreadable"
	ReasonWriteFailed = "WriteFailed"
	ReasonRefused     = "ReplacementsRefused"
	ReasonBlocked     = "TemplatesBlocked"
	ReasonLeftAlone   = "LeftAlone"
	ReasonAsExpected  = "AsExpected"
)

// EventImagesDeleted is the reason of the event of a cron whose images go with it.
const EventImagesDeleted = "ImagesDeleted"

// A note is one thing to tell: an event, and a line of the condition.
type note struct {
	warning         bool
	reason, message string
}

// A telling is all there is to tell about an SSP object. Its zero value tells that
// all is as expected.
type telling struct {
	reason string // of the condition, "" for AsExpected
	notes  []note
}

// because gives the condition a reason, unless there is one that counts more.
func (t *telling) because(reason string) {
	if t.reason == "" {
		t.reason = reason
	}
}

func (t *telling) note(warning bool, reason, format string, args ...any) {
	// The lines of the condition are one note each.
	message := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
	t.notes = append(t.notes, note{warning, reason, cut(message, maxNote)})
}

func unreadable(err error) telling {
	t := telling{reason: ReasonUnreadable}
	t.note(true, ReasonUnreadable, "spec: %v", err)
	return t
}

// summary tells what failed, what was left alone, problems, and findings.
func summary(e dictexpand.Expansion, plan dictexpand.BootSources, failed []*stepError, nodes nodearch.Nodes) telling {
	var t telling
	for _, f := range failed {
		if !f.stale() {
			t.because(ReasonWriteFailed)
			t.note(true, ReasonWriteFailed, "%v", f)
		}
	}
	if slices.ContainsFunc(plan.Steps, func(s dictexpand.Step) bool { return s.Reason == dictexpand.ReasonDryRunRefused }) {
		t.because(ReasonRefused)
	}
	for _, p := range plan.Problems {
		t.note(true, string(p.Type), "%v", p)
	}
	if blocked := e.Blocked(); len(blocked) > 0 {
		t.because(ReasonBlocked)
		t.note(true, ReasonBlocked, "no cron of %s", strings.Join(blocked, ", "))
	}
	for _, s := range plan.Steps {
		if s.Verb == dictexpand.VerbLeaveAlone && !toldElsewhere(s.Reason) && concerns(e, s) {
			t.because(ReasonLeftAlone)
			t.note(true, string(s.Reason), "%s", strings.TrimSpace(fmt.Sprintf("%s %s/%s is left alone: %s %s", s.Kind, s.Namespace, s.Name, s.Reason, s.Detail)))
		}
	}
	if len(plan.Problems) > 0 {
		t.because(ReasonLeftAlone)
	}
	for _, p := range e.Problems {
		t.note(true, string(p.Type), "%v", p)
	}
	for _, f := range e.Findings {
		t.note(false, string(f.Code), "%v", f)
	}
	for _, f := range nodes.Findings {
		t.note(false, string(f.Code), "%v", f)
	}
	return t
}

// toldElsewhere reports whether a problem or a finding tells why an object is left
// alone.
func toldElsewhere(reason dictexpand.StepReason) bool {
	switch reason {
	case dictexpand.ReasonTemplateBlocked, dictexpand.ReasonDryRunRefused, dictexpand.ReasonArchitectureHeld:
		return true
	}
	return false
}

// concerns reports whether an object that was left alone should exist, or is the
// SSP object's own: crons of others are none of its business.
func concerns(e dictexpand.Expansion, s dictexpand.Step) bool {
	if s.Reason != dictexpand.ReasonNotOwned {
		return true
	}
	for _, c := range e.Crons {
		if s.Kind == dictexpand.KindDataImportCron && c.Object.Namespace == s.Namespace && c.Object.Name == s.Name {
			return true
		}
	}
	return s.Kind == dictexpand.KindDataSource // planned for references only
}

// report sets the condition if it changes, and makes an event of each note that is
// new: what was told once is not told again.
func (r *Reconciler) report(ctx context.Context, ssp *unstructured.Unstructured, t telling) error {
	before := messageOf(ssp)
	changed, err := setCondition(ssp, t.condition(ssp.GetGeneration()), r.Now())
	if err != nil {
		return err
	}
	if changed {
		if err := r.Client.Status().Update(ctx, ssp); err != nil {
			return err
		}
	}
	for _, n := range r.told.news(ssp.GetUID(), t.notes, !changed, before) {
		r.Events.Event(ssp, n.eventType(), n.reason, n.message)
	}
	return nil
}
