package importmode_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// An added is a stream beside the manifests of its tags.
type added struct {
	stream    *imagev1.ImageStream
	manifests []importmode.Manifest
}

// drawAdded draws a stream. Images are few, so that tags and streams share some, and
// what is under one digest is drawn anew each time: order must not count even then.
func drawAdded(t *rapid.T) added {
	digest := rapid.SampledFrom([]string{"", "L", "M", "N", "a", "b", "c", "d", "e"})
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"v1", "v2", "v3", "v4", "v5", "v6"}), 0, 6, rapid.ID).Draw(t, "names")
	a := added{stream: stream()}
	cut := rapid.IntRange(0, len(names)).Draw(t, "spec tags")
	for _, name := range names[:cut] {
		one := imported(name, rapid.SampledFrom([]imagev1.ImportModeType{"", legacy, preserve, "Whole"}).Draw(t, "mode"),
			rapid.SampledFrom([]imagev1.TagReferencePolicyType{"", source, local}).Draw(t, "policy"))
		one.Reference = rapid.IntRange(0, 9).Draw(t, "reference") == 0
		one.From.Kind = rapid.SampledFrom([]string{"DockerImage", "DockerImage", "DockerImage", "ImageStreamTag", ""}).Draw(t, "kind")
		a.stream.Spec.Tags = append(a.stream.Spec.Tags, one)
		child := rapid.Custom(func(t *rapid.T) importmode.Child {
			return importmode.Child{Digest: digest.Draw(t, "child"), Size: rapid.Int64Range(-1, 5).Draw(t, "size")}
		})
		a.manifests = append(a.manifests, importmode.Manifest{Digest: digest.Draw(t, "digest"), Children: rapid.SliceOfN(child, 0, 5).Draw(t, "children")})
	}
	a.manifests = a.manifests[:rapid.IntRange(0, len(a.manifests)).Draw(t, "manifests")]
	for _, name := range rapid.Permutation(names).Draw(t, "status order") {
		if rapid.Bool().Draw(t, "has events") {
			withEvents(a.stream, name, rapid.SliceOfN(digest, 0, 3).Draw(t, "events")...)
		}
	}
	a.stream.Spec.DockerImageRepository = rapid.SampledFrom([]string{"", "", "h/x/y"}).Draw(t, "repository")
	return a
}

func drawEffect(t *rapid.T, remember bool) importmode.Effect {
	mode := rapid.SampledFrom([]imagev1.ImportModeType{"", legacy, preserve, "Half"})
	e := importmode.Effect{From: mode.Draw(t, "from"), To: mode.Draw(t, "to"), Nodes: rapid.SampledFrom([]payloadarch.Set{{}, payloadarch.SetOf("s390x"), mixed}).Draw(t, "nodes")}
	if remember {
		e.Digests = map[string]importmode.DigestUse{}
	}
	return e
}

