package importmode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// imported is a tag that is imported from a registry.
func imported(name string, mode imagev1.ImportModeType, policy imagev1.TagReferencePolicyType) imagev1.TagReference {
	t := tag(name, mode)
	t.From = &corev1.ObjectReference{Kind: "DockerImage", Name: "registry.example.com/x/y:" + name}
	t.ReferencePolicy.Type = policy
	return t
}

// following is a tag whose from is of another kind.
func following(name, kind string) imagev1.TagReference {
	t := tag(name, legacy)
	t.From = &corev1.ObjectReference{Kind: kind, Name: "other"}
	return t
}

// withEvents adds the events of a tag to a stream, the newest first.
func withEvents(s *imagev1.ImageStream, tag string, images ...string) *imagev1.ImageStream {
	list := imagev1.NamedTagEventList{Tag: tag}
	for _, image := range images {
		list.Items = append(list.Items, imagev1.TagEvent{Image: image})
	}
	s.Status.Tags = append(s.Status.Tags, list)
	return s
}

const (
	source = imagev1.SourceTagReferencePolicy
	local  = imagev1.LocalTagReferencePolicy
)

var mixed = payloadarch.SetOf("amd64", "arm64")

func listOf(digest string, children ...importmode.Child) importmode.Manifest {
	return importmode.Manifest{Digest: digest, Children: children}
}

// shown is a verdict in one line, without what is as it is for most tags.
func shown(d importmode.TagEffect) string {
	parts := []string{fmt.Sprint(d.Name, " ", d.Index, " ", d.Reason)}
	add := func(when bool, text string) {
		if when {
			parts = append(parts, text)
		}
	}
	add(d.Mode != "", string(d.Mode))
	add(d.Changed, "changed")
	add(d.Content != importmode.ContentUnknown, d.Content.String())
	add(d.Fix != importmode.PatchNone, "fix "+d.Fix.String())
	add(d.Reverse != importmode.PatchNone, "reverse "+d.Reverse.String())
	add(d.ReverseBytes != importmode.PatchNone, "bytes "+d.ReverseBytes.String())
	add(d.Objects != 0 || d.Bytes != 0, fmt.Sprintf("adds %d, %d B", d.Objects, d.Bytes))
	add(d.BytesUnknown, "bytes unknown")
	add(d.LayersGone, "layers gone")
	return strings.Join(parts, "; ")
}

