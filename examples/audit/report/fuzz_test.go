package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// FuzzParseSuppressions: what is read of a file and written again reads the same, and
// nothing in it matches more than its pattern says.
func FuzzParseSuppressions(f *testing.F) {
	f.Add("imagestreams.StaysLegacy imagestreams[demo/*] known until May\n", "imagestreams[demo/app]") // a wildcard
	f.Add("# a remark\n\n a b c\r\n", "b")                                                             // remarks, blanks, other line ends
	f.Add("a b*c d", "bx")                                                                             // begins alike, and ends otherwise
	f.Add("a b", "b")                                                                                  // no reason
	f.Add("a * b\na ** b\na *x*x* c\n", "xx")                                                          // wildcards only, side by side
	f.Add("a \u00a0 b c\n\x00 \xff d", "\xff")                                                         // other blanks, no UTF-8
	f.Fuzz(func(t *testing.T, text, object string) {
		list, err := ParseSuppressions(strings.NewReader(text))
		if err != nil {
			return
		}
		var again strings.Builder
		last := 0
		for _, s := range list {
			if s.Code == "" || s.Object == "" || s.Reason == "" || s.Line <= last {
				t.Fatalf("%+v after line %d", s, last)
			}
			last = s.Line
			fmt.Fprintf(&again, "%s %s %s\n", s.Code, s.Object, s.Reason)
			if got, want := s.matches(Entry{Code: s.Code, Object: object}), matchesOracle(s.Object, object); got != want {
				t.Fatalf("%q matches %q: %t", s.Object, object, got)
			}
		}
		same, err := ParseSuppressions(strings.NewReader(again.String()))
		if err != nil || len(same) != len(list) {
			t.Fatalf("%d, and %d when written again: %v", len(list), len(same), err)
		}
		for i := range same {
			if same[i].Line = list[i].Line; same[i] != list[i] {
				t.Fatalf("%+v becomes %+v", list[i], same[i])
			}
		}
	})
}

// matchesOracle goes along the pattern and keeps, for each beginning of the text, whether
// the pattern so far is as that.
func matchesOracle(pattern, text string) bool {
	as := make([]bool, len(text)+1)
	as[0] = true
	for _, c := range []byte(pattern) {
		next := make([]bool, len(text)+1)
		for n := range as {
			if c == '*' {
				next[n] = as[n] || n > 0 && next[n-1]
			} else {
				next[n] = n > 0 && as[n-1] && text[n-1] == c
			}
		}
		as = next
	}
	return as[len(text)]
}

// FuzzRedact: whatever is around it, a password in a URL does not come through, and
// neither does what controls a terminal.
func FuzzRedact(f *testing.F) {
	f.Add("pull from ", "/a/b:v1 failed")                // in a sentence
	f.Add("[", "]")                                      // in brackets
	f.Add("a@b,", "@c")                                  // between others
	f.Add("\x1b[31m\u0085", "\u2028\x7f")                // controls
	f.Add("token: eyJhbGciOi.x.y ", " Basic dXNlcjpwdw") // tokens beside it
	f.Fuzz(func(t *testing.T, before, behind string) {
		const planted = "planted-password"
		got := Redact(before + " https://user:" + planted + "@quay.example.com" + behind)
		if strings.Contains(got, planted) {
			t.Fatalf("it is in %q", got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
			t.Fatalf("a control character at %d of %q", i, got)
		}
	})
}
