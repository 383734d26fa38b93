// Package documented holds that docs/conformance.md says what the tests of the kits show.
package documented

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Defects holds that the text has a row for each defect of the kit, with the rules that an
// implementation with it breaks, and no other row for the kit:
//
//	| the JSON schema of image-spec takes a short digest | manifestlist | `descriptors-well-formed` |
func Defects(t testing.TB, text, kit string, rules map[string][]string) {
	t.Helper()
	got := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| ([^|`][^|]*) \\| "+kit+` \| ([^|]+) \|$`).FindAllStringSubmatch(text, -1) {
		got[m[1]] = m[2]
	}
	for name, ids := range rules {
		want := "`" + strings.Join(slices.Sorted(slices.Values(ids)), "`, `") + "`"
		if got[name] != want {
			t.Errorf("want the row | %s | %s | %s |, got %q", name, kit, want, got[name])
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("docs/conformance.md has the defect %q of %s, which is not tested", name, kit)
	}
}
