package importmode_test

import (
	"testing"

	"github.com/polyarch/polyarch/importmode"
)

func TestUsedChild(t *testing.T) {
	list := listOf("L", importmode.Child{"a", 1}, importmode.Child{"b", 1})
	for _, tt := range []struct {
		name  string
		used  string
		named []string
		lists []importmode.Manifest
		want  string
	}{
		{"68: a child of a list that an event names", "b", []string{"x", "L"}, []importmode.Manifest{listOf("x"), list}, "L"},
		{"68: an event names the child too", "b", []string{"L", "b"}, []importmode.Manifest{list}, ""},
		{"68: the list itself", "L", []string{"L"}, []importmode.Manifest{list}, ""},
		{"68: no event names the list", "b", []string{"x"}, []importmode.Manifest{list}, ""},
		{"68: no child of the list", "c", []string{"L"}, []importmode.Manifest{list}, ""},
		{"68: a list that is not known", "b", []string{"L"}, nil, ""},
		{"59,68: a child of a list another child of which has no digest", "a", []string{"L"}, []importmode.Manifest{listOf("L", importmode.Child{"a", 1}, importmode.Child{"", 1})}, ""},
		{"59,68: a child of a list without a digest", "a", []string{""}, []importmode.Manifest{listOf("", importmode.Child{"a", 1})}, ""},
		{"68: nothing is used", "", []string{"L"}, []importmode.Manifest{listOf("L", importmode.Child{"", 1})}, ""},
		{"68: of several lists the first", "a", []string{"L", "M"}, []importmode.Manifest{listOf("M", importmode.Child{"a", 1}), list}, "M"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := importmode.UsedChild(tt.used, tt.named, tt.lists)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("%q, %v; want %q", got, ok, tt.want)
			}
		})
	}
}

// An image is told to go with its list once, for each way in which it can be told.
func TestUsedChildAgainstTheRule(t *testing.T) {
	digests := []string{"", "a", "b", "L", "M"}
	for _, used := range digests {
		for mask := range 1 << len(digests) {
			var named []string
			for i, d := range digests {
				if mask>>i&1 == 1 {
					named = append(named, d)
				}
			}
			lists := []importmode.Manifest{listOf("L", importmode.Child{"a", 1}), listOf("M", importmode.Child{"a", 1}, importmode.Child{"b", 1}), listOf("b")}
			want := ""
			names := map[string]bool{}
			for _, n := range named {
				names[n] = true
			}
			switch {
			case names[used]:
			case used == "a" && names["L"]:
				want = "L"
			case (used == "a" || used == "b") && names["M"]:
				want = "M"
			}
			if got, _ := importmode.UsedChild(used, named, lists); got != want {
				t.Errorf("%q among %q: %q, want %q", used, named, got, want)
			}
		}
	}
}