// slowEffect says the rules once more, over all streams at once and with sets.
func slowEffect(e importmode.Effect, all []added) (verdicts []string, totals importmode.EffectTotals) {
	mode := func(m imagev1.ImportModeType) imagev1.ImportModeType {
		if m == preserve {
			return preserve
		}
		return legacy
	}
	stored, localStored := map[string]bool{}, map[string]bool{}
	wanted := map[bool]map[string]bool{true: {}, false: {}} // by fixes or not
	localWanted := map[bool]map[string]bool{true: {}, false: {}}
	size := map[string]int64{}
	children := map[string]map[string]bool{}
	for _, a := range all {
		totals.Streams++
		if a.stream.Spec.DockerImageRepository != "" {
			totals.Repositories++
		}
		eventsOf := func(name string) (images []string) {
			for _, list := range a.stream.Status.Tags {
				for _, event := range list.Items {
					if list.Tag == name {
						images = append(images, event.Image)
					}
				}
			}
			return images
		}
		inSpec := map[string]bool{}
		for i, tag := range a.stream.Spec.Tags {
			inSpec[tag.Name] = true
			d := importmode.TagEffect{Name: tag.Name, Index: i}
			images := eventsOf(tag.Name)
			isLocal := tag.ReferencePolicy.Type == "Local"
			for _, image := range images {
				stored[image] = true
				localStored[image] = localStored[image] || isLocal
			}
			totals.Tags++
			switch {
			case tag.Reference:
				d.Reason = importmode.ReasonReference
			case tag.From.Kind == "ImageStreamTag":
				d.Reason = importmode.ReasonFollows
			case tag.From.Kind != "DockerImage":
				d.Reason = importmode.ReasonNoSource
			case tag.ImportPolicy.ImportMode == "":
				d.Reason, d.Mode = importmode.ReasonModeEmpty, legacy
			case tag.ImportPolicy.ImportMode == "Whole":
				d.Reason, d.Mode, d.Changed = importmode.ReasonModeUnknown, mode(e.To), mode(e.To) != mode(e.From)
			default:
				d.Reason, d.Mode = importmode.ReasonModeGiven, tag.ImportPolicy.ImportMode
			}
			totals.Reasons[d.Reason]++
			if d.Changed {
				totals.Changed++
			}
			if d.Mode == "" {
				verdicts = append(verdicts, shown(d))
				continue
			}
			var m importmode.Manifest
			if i < len(a.manifests) {
				m = a.manifests[i]
			}
			// The children by digest, with the largest known size.
			sizes := map[string]int64{}
			for _, c := range m.Children {
				if c.Size > 0 && c.Size > sizes[c.Digest] {
					sizes[c.Digest] = c.Size
				} else if _, ok := sizes[c.Digest]; !ok {
					sizes[c.Digest] = 0
				}
			}
			if _, bad := sizes[""]; m.Digest != "" && !bad {
				d.Content = importmode.ContentImage
				if len(sizes) > 0 {
					d.Content = importmode.ContentList
					if children[m.Digest] == nil {
						children[m.Digest] = map[string]bool{}
					}
					for c := range sizes {
						children[m.Digest][c] = true
					}
				}
			}
			fix := d.Mode == legacy && e.Nodes == mixed && d.Content != importmode.ContentImage
			grows := fix || d.Changed && d.Mode == preserve && d.Content != importmode.ContentImage
			if fix {
				d.Fix = importmode.PatchPreserveOriginal
			}
			if (fix || d.Mode == preserve) && d.Content != importmode.ContentImage {
				d.Reverse = importmode.PatchLegacy
				if isLocal {
					d.ReverseBytes = importmode.PatchSource
				}
			}
			if grows && d.Content == importmode.ContentList {
				d.LayersGone = len(images) > 0 && images[0] != "" && images[0] != m.Digest
				delete(sizes, m.Digest)
				wanted[fix][m.Digest] = true
				for c, n := range sizes {
					wanted[fix][c] = true
					if isLocal {
						localWanted[fix][c] = true
						size[c] = max(size[c], n)
					}
				}
				if !slices.Contains(images, m.Digest) {
					d.Objects = 1
					for c, n := range sizes {
						if slices.Contains(images, c) {
							continue
						}
						d.Objects++
						if isLocal {
							d.Bytes += n
							d.BytesUnknown = d.BytesUnknown || n == 0
						}
					}
				}
			}
			if grows {
				g := &totals.ByChange
				if fix {
					g = &totals.ByFixes
				}
				g.Tags++
				g.Objects += d.Objects
				g.Bytes += d.Bytes
				for count, when := range map[*int64]bool{&g.Unknown: d.Content == importmode.ContentUnknown, &g.BytesUnknown: d.BytesUnknown, &g.LayersGone: d.LayersGone} {
					if when {
						*count++
					}
				}
			}
			verdicts = append(verdicts, shown(d))
		}
		for _, list := range a.stream.Status.Tags {
			if !inSpec[list.Tag] {
				verdicts = append(verdicts, shown(importmode.TagEffect{Name: list.Tag, Index: -1, Reason: importmode.ReasonStatusOnly}))
				totals.Tags++
				totals.Reasons[importmode.ReasonStatusOnly]++
				for _, event := range list.Items {
					stored[event.Image], localStored[event.Image] = true, true
				}
			}
		}
	}
	if e.Digests == nil {
		return verdicts, totals
	}
	delete(stored, "")
	delete(localStored, "")
	for range children { // long enough for any chain of lists
		for list, of := range children {
			for c := range of {
				stored[c] = stored[c] || stored[list]
				localStored[c] = localStored[c] || localStored[list]
			}
		}
	}
	totals.ByChange.Objects, totals.ByChange.Bytes, totals.ByFixes.Objects, totals.ByFixes.Bytes = 0, 0, 0, 0
	for digest := range wanted[false] {
		if !stored[digest] {
			totals.ByChange.Objects++
		}
	}
	for digest := range wanted[true] {
		if !stored[digest] && !wanted[false][digest] {
			totals.ByFixes.Objects++
		}
	}
	for digest := range localWanted[false] {
		if !localStored[digest] {
			totals.ByChange.Bytes += size[digest]
		}
	}
	for digest := range localWanted[true] {
		if !localStored[digest] && !localWanted[false][digest] {
			totals.ByFixes.Bytes += size[digest]
		}
	}
	return verdicts, totals
}