func TestEffectOnATag(t *testing.T) {
	reference := imported("v1", legacy, source)
	reference.Reference = true
	unknownReference := imported("v1", "Whole", source)
	unknownReference.Reference = true
	four := listOf("L", importmode.Child{"a", 10}, importmode.Child{"b", 20}, importmode.Child{"c", 30}, importmode.Child{"d", 40})
	one := func(r imagev1.TagReference, images ...string) *imagev1.ImageStream {
		if len(images) == 0 {
			return stream(r)
		}
		return withEvents(stream(r), r.Name, images...)
	}
	toWhole := importmode.Effect{From: legacy, To: preserve, Nodes: mixed}
	sameNodes := importmode.Effect{From: legacy, To: preserve, Nodes: payloadarch.SetOf("arm64")}
	toLegacy := importmode.Effect{From: preserve, To: legacy, Nodes: mixed}
	for _, tt := range []struct {
		name     string
		effect   importmode.Effect
		stream   *imagev1.ImageStream
		manifest importmode.Manifest
		want     string
	}{
		{"47: a pushed tag", toWhole, withEvents(stream(), "v1", "a"), four, "v1 -1 StatusOnly"},
		{"48: a reference", toWhole, one(reference), four, "v1 0 Reference"},
		{"48: a reference with a value that is no mode", toWhole, one(unknownReference), four, "v1 0 Reference"},
		{"49: a tag that follows a tag", toWhole, one(following("v1", "ImageStreamTag")), four, "v1 0 Follows"},
		{"49: a tag that follows an image", toWhole, one(following("v1", "ImageStreamImage")), four, "v1 0 Follows"},
		{"50: no from", toWhole, one(imagev1.TagReference{Name: "v1"}), four, "v1 0 NoSource"},
		{"50: a from of no kind", toWhole, one(following("v1", "")), four, "v1 0 NoSource"},
		{"51: without a mode, on nodes alike", sameNodes, one(imported("v1", "", source), "a"), four,
			"v1 0 ModeEmpty; Legacy; List"},
		{"52: Legacy, on nodes alike", sameNodes, one(imported("v1", legacy, source), "a"), four,
			"v1 0 ModeGiven; Legacy; List"},
		{"52,56: PreserveOriginal after the cluster goes back", toLegacy, one(imported("v1", preserve, source), "L"), four,
			"v1 0 ModeGiven; PreserveOriginal; List; reverse Legacy"},
		{"53,54: no mode, the cluster changes", sameNodes, one(imported("v1", "Whole", source), "a"), four,
			"v1 0 ModeUnknown; PreserveOriginal; changed; List; reverse Legacy; adds 4, 0 B; layers gone"},
		{"53,54: no mode, the cluster goes back", importmode.Effect{From: preserve, To: legacy}, one(imported("v1", "Whole", source), "L"), four,
			"v1 0 ModeUnknown; Legacy; changed; List"},
		{"54: no mode, the cluster does not change", importmode.Effect{From: preserve, To: preserve}, one(imported("v1", "Whole", source), "L"), four,
			"v1 0 ModeUnknown; PreserveOriginal; List; reverse Legacy"},
		{"54: empty is Legacy, and so is no mode", importmode.Effect{From: "", To: "Whole"}, one(imported("v1", "Whole", source), "a"), four,
			"v1 0 ModeUnknown; Legacy; List"},
		{"55,56: stays Legacy on mixed nodes", toWhole, one(imported("v1", legacy, source), "a"), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; adds 4, 0 B; layers gone"},
		{"55: without a mode", toWhole, one(imported("v1", "", source), "a"), four,
			"v1 0 ModeEmpty; Legacy; List; fix PreserveOriginal; reverse Legacy; adds 4, 0 B; layers gone"},
		{"55: no mode, and Legacy after", toLegacy, one(imported("v1", "Whole", source), "L"), four,
			"v1 0 ModeUnknown; Legacy; changed; List; fix PreserveOriginal; reverse Legacy"},
		{"55: nodes that are not known", importmode.Effect{To: preserve}, one(imported("v1", legacy, source), "a"), four,
			"v1 0 ModeGiven; Legacy; List"},
		{"57: PreserveOriginal and Local", toWhole, one(imported("v1", preserve, local), "L"), four,
			"v1 0 ModeGiven; PreserveOriginal; List; reverse Legacy; bytes Source"},
		{"59: no manifest", toWhole, one(imported("v1", legacy, local), "a"), importmode.Manifest{},
			"v1 0 ModeGiven; Legacy; fix PreserveOriginal; reverse Legacy; bytes Source"},
		{"59: children of a list without a digest", toWhole, one(imported("v1", legacy, source), "a"), listOf("", importmode.Child{"a", 1}),
			"v1 0 ModeGiven; Legacy; fix PreserveOriginal; reverse Legacy"},
		{"59: a child without a digest", toWhole, one(imported("v1", legacy, source), "a"), listOf("L", importmode.Child{"a", 1}, importmode.Child{"", 1}),
			"v1 0 ModeGiven; Legacy; fix PreserveOriginal; reverse Legacy"},
		{"60: a single image", toWhole, one(imported("v1", legacy, local), "a"), listOf("b"),
			"v1 0 ModeGiven; Legacy; Image"},
		{"60: a single image that is imported by the new mode", toWhole, one(imported("v1", "Whole", local), "a"), listOf("b"),
			"v1 0 ModeUnknown; PreserveOriginal; changed; Image"},
		{"61: nothing is stored", toWhole, one(imported("v1", legacy, source)), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; adds 5, 0 B"},
		{"61: an older event names a child", toWhole, one(imported("v1", legacy, source), "z", "d", "a"), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; adds 3, 0 B; layers gone"},
		{"61,62: an older event names the list", toWhole, one(imported("v1", legacy, source), "a", "L"), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; layers gone"},
		{"61: one child twice", toWhole, one(imported("v1", legacy, local), "z"), listOf("L", importmode.Child{"a", 1}, importmode.Child{"a", 7}),
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; bytes Source; adds 2, 7 B; layers gone"},
		{"62: the newest event is the list", toWhole, one(imported("v1", legacy, source), "L", "a"), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy"},
		{"62: the newest event names nothing", toWhole, one(imported("v1", legacy, source), ""), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; adds 5, 0 B"},
		{"63: Local", toWhole, one(imported("v1", legacy, local), "a"), four,
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; bytes Source; adds 4, 90 B; layers gone"},
		{"63: Source copies nothing, and asks for no size", toWhole, one(imported("v1", legacy, source), "a"), listOf("L", importmode.Child{"b", 9}, importmode.Child{"c", 0}),
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; adds 3, 0 B; layers gone"},
		{"63: sizes that are not known", toWhole, one(imported("v1", legacy, local), "a"),
			listOf("L", importmode.Child{"a", 0}, importmode.Child{"b", 0}, importmode.Child{"c", -5}, importmode.Child{"d", 1<<40 + 1}, importmode.Child{"e", 1 << 40}),
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; bytes Source; adds 5, 1099511627776 B; bytes unknown; layers gone"},
		{"63: a size of a stored child is not asked for", toWhole, one(imported("v1", legacy, local), "a"),
			listOf("L", importmode.Child{"a", 0}, importmode.Child{"b", 3}),
			"v1 0 ModeGiven; Legacy; List; fix PreserveOriginal; reverse Legacy; bytes Source; adds 2, 3 B; layers gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.effect.Add(nil, tt.stream, []importmode.Manifest{tt.manifest})
			if len(got) != 1 {
				t.Fatalf("%d verdicts", len(got))
			}
			if s := shown(got[0]); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

// The patches are applied as an API server applies them.
func TestEffectPatches(t *testing.T) {
	s := stream(imported("a", legacy, local), imported(`b"/~`, legacy, local))
	e := importmode.Effect{To: preserve, Nodes: mixed}
	tags := e.Add(nil, withEvents(s, "pushed", "x"), nil)
	for _, tt := range []struct {
		name  string
		tag   int
		patch importmode.Patch
		want  string
	}{
		{"58: the fix", 0, tags[0].Fix, `[{"op":"test","path":"/spec/tags/0/name","value":"a"},{"op":"add","path":"/spec/tags/0/importPolicy/importMode","value":"PreserveOriginal"}]`},
		{"58: its reverse", 1, tags[1].Reverse, `[{"op":"test","path":"/spec/tags/1/name","value":"b\"/~"},{"op":"add","path":"/spec/tags/1/importPolicy/importMode","value":"Legacy"}]`},
		{"58: its bytes", 0, tags[0].ReverseBytes, `[{"op":"test","path":"/spec/tags/0/name","value":"a"},{"op":"add","path":"/spec/tags/0/referencePolicy/type","value":"Source"}]`},
		{"58: none", 0, importmode.PatchNone, ""},
		{"58: no such patch", 0, importmode.Patch(9), ""},
		{"58: a tag that is not in the spec", 2, importmode.PatchLegacy, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tags[tt.tag].JSONPatch(tt.patch)
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	// The paths are there in what a server serves, also where the fields are empty.
	var served struct {
		Spec struct {
			Tags []map[string]any `json:"tags"`
		} `json:"spec"`
	}
	text, err := json.Marshal(stream(tag("a", "")))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &served); err != nil {
		t.Fatal(err)
	}
	for _, parent := range []string{"importPolicy", "referencePolicy"} {
		if _, ok := served.Spec.Tags[0][parent].(map[string]any); !ok {
			t.Errorf("a tag has no %s to patch: %s", parent, text)
		}
	}
}

func TestEffectTotals(t *testing.T) {
	four := listOf("L", importmode.Child{"a", 10}, importmode.Child{"b", 20}, importmode.Child{"c", 30}, importmode.Child{"d", 40})
	unsized := listOf("M", importmode.Child{"a", 10}, importmode.Child{"e", 0})
	first := withEvents(stream(imported("v1", legacy, local), imported("v2", "Whole", local), imported("v3", "", source)), "v1", "a")
	second := withEvents(withEvents(stream(imported("v1", legacy, local)), "v1", "b"), "pushed", "c")
	second.Spec.DockerImageRepository = "registry.example.com/x/y"
	manifests := []importmode.Manifest{four, unsized}
	for _, tt := range []struct {
		name    string
		digests map[string]importmode.DigestUse
		want    importmode.EffectTotals
	}{
		{"59,63,64,66: sums", nil, importmode.EffectTotals{
			Streams: 2, Tags: 5, Repositories: 1, Changed: 1,
			Reasons: [...]int64{importmode.ReasonModeEmpty: 1, importmode.ReasonModeGiven: 2, importmode.ReasonModeUnknown: 1, importmode.ReasonStatusOnly: 1},
			// v2: M, a and e.
			ByChange: importmode.Growth{Tags: 1, Objects: 3, Bytes: 10, BytesUnknown: 1},
			// v1 twice: L and what is not stored. v3 is not known.
			ByFixes: importmode.Growth{Tags: 3, Unknown: 1, Objects: 4 + 4, Bytes: 90 + 80, LayersGone: 2},
		}},
		{"65: remembered", map[string]importmode.DigestUse{}, importmode.EffectTotals{
			Streams: 2, Tags: 5, Repositories: 1, Changed: 1,
			Reasons: [...]int64{importmode.ReasonModeEmpty: 1, importmode.ReasonModeGiven: 2, importmode.ReasonModeUnknown: 1, importmode.ReasonStatusOnly: 1},
			// M and e: a is stored, and pulled.
			ByChange: importmode.Growth{Tags: 1, Objects: 2, BytesUnknown: 1},
			// L and d: a and b are stored, c was pushed.
			ByFixes: importmode.Growth{Tags: 3, Unknown: 1, Objects: 2, Bytes: 40, LayersGone: 2},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := importmode.Effect{From: legacy, To: preserve, Nodes: mixed, Digests: tt.digests}
			e.Add(nil, first, manifests)
			e.Add(nil, nil, nil)
			e.Add(nil, second, manifests[:1])
			if diff := cmp.Diff(tt.want, e.Totals); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The sizes that tags give one image differ where some callers do not know them.
func TestEffectTakesTheLargestSize(t *testing.T) {
	sized := func(size int64, policy imagev1.TagReferencePolicyType) (*imagev1.ImageStream, []importmode.Manifest) {
		return stream(imported("v1", legacy, policy)), []importmode.Manifest{listOf("L", importmode.Child{"a", size})}
	}
	e := importmode.Effect{Nodes: mixed, Digests: map[string]importmode.DigestUse{}}
	for _, tt := range []struct {
		name   string
		size   int64
		policy imagev1.TagReferencePolicyType
		want   int64
	}{
		{"65: not known", 0, local, 0},
		{"65: known later", 10, local, 10},
		{"65: a smaller one", 4, local, 10},
		{"65: not known any more", 0, local, 10},
		{"65: a larger one", 12, local, 12},
		{"65: another size of a tag that copies nothing", 50, source, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, manifests := sized(tt.size, tt.policy)
			e.Add(nil, s, manifests)
			if got := e.Totals.ByFixes; got.Bytes != tt.want || got.Objects != 2 {
				t.Errorf("%+v, want %d bytes", got, tt.want)
			}
		})
	}
}

// What a stored list is made of is stored too, whichever stream tells first.
func TestEffectKnowsTheChildrenOfStoredLists(t *testing.T) {
	list := listOf("L", importmode.Child{"a", 10}, importmode.Child{"b", 20})
	bigger := listOf("M", importmode.Child{"a", 10}, importmode.Child{"b", 20}, importmode.Child{"c", 30})
	holds := withEvents(stream(imported("v1", preserve, local)), "v1", "L")
	lists := stream(imported("v1", legacy, local))
	for name, order := range map[string][]int{"told before": {0, 1, 2}, "told after": {2, 1, 0}, "told between": {2, 0, 1}, "wanted first": {1, 2, 0}} {
		e := importmode.Effect{To: preserve, Nodes: mixed, Digests: map[string]importmode.DigestUse{}}
		for _, i := range order {
			switch i {
			case 0: // its manifest is not given
				e.Add(nil, holds, nil)
			case 1:
				e.Add(nil, lists, []importmode.Manifest{bigger})
			case 2:
				e.Add(nil, lists, []importmode.Manifest{list})
			}
		}
		want := importmode.Growth{Tags: 2, Objects: 2, Bytes: 30} // M and c
		if diff := cmp.Diff(want, e.Totals.ByFixes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
