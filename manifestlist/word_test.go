package manifestlist

import "testing"

// TestWords puts every byte at every place of a word, beside bytes that borrow
// and carry most.
func TestWords(t *testing.T) {
	for _, fill := range []byte{0x00, ' ', '0', '9', 'a', 'f', '~', 0x7f, 0x80, 0xff} {
		for c := range 256 {
			for at := range 8 {
				var b [8]byte
				for i := range b {
					b[i] = fill
				}
				b[at] = byte(c)
				w := word(string(b[:]))
				hex, plain := true, true
				for _, c := range b {
					hex = hex && (c >= '0' && c <= '9' || c >= 'a' && c <= 'f')
					plain = plain && c >= ' ' && c < 0x80 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
				}
				if (hexDigits(w) == highs) != hex {
					t.Fatalf("hexDigits(%q) is %x, want that to be %v", b, hexDigits(w), hex)
				}
				if plainJSON(w) && !plain {
					t.Fatalf("plainJSON(%q) = true", b)
				}
				if !plainJSON(w) && plain {
					t.Fatalf("plainJSON(%q) = false: it may miss words, but not this one", b)
				}
			}
		}
	}
}
