package documented

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A failed is a test that keeps what it is told.
type failed struct {
	testing.TB
	lines []string
}

func (*failed) Helper() {}

func (f *failed) Errorf(format string, args ...any) {
	f.lines = append(f.lines, fmt.Sprintf(format, args...))
}

func TestDefects(t *testing.T) {
	const text = "| defect | kit | rules |\n" +
		"| a | mine | `x`, `y` |\n" +
		"| b | theirs | `z` |\n" +
		"| `mine` | mine | another table |\n"
	for _, tc := range []struct {
		name  string
		rules map[string][]string
		want  []string
	}{
		{"as it is, in any order of the rules", map[string][]string{"a": {"y", "x"}}, nil},
		{"another rule", map[string][]string{"a": {"x"}}, []string{"want the row | a | mine | `x` |, got \"`x`, `y`\""}},
		{"no row", map[string][]string{"a": {"x", "y"}, "b": {"z"}}, []string{"want the row | b | mine | `z` |, got \"\""}},
		{"a row too many", nil, []string{`docs/conformance.md has the defect "a" of mine, which is not tested`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var f failed
			Defects(&f, text, "mine", tc.rules)
			if diff := cmp.Diff(tc.want, f.lines); diff != "" {
				t.Error(strings.TrimSpace(diff))
			}
		})
	}
}
