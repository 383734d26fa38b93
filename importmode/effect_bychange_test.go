package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/importmode"
)

// What the change adds by itself, to a tag whose mode is none, is counted apart from what
// the fixes add, the bytes of the internal registry too, with and without the memory of
// digests.
func TestEffectCountsTheChangeApart(t *testing.T) {
	list := listOf("L", importmode.Child{"a", 5}, importmode.Child{"b", 7})
	for _, digests := range []map[string]importmode.DigestUse{nil, {}} {
		e := importmode.Effect{From: legacy, To: preserve, Nodes: mixed, Digests: digests}
		e.Add(nil, stream(imported("v1", "Sparse", local)), []importmode.Manifest{list})
		if diff := cmp.Diff(importmode.Growth{Tags: 1, Objects: 3, Bytes: 12}, e.Totals.ByChange); diff != "" {
			t.Errorf("65: by the change (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(importmode.Growth{}, e.Totals.ByFixes); diff != "" {
			t.Errorf("65: by the fixes (-want +got):\n%s", diff)
		}
	}
}

// Of children with one digest, the largest known size counts, whatever the length of the
// list and the order in it.
func TestEffectOfChildrenOfOneDigest(t *testing.T) {
	for _, fill := range []int{0, 40} {
		for _, tt := range []struct {
			sizes []int64
			want  int64
		}{
			{[]int64{0, 0}, 0}, {[]int64{3, 0}, 3}, {[]int64{0, 3}, 3}, {[]int64{3, 4}, 4}, {[]int64{4, 3}, 4}, {[]int64{4, 4}, 4}, {[]int64{-1, 2}, 2},
			{[]int64{1 << 40, 2}, 1 << 40}, {[]int64{1<<40 + 1, 2}, 2}, {[]int64{2, 1<<40 + 1}, 2}, {[]int64{1<<40 + 1}, 0},
		} {
			list := listOf("L")
			for _, size := range tt.sizes {
				list.Children = append(list.Children, importmode.Child{"a", size})
			}
			for range fill {
				list.Children = append(list.Children, importmode.Child{"b", 100})
			}
			want := importmode.Growth{Tags: 1, Objects: 2, Bytes: tt.want}
			if fill > 0 {
				want.Objects, want.Bytes = 3, tt.want+100
			}
			if tt.want == 0 {
				want.BytesUnknown = 1
			}
			e := importmode.Effect{To: preserve, Nodes: mixed}
			e.Add(nil, stream(imported("v1", legacy, local)), []importmode.Manifest{list})
			if diff := cmp.Diff(want, e.Totals.ByFixes); diff != "" {
				t.Errorf("64: sizes %v and %d more (-want +got):\n%s", tt.sizes, fill, diff)
			}
		}
	}
}
