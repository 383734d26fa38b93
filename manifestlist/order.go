package manifestlist

import (
	"cmp"
	"encoding/binary"
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
type sortKey [4]uint64

// sortEntries puts the entries in canonical order. What is sorted are their
// places, because those are quick to move.
func sortEntries(entries []entry) {
	places := make([]int32, len(entries))
	exact := true
	for i := range entries {
		places[i] = int32(i)
		key, ok := keyOf(&entries[i])
		entries[i].key = key
		exact = exact && ok
	}
	if !exact {
		for i := range entries {
			entries[i].key = sortKey{}
		}
	}
	slices.SortFunc(places, func(i, j int32) int {
		x, y := &entries[i], &entries[j]
		for k := range x.key {
			if x.key[k] != y.key[k] {
				if x.key[k] < y.key[k] {
					return -1
				}
				return 1
			}
		}
		return compareEntries(x, y)
	})
	// The entries follow their places, each cycle of the permutation once.
	for i := range places {
		if places[i] == int32(i) || places[i] < 0 {
			continue
		}
		first := entries[i]
		for at := i; ; {
			from := int(places[at])
			places[at] = -1
			if from == i {
				entries[at] = first
				break
			}
			entries[at] = entries[from]
			at = from
		}
	}
}

// keyOf writes class, os, architecture, baseline or not, variant and os.version,
// each followed by a zero, as far as there is room. It reports false if a text
// has a zero of its own, which would pass for its end.
func keyOf(e *entry) (key sortKey, exact bool) {
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
	return key, !t.zero
}

type keyText struct {
	b    [32]byte
	n    int
	zero bool
}

func (t *keyText) put(s string) {
	if t.n >= len(t.b) {
		return
	}
	end := t.n + copy(t.b[t.n:], s)
	for _, c := range t.b[t.n:end] {
		t.zero = t.zero || c == 0
	}
	t.n = end + 1
}
