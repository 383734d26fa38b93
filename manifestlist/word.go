package manifestlist

// The text of an index is mostly digests and media types, so what is done to
// every byte of it is done to eight bytes at a time.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// word reads the first eight bytes of s, which must have them. Compilers make
// one load of it.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// halfWord reads the first four bytes of s, which must have them.
func halfWord(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// plainJSON reports whether encoding/json writes each of the eight bytes as it
// is. It may miss that they are (subtraction borrows), never that they are not.
func plainJSON(w uint64) bool {
	special := w | // not ASCII
		(w - ' '*ones) | // control characters
		(((w | 4*ones) ^ '&'*ones) - ones) | // '"' and '&'
		(((w | 2*ones) ^ '>'*ones) - ones) | // '<' and '>'
		((w ^ '\\'*ones) - ones)
	return special&highs == 0
}

// hexDigits has the highest bit of each of the eight bytes that is a digit or a to f.
func hexDigits(w uint64) uint64 {
	digit := (w + (0x80-'0')*ones) &^ (w + (0x80-'9'-1)*ones)
	letter := (w + (0x80-'a')*ones) &^ (w + (0x80-'f'-1)*ones)
	return (digit | letter) &^ w & highs
}

// plainString reports whether encoding/json writes s as it is; like plainJSON it
// may miss that it does.
func plainString(s string) bool {
	switch {
	case len(s) < 4:
		for i := range len(s) {
			if c := s[i]; c < ' ' || c >= 0x80 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
				return false
			}
		}
		return true
	case len(s) < 8:
		return plainJSON(halfWord(s) | halfWord(s[len(s)-4:])<<32)
	}
	for i := 0; i+8 < len(s); i += 8 {
		if !plainJSON(word(s[i:])) {
			return false
		}
	}
	return plainJSON(word(s[len(s)-8:]))
}
