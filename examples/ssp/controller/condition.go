package controller

import (
	"fmt"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	// maxNote is what the API server takes of the note of an event.
	maxNote = 1024
	// maxLines is how many notes a condition holds. Events tell all of them.
	maxLines = 10
)

func (t telling) condition(generation int64) metav1.Condition {
	c := metav1.Condition{Type: ConditionType, Status: metav1.ConditionFalse, Reason: t.reason, ObservedGeneration: generation}
	if t.reason == "" {
		c.Status, c.Reason = metav1.ConditionTrue, ReasonAsExpected
	}
	var lines []string
	for i, n := range t.notes {
		if i == maxLines {
			lines = append(lines, fmt.Sprintf("and %d more", len(t.notes)-maxLines))
			break
		}
		lines = append(lines, n.message)
	}
	c.Message = strings.Join(lines, "\n")
	return c
}

// cut returns s, or as much of its beginning as leaves it no longer than limit
// bytes together with a mark that it was cut.
func cut(s string, limit int) string {
	const mark = " …"
	if len(s) <= limit {
		return s
	}
	end := limit - len(mark)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}

// conditions returns status.conditions, and where the adapter's own is or would
// be.
func conditions(ssp *unstructured.Unstructured) (all []any, at int, own metav1.Condition, err error) {
	if all, _, err = unstructured.NestedSlice(ssp.Object, "status", "conditions"); err != nil {
		return nil, 0, own, err
	}
	for i := range all {
		if m, _ := all[i].(map[string]any); m["type"] == ConditionType {
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, &own); err != nil {
				own = metav1.Condition{} // what nobody can read is overwritten
			}
			return all, i, own, nil
		}
	}
	return all, len(all), own, nil
}

// messageOf returns the message of the adapter's condition, "" if there is none.
func messageOf(ssp *unstructured.Unstructured) string {
	_, _, own, err := conditions(ssp)
	if err != nil {
		return ""
	}
	return own.Message
}

// setCondition puts the condition into status.conditions and leaves those of
// others as they are. It reports whether that changes anything.
func setCondition(ssp *unstructured.Unstructured, c metav1.Condition, now metav1.Time) (changed bool, err error) {
	all, at, was, err := conditions(ssp)
	if err != nil {
		return false, err
	}
	c.LastTransitionTime = now
	if was.Status == c.Status {
		c.LastTransitionTime = was.LastTransitionTime
	}
	if c == was {
		return false, nil
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
