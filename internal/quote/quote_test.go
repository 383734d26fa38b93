package quote_test

import (
	"strings"
	"testing"

	"github.com/polyarch/polyarch/internal/quote"
)

func TestCut(t *testing.T) {
	full := strings.Repeat("a", quote.Max)
	wide := strings.Repeat("\u00e9", quote.Max) // two bytes each
	for _, tc := range []struct{ name, in, cut, quoted string }{
		{"empty", "", "", `""`},
		{"short", `say "x"`, `say "x"`, `"say \"x\""`},
		{"exactly the limit", full, full, `"` + full + `"`},
		{"one more", full + "b", full + "… (128 of 129 characters)", `"` + full + `"… (128 of 129 characters)`},
		{"characters, not bytes", wide, wide, `"` + wide + `"`},
		{"cut between characters", wide + "x", wide + "… (128 of 129 characters)", `"` + wide + `"… (128 of 129 characters)`},
		{"not UTF-8", full + "\xff", full + "… (128 of 129 characters)", `"` + full + `"… (128 of 129 characters)`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := quote.Cut(tc.in); got != tc.cut {
				t.Errorf("Cut = %q, want %q", got, tc.cut)
			}
			if got := quote.Quote(tc.in); got != tc.quoted {
				t.Errorf("Quote = %s, want %s", got, tc.quoted)
			}
		})
	}
}
