package manifestlist

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// compareEntries is the canonical order (rule A11). The places come last, so that
// what is there twice is in a fixed order as well.
func compareEntries(x, y *entry) int {
	if c := compareKeys(x.desc, y.desc, x.class, y.class); c != 0 {
		return c
	}
	if c := strings.Compare(string(x.desc.Digest), string(y.desc.Digest)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(x.position, y.position), cmp.Compare(x.inner, y.inner))
}

// A sortKey is the beginning of what compareEntries looks at, as numbers. For
// nearly every index it settles the order.
type sortKey [keyWords]uint64

const keyWords = 4

// fewEntries are so many as nearly every index has. There is room for them on the
// stack.
const fewEntries = 8

// sortEntries puts the entries in canonical order, and reports whether two of them may
// be one by rule A6. What is sorted are their places, because those are quick to move,
// by keys that stand close together.
func sortEntries(entries []entry) (alike bool) {
	var few [(keyWords + 1) * fewEntries]uint64
	memory, n := few[:], (keyWords+1)*len(entries)
	if n > len(few) {
		memory = make([]uint64, n)
	}
	places, keys := memory[:len(entries)], memory[len(entries):n]
	exact := true
	for i := range entries {
		places[i] = uint64(i)
		exact = (*sortKey)(keys[keyWords*i:]).set(&entries[i]) && exact
	}
	if !exact {
		clear(keys)
	}
	key := func(place uint64) *sortKey { return (*sortKey)(keys[keyWords*place:]) }
	slices.SortFunc(places, func(i, j uint64) int {
		x, y := key(i), key(j)
		for k := range x {
			if x[k] != y[k] {
				if x[k] < y[k] {
					return -1
				}
				return 1
			}
		}
		return compareEntries(&entries[i], &entries[j])
	})
	for i := 1; i < len(places); i++ {
		alike = alike || *key(places[i-1]) == *key(places[i])
	}
	// The entries follow their places, each cycle of the permutation once.
	const done = math.MaxUint64
	for i := range places {
		if places[i] == uint64(i) || places[i] == done {
			continue
		}
		first := entries[i]
		for at := i; ; {
			from := int(places[at])
			places[at] = done
			if from == i {
				entries[at] = first
				break
			}
			entries[at] = entries[from]
			at = from
		}
	}
	return alike
}

// set writes class and os, then architecture and whether the variant is the baseline,
// then the variant if it is not, then the beginning of os.version. It reports false if
// a text is too long for its place or ends in a zero, which is as if it were not
// there. What the key lacks compareEntries sees as well, only more slowly
// (assemble_1000).
func (key *sortKey) set(e *entry) (exact bool) {
	key[0] = uint64(e.class) << 56
	p := e.desc.Platform
	if p == nil {
		return true
	}
	key[0] |= head(p.OS) >> 8
	key[1] = head(p.Architecture)
	exact = fits(p.OS, 7) && fits(p.Architecture, 7)
	if baseline(p.Architecture, p.Variant) {
		key[2] = head(p.OSVersion)
		key[3] = head(p.OSVersion[min(8, len(p.OSVersion)):])
		return exact
	}
	key[1] |= 1
	key[2] = head(p.Variant)
	key[3] = head(p.OSVersion)
	return exact && fits(p.Variant, 8)
}

// head returns the first eight bytes of s as a number, zeros behind the last.
func head(s string) (n uint64) {
	switch {
	case len(s) >= 8:
		return bits.ReverseBytes64(word(s))
	case len(s) >= 4:
		return bits.ReverseBytes64(halfWord(s)) | bits.ReverseBytes64(halfWord(s[len(s)-4:]))>>(8*(len(s)-4))
	}
	for i := range len(s) {
		n |= uint64(s[i]) << (56 - 8*i)
	}
	return n
}

func fits(s string, room int) bool {
	return s == "" || len(s) <= room && s[len(s)-1] != 0
}
