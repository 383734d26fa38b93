package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	configv1 "github.com/openshift/api/config/v1"
)

func TestLinesFit(t *testing.T) {
	long := strings.Repeat("→", columns)
	for _, tc := range []struct{ name, got, want string }{
		{"one line", fact("   ok ", "mode", "Legacy"), "   ok mode: Legacy\n"},
		{"a value that has to go on a line of its own", fact("   ok ", "mode", strings.Repeat("a", columns-11)), "   ok mode:\n        " + strings.Repeat("a", columns-11) + "\n"},
		{"between words", wrapped("- ", "  ", strings.Repeat("a", 60)+" "+strings.Repeat("b", 60)), "- " + strings.Repeat("a", 60) + "\n  " + strings.Repeat("b", 60) + "\n"},
		{"as many as fit", wrapped("- ", "  ", strings.Repeat("a", 48)+" "+strings.Repeat("b", 49)), "- " + strings.Repeat("a", 48) + " " + strings.Repeat("b", 49) + "\n"},
		{"a word that is too long", wrapped("- ", "  ", long), "- " + strings.Repeat("→", columns-2) + "\n  →→\n"},
		{"new lines are blanks", wrapped("- ", "  ", "a\nb"), "- a b\n"},
		{"nothing", wrapped("- ", "  ", ""), "-\n"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, tc.got, tc.want)
		}
		for line := range strings.Lines(tc.got) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > columns {
				t.Errorf("%s: %s", tc.name, line)
			}
		}
	}
}

func TestValuesInWords(t *testing.T) {
	for want, v := range map[string]any{
		"empty": configv1.ImportModeType(""), "Legacy": configv1.ImportModeLegacy, "yes": true, "no": false, "nothing": nil, "3": int64(3),
		"none": []string{}, "a; then b": []string{"a", "b"}, "a: 1; b: 2": map[string]string{"b": "2", "a": "1"},
		"architecture empty (Completed) → empty → empty → empty": hops{History: configv1.CompletedUpdate},
	} {
		if got := show(v); got != want {
			t.Errorf("%#v reads %q, want %q", v, got, want)
		}
	}
}
