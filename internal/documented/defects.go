// Package documented holds that docs/conformance.md says what the tests of the kits show.
package documented

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A Defect is one that a kit finds, by the rules that an implementation with it breaks.
type Defect struct {
	Name  string
	Rules []string
}

// Defects holds that the text has a row for each defect of the kit, with its rules in
// ascending order, and no other row for the kit:
//
//	| the JSON schema of image-spec takes a short digest | manifestlist | `descriptors-well-formed` |
func Defects(t testing.TB, text, kit string, defects []Defect) {
	t.Helper()
	var want []string
	for _, d := range defects {
		want = append(want, fmt.Sprintf("| %s | %s | `%s` |", d.Name, kit, strings.Join(slices.Sorted(slices.Values(d.Rules)), "`, `")))
	}
	got := regexp.MustCompile(`(?m)^\| [^|]+ \| `+kit+` \| [^|]+ \|$`).FindAllString(text, -1)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/conformance.md, the defects of %s (-want +got):\n%s", kit, diff)
	}
}
