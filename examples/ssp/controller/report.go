package controller

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// ConditionType is the condition that the adapter keeps on the SSP object. It is
// False while a template is blocked or something had to be left as it is.
const ConditionType = "DataImportCronTemplatesExpanded"

// The reasons of the condition.
const (
	ReasonAsExpected = "AsExpected"
	ReasonUnreadable = "Unreadable"
	ReasonBlocked    = "TemplatesBlocked"
	ReasonLeftAlone  = "LeftAlone"
)

// A note is one thing to tell: an event, and a line of the condition.
type note struct {
	warning         bool
	reason, message string
}

// A told is what is to be told about an SSP object.
type told struct {
	reason string // of the condition
	notes  []note
}

func unreadable(err error) told {
	return told{ReasonUnreadable, []note{{true, ReasonUnreadable, "spec: " + err.Error()}}}
}

// summary tells what was left alone, problems, and findings.
func summary(e dictexpand.Expansion, steps []dictexpand.Step, nodes nodearch.Nodes) told {
	t := told{reason: ReasonAsExpected}
	for _, s := range steps {
		if s.Verb == dictexpand.VerbLeaveAlone && s.Reason != dictexpand.ReasonTemplateBlocked && concerns(e, s) {
			t.reason = ReasonLeftAlone
			t.notes = append(t.notes, note{true, string(s.Reason), strings.TrimSpace(fmt.Sprintf("%s %s/%s is left alone: %s %s", s.Kind, s.Namespace, s.Name, s.Reason, s.Detail))})
		}
	}
	if blocked := e.Blocked(); len(blocked) > 0 {
		t.reason = ReasonBlocked
		t.notes = append(t.notes, note{true, ReasonBlocked, "no cron of " + strings.Join(blocked, ", ")})
	}
	for _, p := range e.Problems {
		t.notes = append(t.notes, note{true, string(p.Type), p.Error()})
	}
	for _, f := range e.Findings {
		t.notes = append(t.notes, note{false, string(f.Code), f.String()})
	}
	for _, f := range nodes.Findings {
		t.notes = append(t.notes, note{false, string(f.Code), f.Path + ": " + f.Detail})
	}
	return t
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

// report sets the condition, and makes the events when that changes it: what was
// told once is not told again at every event of the cluster.
func (r *Reconciler) report(ctx context.Context, ssp *unstructured.Unstructured, t told) error {
	condition := metav1.Condition{Type: ConditionType, Status: metav1.ConditionTrue, Reason: t.reason}
	if t.reason != ReasonAsExpected {
		condition.Status = metav1.ConditionFalse
	}
	var lines []string
	for _, n := range t.notes {
		lines = append(lines, n.message)
	}
	condition.Message = strings.Join(lines, "\n")
	changed, err := setCondition(ssp, condition, r.Now())
	if err != nil || !changed {
		return err
	}
	if err := r.Client.Status().Update(ctx, ssp); err != nil {
		return err
	}
	for _, n := range t.notes {
		kind := corev1.EventTypeNormal
		if n.warning {
			kind = corev1.EventTypeWarning
		}
		r.Events.Event(ssp, kind, n.reason, n.message)
	}
	return nil
}

// setCondition puts the condition into status.conditions and leaves those of
// others as they are. It reports whether that changes anything.
func setCondition(ssp *unstructured.Unstructured, c metav1.Condition, now metav1.Time) (changed bool, err error) {
	all, _, err := unstructured.NestedSlice(ssp.Object, "status", "conditions")
	if err != nil {
		return false, err
	}
	at := len(all)
	c.LastTransitionTime = now
	for i := range all {
		m, _ := all[i].(map[string]any)
		if m["type"] != c.Type {
			continue
		}
		at = i
		var was metav1.Condition
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, &was); err != nil {
			break // what nobody can read is overwritten
		}
		if was.Status == c.Status && was.Reason == c.Reason && was.Message == c.Message {
			return false, nil
		}
		if was.Status == c.Status {
			c.LastTransitionTime = was.LastTransitionTime
		}
		break
	}
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&c)
	if err != nil {
		return false, err
	}
	if at == len(all) {
		all = append(all, nil)
	}
	all[at] = u
	return true, unstructured.SetNestedSlice(ssp.Object, all, "status", "conditions")
}
