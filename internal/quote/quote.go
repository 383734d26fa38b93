// Package quote bounds what is repeated of an input in texts for people: a value
// of half a megabyte in an error helps nobody, and ends up in an event, a
// condition or a log.
package quote

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Max is how many characters of a value are repeated.
const Max = 128

// Cut returns s if it has at most Max characters, else the first Max of them and
// a remark that says so. A byte that is not UTF-8 counts as a character.
func Cut(s string) string {
	kept, remark := split(s)
	return kept + remark
}

// Quote returns s as a Go string literal, cut like Cut, with the remark behind
// the closing quote.
func Quote(s string) string {
	kept, remark := split(s)
	return strconv.Quote(kept) + remark
}

func split(s string) (kept, remark string) {
	if len(s) <= Max {
		return s, ""
	}
	n := utf8.RuneCountInString(s)
	if n <= Max {
		return s, ""
	}
	end := 0
	for range Max {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end], fmt.Sprintf("… (%d of %d characters)", Max, n)
}
