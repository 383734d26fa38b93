package manifestlist

import (
	"slices"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"pgregory.net/rapid"
)

// Where each text has a zero, none of them can be told apart by a key.
func TestSortEntriesWithZeros(t *testing.T) {
	var all []entry
	for i, p := range [][2]string{{"a\x00b", "c\x00"}, {"a\x00", "x\x00"}, {"a", "x\x00"}, {"a\x00b", "c"}} {
		all = append(all, entry{desc: &ocispec.Descriptor{Platform: &ocispec.Platform{OS: p[0], Architecture: p[1]}}, position: int32(i), inner: -1})
	}
	for i := range all {
		for j := range all {
			got := []entry{all[i], all[j]}
			want := slices.Clone(got)
			slices.SortFunc(want, func(x, y entry) int { return compareEntries(&x, &y) })
			sortEntries(got)
			if got[0].position != want[0].position {
				t.Errorf("%q and %q are in the wrong order", all[i].desc.Platform, all[j].desc.Platform)
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
