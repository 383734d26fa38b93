package manifestlist

import (
	"slices"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"
)

// Two of every kind: texts that fill their place in a key, that differ behind it, and
// that end in a zero.
func TestSortEntriesInPairs(t *testing.T) {
	var all []entry
	for _, os := range []string{"", "a", "a\x00", "windows", "windowsx", "windowsy"} {
		for _, architecture := range []string{"a\x00", "a\x00b", "amd64", "mips64le", "mips64lf"} {
			for _, variant := range []string{"", "v1", "v8", "12345678", "123456789", "12345678a"} {
				for _, version := range []string{"", "a", "12345678", "123456789"} {
					p := &ocispec.Platform{OS: os, Architecture: architecture, Variant: variant, OSVersion: version}
					all = append(all, entry{desc: &ocispec.Descriptor{Platform: p}, position: int32(len(all)), inner: -1})
				}
			}
		}
	}
	for i := range all {
		for j := range all[:i] {
			pair := []entry{all[i], all[j]}
			sortEntries(pair)
			if compareEntries(&pair[0], &pair[1]) > 0 {
				t.Fatalf("%q and %q are in the wrong order", all[i].desc.Platform, all[j].desc.Platform)
			}
		}
	}
}

// TestSortEntriesIsTheCanonicalOrder holds the sort by prefix against a sort by
// comparison alone, with texts longer than the prefix and with zeros in them.
func TestSortEntriesIsTheCanonicalOrder(t *testing.T) {
	all := []string{"", "a", "b", "a\x00", "a\x00b", "ab", "linux", "linus", "arm", "arm64", "v7", "v8", "v1", "amd64",
		"a very long name that fills the prefix", "a very long name that fills the prefiy", "\xff", "\x01"}
	rapid.Check(t, func(t *rapid.T) {
		// Few of them, so that many an entry is like another in some of its texts.
		text := rapid.SampledFrom(rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 4, rapid.ID).Draw(t, "texts"))
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
			d := describe(text.Draw(t, "name"), "nil")
			if rapid.Bool().Draw(t, "platform") {
				d.Platform = platform("x/x")
				d.Platform.OS, d.Platform.Architecture = text.Draw(t, "os"), text.Draw(t, "arch")
				d.Platform.Variant, d.Platform.OSVersion = text.Draw(t, "variant"), text.Draw(t, "version")
				d.Platform.OSFeatures = rapid.SliceOfN(text, 0, 2).Draw(t, "features")
			}
			return entry{desc: &d, class: class(rapid.IntRange(0, 2).Draw(t, "class")), inner: -1}
		}), 0, 20).Draw(t, "entries")
		for i := range entries {
			entries[i].position = int32(i)
		}
		want := slices.Clone(entries)
		slices.SortFunc(want, func(x, y entry) int { return compareEntries(&x, &y) })
		sortEntries(entries)
		for i := range want {
			if want[i].position != entries[i].position {
				t.Fatalf("place %d has child %d, want %d", i, entries[i].position, want[i].position)
			}
		}
	})
}
