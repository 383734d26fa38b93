package main

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/examples/conformance/judge"
	"github.com/polyarch/polyarch/examples/internal/texts"
)

func documentation(t *testing.T) string {
	t.Helper()
	return texts.Read(t, "../../docs/conformance.md")
}

// docs/conformance.md lists the items and steps that a report has, no more and no
// less, in their order.
func TestDocumentedSteps(t *testing.T) {
	result, err := judge.Run(t.Context(), &rest.Config{Host: "https://127.0.0.1:1"}, judge.Options{Run: "none", Timeouts: patient()})
	if err != nil {
		t.Fatal(err)
	}
	var items, steps []string
	for _, item := range result.Items {
		items = append(items, item.ID)
		for _, step := range item.Steps {
			steps = append(steps, fmt.Sprintf("%s: %s", step.ID, step.Title))
		}
	}
	var documentedItems, documentedSteps []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| [0-9].*\\|$").FindAllStringSubmatch(documentation(t), -1) {
		documentedItems = append(documentedItems, m[1])
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+/[a-z]+)` \\| (?:now|override|moves) \\| (.*) \\|$").FindAllStringSubmatch(documentation(t), -1) {
		documentedSteps = append(documentedSteps, m[1]+": "+m[2])
	}
	slices.Sort(items)
	slices.Sort(documentedItems)
	if diff := cmp.Diff(items, documentedItems); diff != "" {
		t.Errorf("items (-report +docs):\n%s", diff)
	}
	if diff := cmp.Diff(steps, documentedSteps); diff != "" {
		t.Errorf("steps (-report +docs):\n%s", diff)
	}
}
