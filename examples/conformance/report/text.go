package report

import (
	"fmt"
	"strings"
)

// Line is the step on one line, and what was wanted and found on further ones if
// it does not pass.
func (s Step) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %-34s %s", s.State, s.ID, s.Title)
	further := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%-16s %s%s", "", label, strings.ReplaceAll(text, "\n", fmt.Sprintf("\n%-16s ", "")))
		}
	}
	if s.State == StatePass || s.State == StateObserved {
		further("got ", s.Got)
	} else {
		further("want ", s.Want)
		further("got ", s.Got)
	}
	further("", s.Detail)
	return b.String()
}

// Text is the report for people: what was judged, each item with its steps, and
// a line that sums them up.
func (r Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan: %s\n", r.Plan)
	fmt.Fprintf(&b, "program: %s %s %s\n", r.Program.Version, r.Program.Revision, r.Program.Go)
	fmt.Fprintf(&b, "cluster: Kubernetes %s, OpenShift %s%s\n", r.Cluster.Kubernetes, r.Cluster.OpenShift, map[bool]string{true: ", the reference apiserver"}[r.Cluster.Reference])
	for _, name := range sortedKeys(r.Cluster.Operators) {
		fmt.Fprintf(&b, "operator: %s %s\n", name, r.Cluster.Operators[name])
	}
	for _, name := range sortedKeys(r.Configuration) {
		fmt.Fprintf(&b, "configuration: %s=%s\n", name, r.Configuration[name])
	}
	for _, item := range r.Items {
		fmt.Fprintf(&b, "\n%s: %s: %s\n", item.ID, item.State(), item.Title)
		for _, step := range item.Steps {
			fmt.Fprintln(&b, step.Line())
		}
	}
	fmt.Fprintln(&b)
	for _, left := range r.Left {
		fmt.Fprintf(&b, "LEFT: %s\n", left)
	}
	fmt.Fprintln(&b, r.Summary())
	return b.String()
}
