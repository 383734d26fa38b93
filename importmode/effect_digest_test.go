package importmode_test

import (
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

// What Effect remembers of digests, stream by stream: rule 65.
func TestEffectRemembers(t *testing.T) {
	type use = importmode.DigestUse
	type step struct {
		stream   *imagev1.ImageStream
		manifest importmode.Manifest
	}
	list := listOf("L", importmode.Child{"a", 5})
	change := func(policy imagev1.TagReferencePolicyType, m importmode.Manifest) step {
		return step{stream(imported("v1", "Sparse", policy)), m}
	}
	fix := func(policy imagev1.TagReferencePolicyType, m importmode.Manifest) step {
		return step{stream(imported("v1", legacy, policy)), m}
	}
	// given is a tag that is imported whole already, of which no event is told.
	given := func(m importmode.Manifest) step { return step{stream(imported("v1", preserve, source)), m} }
	holds := func(policy imagev1.TagReferencePolicyType, images ...string) step {
		return step{withEvents(stream(imported("v1", preserve, policy)), "v1", images...), importmode.Manifest{}}
	}
	for _, tt := range []struct {
		name              string
		steps             []step
		want              map[string]use
		byChange, byFixes importmode.Growth
	}{
		{"65: by the change", []step{change(local, list)},
			map[string]use{"L": {ByChange: true, Children: []string{"a"}}, "a": {ByChange: true, LocalByChange: true, Size: 5}},
			importmode.Growth{Objects: 2, Bytes: 5}, importmode.Growth{}},
		{"65: by a fix", []step{fix(local, list)},
			map[string]use{"L": {ByFixes: true, Children: []string{"a"}}, "a": {ByFixes: true, Size: 5}},
			importmode.Growth{}, importmode.Growth{Objects: 2, Bytes: 5}},
		{"65: by the change, and then by a fix", []step{change(local, list), fix(local, list)},
			map[string]use{"L": {ByChange: true, ByFixes: true, Children: []string{"a"}}, "a": {ByChange: true, ByFixes: true, LocalByChange: true, Size: 5}},
			importmode.Growth{Objects: 2, Bytes: 5}, importmode.Growth{}},
		{"65: by a fix, and then by the change", []step{fix(local, list), change(local, list)},
			map[string]use{"L": {ByChange: true, ByFixes: true, Children: []string{"a"}}, "a": {ByChange: true, ByFixes: true, LocalByChange: true, Size: 5}},
			importmode.Growth{Objects: 2, Bytes: 5}, importmode.Growth{}},
		{"65: by the change that copies nothing, and by a fix that does", []step{change(source, list), fix(local, list)},
			map[string]use{"L": {ByChange: true, ByFixes: true, Children: []string{"a"}}, "a": {ByChange: true, ByFixes: true, Size: 5}},
			importmode.Growth{Objects: 2}, importmode.Growth{Bytes: 5}},
		{"65: by a fix that copies nothing", []step{fix(source, list)},
			map[string]use{"L": {ByFixes: true, Children: []string{"a"}}, "a": {ByFixes: true}},
			importmode.Growth{}, importmode.Growth{Objects: 2}},
		{"65: a list that holds itself", []step{fix(local, listOf("L", importmode.Child{"L", 7}, importmode.Child{"a", 5}))},
			map[string]use{"L": {ByFixes: true, Children: []string{"L", "a"}}, "a": {ByFixes: true, Size: 5}},
			importmode.Growth{}, importmode.Growth{Objects: 2, Bytes: 5}},
		{"63,65: sizes that are not believed", []step{fix(local, listOf("L", importmode.Child{"a", 1<<40 + 1}, importmode.Child{"b", -1}))},
			map[string]use{"L": {ByFixes: true, Children: []string{"a", "b"}}, "a": {ByFixes: true}, "b": {ByFixes: true}},
			importmode.Growth{}, importmode.Growth{Objects: 3}},
		{"65: an event that names nothing", []step{holds(local, "", "a")},
			map[string]use{"a": {Stored: true, LocalStored: true}}, importmode.Growth{}, importmode.Growth{}},
		{"65: a list whose children are given otherwise", []step{given(listOf("L", importmode.Child{"a", 1}, importmode.Child{"a", 1}, importmode.Child{"b", 1})), given(listOf("L", importmode.Child{"c", 1}, importmode.Child{"b", 1})),
			given(listOf("L", importmode.Child{"d", 1}, importmode.Child{"e", 1}, importmode.Child{"f", 1}))},
			map[string]use{"L": {Children: []string{"a", "b", "c", "d", "e", "f"}}}, importmode.Growth{}, importmode.Growth{}},
		{"65: a stored list, and later a Local one", []step{given(list), holds(source, "L"), holds(local, "L"), fix(local, listOf("M", importmode.Child{"a", 5}))},
			map[string]use{"L": {Stored: true, LocalStored: true, Children: []string{"a"}}, "a": {Stored: true, LocalStored: true, ByFixes: true, Size: 5},
				"M": {ByFixes: true, Children: []string{"a"}}},
			importmode.Growth{}, importmode.Growth{Objects: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := importmode.Effect{From: legacy, To: preserve, Nodes: mixed, Digests: map[string]use{}}
			for _, s := range tt.steps {
				e.Add(nil, s.stream, []importmode.Manifest{s.manifest})
			}
			if diff := cmp.Diff(tt.want, e.Digests, cmpopts.IgnoreFields(use{}, "Digest")); diff != "" {
				t.Errorf("digests (-want +got):\n%s", diff)
			}
			got := [2]importmode.Growth{e.Totals.ByChange, e.Totals.ByFixes}
			if diff := cmp.Diff([2]importmode.Growth{tt.byChange, tt.byFixes}, got, cmpopts.IgnoreFields(importmode.Growth{}, "Tags", "BytesUnknown")); diff != "" {
				t.Errorf("by the change, by the fixes (-want +got):\n%s", diff)
			}
		})
	}
}

// The digests that are remembered are copies, also of what is met a second time, so that
// the streams can go.
func TestEffectCopiesDigests(t *testing.T) {
	own := map[*byte]bool{}
	// fresh is a text in memory of its own, as a decoder makes it.
	fresh := func(s string) string {
		b := []byte(s)
		own[&b[0]] = true
		return unsafe.String(&b[0], len(b))
	}
	e := importmode.Effect{To: preserve, Nodes: mixed, Digests: map[string]importmode.DigestUse{}}
	for range 3 {
		m := listOf(fresh("list"), importmode.Child{fresh("child"), 1})
		e.Add(nil, withEvents(stream(imported("v1", legacy, local)), "v1", fresh("stored")), []importmode.Manifest{m})
	}
	if len(e.Digests) != 3 {
		t.Fatalf("%v", e.Digests)
	}
	for digest, use := range e.Digests {
		if use.Digest != digest {
			t.Errorf("65: %s is remembered as %s", digest, use.Digest)
		}
		for _, s := range append(use.Children, digest, use.Digest) {
			if own[unsafe.StringData(s)] {
				t.Errorf("65: %s is a part of a stream", s)
			}
		}
	}
}
