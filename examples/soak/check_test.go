package main

import (
	"testing"

	"github.com/polyarch/polyarch/examples/audit/report"
)

// TestCompareServed gives it an answer that is not what is stored.
func TestCompareServed(t *testing.T) {
	stored := map[string]*stream{"s": ones("7", "1", "x", legacy)}
	for name, served := range map[string]map[string]*stream{
		"nothing":         {},
		"another mode":    {"s": ones("7", "1", "x", preserve)},
		"another version": {"s": ones("6", "1", "x", legacy)},
		"one more":        {"s": stored["s"], "t": stored["s"]},
	} {
		if wrong := compareServed(served, stored); len(wrong) != 1 || wrong[0].Invariant != servedAsStored {
			t.Errorf("%s: %v, want one violation", name, wrong)
		}
	}
	if wrong := compareServed(stored, stored); wrong != nil {
		t.Errorf("the same: %v", wrong)
	}
}

// TestImports gives the journal imports that are not what the registry has.
func TestImports(t *testing.T) {
	imported := func(mode string, image, failed string) *stream {
		s := ones("7", "1", "x", legacy)
		if mode == "PreserveOriginal" {
			s = ones("7", "1", "x", preserve)
		}
		a := s.tags["a"]
		a.image, a.failed = image, failed
		s.tags["a"] = a
		return s
	}
	asks := func(mode string) *stream {
		s := imported(mode, "old", "")
		a := s.tags["a"]
		a.expects = images{legacy: "child", preserve: "list"}
		s.tags["a"] = a
		return s
	}
	const image, failed = asInRegistry + "|status.tags[a].items[0].image|", asInRegistry + "|status.tags[a].conditions[ImportSuccess]|"
	for _, tc := range []struct {
		name      string
		want, got *stream
		wrong     []string
	}{
		{"Legacy", asks("Legacy"), imported("Legacy", "child", ""), nil},
		{"PreserveOriginal", asks("PreserveOriginal"), imported("PreserveOriginal", "list", ""), nil},
		{"Legacy that stored the list", asks("Legacy"), imported("Legacy", "list", ""), []string{image + "child|list"}},
		{"PreserveOriginal that stored one image", asks("PreserveOriginal"), imported("PreserveOriginal", "child", ""), []string{image + "list|child"}},
		{"the image of before", asks("Legacy"), imported("Legacy", "old", ""), []string{image + "child|old"}},
		{"failed though it is there", asks("Legacy"), imported("Legacy", "child", "NotFound"), []string{failed + "|NotFound"}},
		{"not failed though it is not there", imported("Legacy", "", "NotFound"), imported("Legacy", "", ""), []string{failed + "NotFound|"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := newJournal()
			j.ask("s", tc.want)
			expect(t, j.acknowledge("s", tc.got, nil), tc.wrong)
		})
	}
	stored := map[string]*stream{"s": imported("PreserveOriginal", "list", "")}
	lists := map[string][]string{"list": {"child", "other"}}
	for _, tc := range []struct {
		name   string
		images map[string]bool
		wrong  []string
	}{
		{"all there", map[string]bool{"list": true, "child": true, "other": true}, nil},
		{"the list is missing", map[string]bool{"child": true, "other": true}, []string{pointsToImages + "|status.tags[a]|list|no such image"}},
		{"an image of it is missing", map[string]bool{"list": true, "child": true}, []string{pointsToImages + "|status.tags[a]|other|no such image"}},
	} {
		t.Run(tc.name, func(t *testing.T) { expect(t, compareImages(stored, tc.images, lists), tc.wrong) })
	}
}

// TestCompareAudit gives it a report that counts something else.
func TestCompareAudit(t *testing.T) {
	stored := map[string]*stream{"s": ones("7", "1", "x", legacy), "t": ones("8", "1", "x", preserve)}
	says := func(tags, stay string) *report.Report {
		return &report.Report{Sections: []report.Section{{Name: "imagestreams", Decisions: []report.Decision{
			{Name: "tags", Answer: tags}, {Name: "tags that stay Legacy although nodes are of several architectures", Answer: stay},
		}}}}
	}
	for _, tc := range []struct {
		tags, stay string
		wrong      int
	}{
		{"2 in 2 image streams", "1", 0}, {"3 in 2 image streams", "1", 1}, {"2 in 2 image streams", "0", 1}, {"", "", 2},
	} {
		if wrong := compareAudit(says(tc.tags, tc.stay), stored); len(wrong) != tc.wrong {
			t.Errorf("%q, %q: %v, want %d violations", tc.tags, tc.stay, wrong, tc.wrong)
		}
	}
}
