package importmode_test

import (
	"fmt"
	"testing"

	"github.com/polyarch/polyarch/importmode"
)

// Each constant has its name, and what is behind the last one is shown as a number.
func TestEffectNames(t *testing.T) {
	for value, want := range map[fmt.Stringer]string{
		importmode.ReasonNotAdded: "NotAdded", importmode.ReasonReference: "Reference", importmode.ReasonFollows: "Follows",
		importmode.ReasonNoSource: "NoSource", importmode.ReasonModeEmpty: "ModeEmpty", importmode.ReasonModeGiven: "ModeGiven",
		importmode.ReasonModeUnknown: "ModeUnknown", importmode.ReasonStatusOnly: "StatusOnly", importmode.ReasonStatusOnly + 1: "EffectReason(8)",
		importmode.ContentUnknown: "Unknown", importmode.ContentImage: "Image", importmode.ContentList: "List", importmode.ContentList + 1: "Content(3)",
		importmode.PatchNone: "None", importmode.PatchPreserveOriginal: "PreserveOriginal", importmode.PatchLegacy: "Legacy",
		importmode.PatchSource: "Source", importmode.PatchSource + 1: "Patch(4)", importmode.Patch(255): "Patch(255)",
	} {
		if got := value.String(); got != want {
			t.Errorf("%T %v: %q, want %q", value, value, got, want)
		}
	}
}
