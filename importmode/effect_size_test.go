package importmode_test

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/polyarch/polyarch/importmode"
)

// The floors that are held in internal/benchmarks: 100 streams of ten tags within one
// DeepCopy of the same streams; 100,000 streams within 12 times 10,000.

// A list of any length is taken alike, however it is looked through.
func TestEffectOfLongLists(t *testing.T) {
	for _, n := range []int{1, 32, 33, 5000} {
		m := listOf("L")
		for i := range n {
			m.Children = append(m.Children, importmode.Child{Digest: fmt.Sprint("c", i), Size: 1}, importmode.Child{Digest: fmt.Sprint("c", i), Size: -1})
		}
		for _, digests := range []map[string]importmode.DigestUse{nil, {}} {
			e := importmode.Effect{Nodes: mixed, Digests: digests}
			got := e.Add(nil, stream(imported("v1", legacy, local)), []importmode.Manifest{m})[0]
			want := importmode.Growth{Tags: 1, Objects: int64(n) + 1, Bytes: int64(n)}
			if e.Totals.ByFixes != want || got.Objects != want.Objects || got.Bytes != want.Bytes || got.BytesUnknown {
				t.Errorf("%d children: %+v, %s", n, e.Totals.ByFixes, shown(got))
			}
		}
	}
}

// Tags are found by name in any order, and in streams of any length.
func TestEffectFindsTagsInAnyOrder(t *testing.T) {
	for _, n := range []int{1, 32, 33, 1000} {
		s := stream()
		for i := range n {
			s.Spec.Tags = append(s.Spec.Tags, imported(strconv.Itoa(i), legacy, source))
			withEvents(s, strconv.Itoa(n-1-i), "image")
			withEvents(s, fmt.Sprint("pushed", i), "image")
		}
		e := importmode.Effect{Nodes: mixed}
		manifests := make([]importmode.Manifest, n)
		for i := range manifests {
			manifests[i] = listOf("L", importmode.Child{"image", 1}, importmode.Child{"other", 1})
		}
		e.Add(nil, s, manifests)
		if want := (importmode.Growth{Tags: int64(n), Objects: 2 * int64(n), LayersGone: int64(n)}); e.Totals.ByFixes != want || e.Totals.Reasons[importmode.ReasonStatusOnly] != int64(n) {
			t.Errorf("%d tags: %+v", n, e.Totals)
		}
	}
}

// What is remembered is not a part of the caller's stream.
func TestEffectKeepsNoStream(t *testing.T) {
	e := importmode.Effect{Nodes: mixed, Digests: map[string]importmode.DigestUse{}}
	child := []importmode.Child{{"a", 1}, {"b", 1}}
	e.Add(nil, withEvents(stream(imported("v1", legacy, source)), "v1", "a"), []importmode.Manifest{{Digest: "L", Children: child}})
	child[1].Digest = "changed by the caller"
	if got := e.Digests["L"].Children; !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the children are %q", got)
	}
}

// effectStream is a stream of ten imported tags, and the lists that they are.
func effectStream() added {
	a := added{stream: stream()}
	for i := range 10 {
		name := fmt.Sprint("v", i)
		a.stream.Spec.Tags = append(a.stream.Spec.Tags, imported(name, legacy, local))
		m := listOf("list" + name)
		for k := range 4 {
			m.Children = append(m.Children, importmode.Child{Digest: fmt.Sprint("image", name, k), Size: 1})
		}
		withEvents(a.stream, name, m.Children[0].Digest)
		a.manifests = append(a.manifests, m)
	}
	return a
}

func TestEffectNoAllocs(t *testing.T) {
	a := effectStream()
	reversed := effectStream()
	slices.Reverse(reversed.stream.Status.Tags)
	room := make([]importmode.TagEffect, 0, 10)
	for name, one := range map[string]added{"in order": a, "status reversed": reversed, "no manifests": {stream: a.stream}} {
		e := importmode.Effect{To: preserve, Nodes: mixed}
		if n := testing.AllocsPerRun(100, func() { e.Add(room, one.stream, one.manifests) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// 100,000 streams of ten tags leave the heap as it was.
func TestEffectInConstantMemory(t *testing.T) {
	a := effectStream()
	room := make([]importmode.TagEffect, 0, 10)
	e := importmode.Effect{To: preserve, Nodes: mixed}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 100_000 {
		// A new name and a new digest each time, so that keeping them would show.
		a.stream.Name = strconv.Itoa(i)
		a.manifests[i%10].Digest = a.stream.Name
		e.Add(room, a.stream, a.manifests)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if e.Totals.Streams != 100_000 || e.Totals.Tags != 1_000_000 || e.Totals.ByFixes.Objects != 4_000_000 {
		t.Fatalf("%+v", e.Totals)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 256<<10 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

// Digests that differ in no digit but the first are as different as others.
func TestEffectTellsDigestsApartByAnyDigit(t *testing.T) {
	m := importmode.Manifest{Digest: "La", Children: []importmode.Child{{"1a", 1}, {"2a", 2}, {"1a", 1}, {"1b", 4}, {"a", 8}}}
	for _, digests := range []map[string]importmode.DigestUse{nil, {}} {
		e := importmode.Effect{Nodes: mixed, Digests: digests}
		got := e.Add(nil, withEvents(stream(imported("v1", legacy, local)), "v1", "3a", "1b"), []importmode.Manifest{m})[0]
		if got.Objects != 4 || got.Bytes != 11 || !got.LayersGone || e.Totals.ByFixes.Objects != 4 || e.Totals.ByFixes.Bytes != 11 {
			t.Errorf("%s, %+v", shown(got), e.Totals.ByFixes)
		}
	}
}
