package manifestlist

import (
	"cmp"
	"encoding/binary"
	"math"
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

// sortEntries puts the entries in canonical order, and reports whether two of them may
// be one by rule A6. What is sorted are their places, because those are quick to move,
// by keys that stand close together.
func sortEntries(entries []entry) (alike bool) {
	memory := make([]uint64, (keyWords+1)*len(entries))
	places, keys := memory[:len(entries)], memory[len(entries):]
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

// set writes class, os, architecture, baseline or not, variant and os.version,
// each followed by a zero, as far as there is room. It reports false if a text
// has a zero of its own, which would pass for its end. What the key lacks
// compareEntries sees as well, only more slowly (assemble_1000).
func (key *sortKey) set(e *entry) (exact bool) {
	t := keyText{n: 2}
	t.b[0] = byte(e.class)
	if p := e.desc.Platform; p != nil {
		t.b[1] = 1
		t.put(p.OS)
		t.put(p.Architecture)
		if baseline(p.Architecture, p.Variant) {
			t.put("")
		} else {
			t.put("\x01")
			t.put(p.Variant)
		}
		t.put(p.OSVersion)
	}
	for i := range key {
		key[i] = binary.BigEndian.Uint64(t.b[8*i:])
	}
	return !t.zero
}

type keyText struct {
	b    [8 * keyWords]byte
	n    int
	zero bool
}

func (t *keyText) put(s string) {
	if t.n >= len(t.b) {
		return
	}
	t.zero = t.zero || strings.Contains(s, "\x00")
	t.n += copy(t.b[t.n:], s) + 1
}
