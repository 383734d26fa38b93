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

// words is how many numbers the beginnings of the texts make that compareEntries looks at.
// They settle nearly every order.
const words = 4

// A placed entry is sorted by one of its words. It is quick to move.
type placed struct{ word, place uint64 }

// fewEntries are so many as nearly every index has. There is room for them on the
// stack.
const fewEntries = 8

// sortEntries puts the entries in canonical order, and reports whether two of them may
// be one by rule A6. What is sorted are their places.
func sortEntries(entries []entry) (alike bool) {
	var few [fewEntries]placed
	places := few[:]
	if len(entries) > len(few) {
		places = make([]placed, len(entries))
	}
	places = places[:len(entries)]
	k := 0
	for i := range entries {
		places[i].place = uint64(i)
		if !exact(&entries[i]) {
			k = words // none helps
		}
	}
	alike = sortFrom(k, places, entries)
	// The entries follow their places, each cycle of the permutation once.
	const done = math.MaxUint64
	for i := range places {
		if places[i].place == uint64(i) || places[i].place == done {
			continue
		}
		first := entries[i]
		for at := i; ; {
			from := int(places[at].place)
			places[at].place = done
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

// sortFrom sorts places whose words agree before word k: by that word, and those that have
// it in common by what follows. It reports whether all words of two agree.
func sortFrom(k int, places []placed, entries []entry) (alike bool) {
	if k == words {
		slices.SortFunc(places, func(x, y placed) int { return compareEntries(&entries[x.place], &entries[y.place]) })
		return len(places) > 1
	}
	for i := range places {
		places[i].word = wordOf(k, &entries[places[i].place])
	}
	slices.SortFunc(places, func(x, y placed) int { return cmp.Compare(x.word, y.word) })
	for len(places) > 0 {
		n := 1
		for n < len(places) && places[n].word == places[0].word {
			n++
		}
		if n > 1 && sortFrom(k+1, places[:n], entries) {
			alike = true
		}
		places = places[n:]
	}
	return alike
}

// wordOf returns class and os, then architecture and whether the variant is the baseline,
// then the variant if it is not, then the beginning of os.version. What no word has
// compareEntries sees as well, only more slowly (assemble_1000).
func wordOf(k int, e *entry) uint64 {
	p := e.desc.Platform
	switch {
	case p == nil && k == 0:
		return uint64(e.class) << 56
	case p == nil:
		return 0
	case k == 0:
		return uint64(e.class)<<56 | head(p.OS)>>8
	}
	standard := baseline(p.Architecture, p.Variant)
	switch {
	case k == 1 && standard:
		return head(p.Architecture)
	case k == 1:
		return head(p.Architecture) | 1
	case k == 2 && standard, k == 3 && !standard:
		return head(p.OSVersion)
	case k == 2:
		return head(p.Variant)
	}
	return head(p.OSVersion[min(8, len(p.OSVersion)):])
}

// exact reports whether the words tell the texts before os.version: none is too long for its
// place, or ends in a zero, which is as if it were not there.
func exact(e *entry) bool {
	p := e.desc.Platform
	return p == nil || fits(p.OS, 7) && fits(p.Architecture, 7) && (baseline(p.Architecture, p.Variant) || fits(p.Variant, 8))
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
