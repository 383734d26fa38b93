package manifestlist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of what is read.
const (
	// MaxSize is the largest manifest, in bytes, that registries and clients
	// commonly take: 4 MiB.
	MaxSize = 4 << 20
	// MaxDepth is how deep JSON may be nested. An index that uses every field
	// of image-spec needs 5.
	MaxDepth = 64
)

// sizeLimit is what a limit of zero means.
func sizeLimit(limit int) int {
	if limit > 0 {
		return limit
	}
	return MaxSize
}

// readDocument is rule P1. It decodes src and returns it without the white space
// between its tokens, in memory of its own. wrongType is the code for JSON that
// into cannot hold.
func readDocument(src []byte, limit int, into any, wrongType Code) ([]byte, *IndexError) {
	if limit = sizeLimit(limit); len(src) > limit {
		return nil, &IndexError{Code: CodeTooLarge, Value: strconv.Itoa(len(src)), Want: fmt.Sprintf("at most %d bytes", limit)}
	}
	// encoding/json would put U+FFFD in the place of what is not UTF-8, which makes
	// another document with another digest.
	if !utf8.Valid(src) {
		return nil, &IndexError{Code: CodeNotJSON, Want: "UTF-8"}
	}
	if err := json.Unmarshal(src, into); err != nil {
		return nil, unreadable(err, wrongType)
	}
	if halfSurrogate(src) {
		return nil, &IndexError{Code: CodeNotJSON, Want: "UTF-8, and no escape of half a surrogate pair"}
	}
	depth, spaced := survey(src)
	if depth > MaxDepth {
		return nil, &IndexError{Code: CodeTooDeep, Value: strconv.Itoa(depth), Want: fmt.Sprintf("at most %d levels", MaxDepth)}
	}
	if !spaced {
		return bytes.Clone(src), nil
	}
	var compacted bytes.Buffer
	compacted.Grow(len(src))
	_ = json.Compact(&compacted, src) // it is valid JSON
	return compacted.Bytes(), nil
}

// halfSurrogate reports whether a text has an escape such as \ud800 without its
// other half. No UTF-8 stands for it, and encoding/json reads it as U+FFFD. b is
// valid JSON.
func halfSurrogate(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return false
		}
		b = b[i:]
		if b[1] != 'u' {
			b = b[2:]
			continue
		}
		r := escaped(b)
		b = b[6:]
		if !utf16.IsSurrogate(r) {
			continue
		}
		if b[0] != '\\' || b[1] != 'u' || utf16.DecodeRune(r, escaped(b)) == utf8.RuneError {
			return true
		}
		b = b[6:]
	}
}

// escaped is the character of the escape \uXXXX that b begins with.
func escaped(b []byte) rune {
	n, _ := strconv.ParseUint(string(b[2:6]), 16, 16) // it is valid JSON
	return rune(n)
}