func checkEffect(t *rapid.T) {
	all := rapid.SliceOfN(rapid.Custom(drawAdded), 0, 5).Draw(t, "streams")
	asked := drawEffect(t, rapid.Bool().Draw(t, "remember"))
	fresh := func() importmode.Effect {
		f := asked
		if f.Digests != nil {
			f.Digests = map[string]importmode.DigestUse{}
		}
		return f
	}
	wantVerdicts, want := slowEffect(asked, all)
	var was []added
	for _, a := range all {
		copied := added{stream: a.stream.DeepCopy()}
		for _, m := range a.manifests {
			copied.manifests = append(copied.manifests, importmode.Manifest{Digest: m.Digest, Children: slices.Clone(m.Children)})
		}
		was = append(was, copied)
	}
	e := fresh()
	var got []importmode.TagEffect
	for _, a := range all {
		got = e.Add(got, a.stream, a.manifests)
	}
	var verdicts []string
	for _, d := range got {
		verdicts = append(verdicts, shown(d))
	}
	if diff := cmp.Diff(wantVerdicts, verdicts); diff != "" {
		t.Fatalf("verdicts (-oracle +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, e.Totals); diff != "" {
		t.Fatalf("totals (-oracle +got):\n%s", diff)
	}
	for i, a := range all {
		if !cmp.Equal(was[i].stream, a.stream) {
			t.Fatalf("stream %d is changed", i)
		}
		for k, m := range a.manifests {
			if m.Digest != was[i].manifests[k].Digest || !slices.Equal(m.Children, was[i].manifests[k].Children) {
				t.Fatalf("manifest %d of stream %d is changed", k, i)
			}
		}
	}

	// The totals do not depend on the order, and a second look at the same streams
	// adds nothing that is remembered.
	other := fresh()
	for _, a := range rapid.Permutation(all).Draw(t, "another order") {
		other.Add(nil, a.stream, a.manifests)
	}
	if diff := cmp.Diff(e.Totals, other.Totals); diff != "" {
		t.Fatalf("in another order (-first +second):\n%s", diff)
	}
	if e.Digests == nil {
		// Without it, totals add up.
		var sum int64
		for _, a := range all {
			alone := fresh()
			alone.Add(nil, a.stream, a.manifests)
			sum += alone.Totals.ByChange.Objects + alone.Totals.ByFixes.Objects
		}
		if sum != e.Totals.ByChange.Objects+e.Totals.ByFixes.Objects {
			t.Fatalf("%d objects stream by stream, %+v together", sum, e.Totals)
		}
		remembering := e
		remembering.Totals, remembering.Digests = importmode.EffectTotals{}, map[string]importmode.DigestUse{}
		for _, a := range all {
			remembering.Add(nil, a.stream, a.manifests)
		}
		if r := remembering.Totals; r.ByChange.Objects+r.ByFixes.Objects > sum {
			t.Fatalf("%d objects is no upper bound of %+v", sum, r)
		}
		return
	}
	for _, a := range all {
		e.Add(nil, a.stream, a.manifests)
	}
	for _, g := range [][2]importmode.Growth{{other.Totals.ByChange, e.Totals.ByChange}, {other.Totals.ByFixes, e.Totals.ByFixes}} {
		if g[0].Objects != g[1].Objects || g[0].Bytes != g[1].Bytes {
			t.Fatalf("once %+v, twice %+v", g[0], g[1])
		}
	}
}

func TestEffectAgainstTheOracle(t *testing.T) { rapid.Check(t, checkEffect) }

func FuzzEffect(f *testing.F) {
	f.Add([]byte{})                              // no streams
	f.Add([]byte("Legacy PreserveOriginal L a")) // some entropy for rapid
	f.Fuzz(rapid.MakeFuzz(checkEffect))
}

// Once the fixes are applied and imported, there is nothing left to fix, nothing more
// is added, and what was predicted is what the events and their lists name.
func TestEffectSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAdded(t)
		// One digest is one content here, as in a registry.
		content := map[string][]importmode.Child{"L": {{"a", 1}, {"b", 2}}, "M": {{"b", 2}, {"c", 3}, {"d", 4}}, "N": {{"e", 5}}}
		images := map[string]bool{}
		note := func(image string) {
			if image != "" {
				images[image] = true
				for _, c := range content[image] {
					images[c.Digest] = true
				}
			}
		}
		for i := range a.manifests {
			a.manifests[i].Children = content[a.manifests[i].Digest]
		}
		for _, list := range a.stream.Status.Tags {
			for _, event := range list.Items {
				note(event.Image)
			}
		}
		effect := func() importmode.Effect {
			return importmode.Effect{To: preserve, Nodes: mixed, Digests: map[string]importmode.DigestUse{}}
		}
		// What is not given holds what its events say, in this registry.
		for i := range a.stream.Spec.Tags {
			if i >= len(a.manifests) {
				a.manifests = append(a.manifests, listOf("L", content["L"]...))
			}
		}
		first := effect()
		// The lists that older events name are known by their own manifests.
		known := stream()
		var lists []importmode.Manifest
		for _, digest := range slices.Sorted(maps.Keys(content)) {
			known.Spec.Tags = append(known.Spec.Tags, imported("known-"+digest, preserve, source))
			lists = append(lists, listOf(digest, content[digest]...))
		}
		first.Add(nil, known, lists)
		before := len(images)
		fixed := a.stream.DeepCopy()
		for _, d := range first.Add(nil, a.stream, a.manifests) {
			if d.Fix != importmode.PatchNone {
				fixed.Spec.Tags[d.Index].ImportPolicy.ImportMode = preserve
			}
			if d.Fix == importmode.PatchNone && !(d.Changed && d.Mode == preserve) || d.Content != importmode.ContentList {
				continue
			}
			digest := a.manifests[d.Index].Digest
			note(digest)
			newest := imagev1.TagEvent{Image: digest}
			at := slices.IndexFunc(fixed.Status.Tags, func(l imagev1.NamedTagEventList) bool { return l.Tag == d.Name })
			if at < 0 {
				withEvents(fixed, d.Name, digest)
			} else {
				fixed.Status.Tags[at].Items = slices.Insert(fixed.Status.Tags[at].Items, 0, newest)
			}
		}
		if predicted := first.Totals.ByChange.Objects + first.Totals.ByFixes.Objects; predicted != int64(len(images)-before) {
			t.Fatalf("%d objects predicted, %d stored", predicted, len(images)-before)
		}
		second := effect()
		second.From = preserve
		second.Add(nil, known, lists)
		second.Add(nil, fixed, a.manifests)
		if diff := cmp.Diff([2]importmode.Growth{}, [2]importmode.Growth{second.Totals.ByChange, second.Totals.ByFixes}); diff != "" {
			t.Fatalf("not settled (-want +got):\n%s", diff)
		}
	})
}
