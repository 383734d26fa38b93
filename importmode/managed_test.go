package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// What stands beside the modes of a managed stream.
func TestDefaultManagedImageStream(t *testing.T) {
	for _, tt := range importmodetest.ManagedCases() {
		t.Run(tt.Rule+": "+tt.Name, func(t *testing.T) {
			given, want := tt.Manifest.Spec.Tags[0].ImportPolicy.ImportMode, tt.Want[0].Mode
			stored, isStored := storedMode(tt.Existing, "v1")
			v := verdict{Import: want, Store: want, Reason: importmode.ReasonManaged, New: !isStored}
			if given != "" {
				v.Reason = importmode.ReasonGiven
			}
			v.Changed = isStored && importmodetest.Oracle().ModeChanged(stored, want)
			if stored == preserve && want == legacy {
				v.Finding = importmode.FindingLegacyOverPreserveOriginal
			}
			if diff := cmp.Diff(v, verdictOf(importmode.DefaultManagedTag(given, stored, isStored))); diff != "" {
				t.Errorf("tag (-want +got):\n%s", diff)
			}
			got := importmode.DefaultManagedImageStream(nil, tt.Manifest, tt.Existing)
			if diff := cmp.Diff([]verdict{v}, verdicts(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("30,40: a value that is no mode is left for validation", func(t *testing.T) {
		want := verdict{Import: preserve, Store: "Whole", Reason: importmode.ReasonGiven, Changed: true}
		if diff := cmp.Diff(want, verdictOf(importmode.DefaultManagedTag("Whole", preserve, true))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("nil manifest", func(t *testing.T) {
		if got := importmode.DefaultManagedImageStream(nil, nil, stream(tag("a", legacy))); got != nil {
			t.Errorf("%+v", got)
		}
	})
}
