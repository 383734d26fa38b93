package osimagestream

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxQuoted is how many characters of a value a text for people repeats. A value of
// half a megabyte helps nobody, and ends up in an event, a condition or a log. The
// root module has the same in a package that other modules cannot import.
const maxQuoted = 128

// cut returns s if it has at most maxQuoted characters, else the first of them and
// a remark that says so. A byte that is not UTF-8 counts as a character.
func cut(s string) string {
	kept, remark := splitQuoted(s)
	return kept + remark
}

// quoted returns s as a Go string literal, cut like cut, with the remark behind
// the closing quote.
func quoted(s string) string {
	kept, remark := splitQuoted(s)
	return strconv.Quote(kept) + remark
}

func splitQuoted(s string) (kept, remark string) {
	if len(s) <= maxQuoted {
		return s, ""
	}
	n := utf8.RuneCountInString(s)
	if n <= maxQuoted {
		return s, ""
	}
	end := 0
	for range maxQuoted {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end], fmt.Sprintf("… (%d of %d characters)", maxQuoted, n)
}
