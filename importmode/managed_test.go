package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestDefaultManagedImageStream(t *testing.T) {
	for _, tt := range []struct {
		name     string
		manifest imagev1.ImportModeType
		existing *imagev1.ImageStream
		want     verdict
	}{
		{"30: Legacy in the manifest of a new stream", legacy, nil,
			verdict{Import: legacy, Store: legacy, Reason: importmode.ReasonGiven, New: true}},
		{"30: PreserveOriginal in the manifest over Legacy", preserve, stream(tag("v1", legacy)),
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonGiven, Changed: true}},
		{"30: Legacy over PreserveOriginal is a finding", legacy, stream(tag("v1", preserve)),
			verdict{Import: legacy, Store: legacy, Reason: importmode.ReasonGiven, Changed: true, Finding: importmode.FindingLegacyOverPreserveOriginal}},
		{"30: Legacy over Legacy is no finding", legacy, stream(tag("v1", legacy)),
			verdict{Import: legacy, Store: legacy, Reason: importmode.ReasonGiven}},
		{"30: Legacy over an empty mode is no change", legacy, stream(tag("v1", "")),
			verdict{Import: legacy, Store: legacy, Reason: importmode.ReasonGiven}},
		{"30,40: a value that is no mode is left for validation", "Whole", stream(tag("v1", preserve)),
			verdict{Import: preserve, Store: "Whole", Reason: importmode.ReasonGiven, Changed: true}},
		{"31: new stream", "", nil,
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonManaged, New: true}},
		{"31: appended tag", "", stream(tag("v0", legacy)),
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonManaged, New: true}},
		{"31: existing PreserveOriginal stays", "", stream(tag("v1", preserve)),
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonManaged}},
		{"31: existing Legacy goes", "", stream(tag("v1", legacy)),
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonManaged, Changed: true}},
		{"31: existing empty mode goes", "", stream(tag("v1", "")),
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonManaged, Changed: true}},
		{"31: existing value that is no mode goes", "", stream(tag("v1", "Whole")),
			verdict{Import: preserve, Store: preserve, Reason: importmode.ReasonManaged, Changed: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stored, isStored := storedMode(tt.existing, "v1")
			if diff := cmp.Diff(tt.want, verdictOf(importmode.DefaultManagedTag(tt.manifest, stored, isStored))); diff != "" {
				t.Errorf("tag (-want +got):\n%s", diff)
			}
			got := importmode.DefaultManagedImageStream(nil, stream(tag("v1", tt.manifest)), tt.existing)
			if diff := cmp.Diff([]verdict{tt.want}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("37: tags of others are not decided", func(t *testing.T) {
		got := importmode.DefaultManagedImageStream(nil, stream(tag("b", "")), stream(tag("a", legacy), tag("b", legacy), tag("c", "")))
		if len(got) != 1 || got[0].Name != "b" || got[0].New {
			t.Errorf("%+v", got)
		}
	})
	t.Run("nil manifest", func(t *testing.T) {
		if got := importmode.DefaultManagedImageStream(nil, nil, stream(tag("a", legacy))); got != nil {
			t.Errorf("%+v", got)
		}
	})
}
