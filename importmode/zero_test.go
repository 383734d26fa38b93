package importmode_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/internal/zerotest"
	"github.com/polyarch/polyarch/payloadarch"
)

func TestZeroValues(t *testing.T) {
	ignored := importmode.TagDecision{
		Import: legacy, Store: "Whole", Reason: importmode.ReasonStored, New: true, Changed: true,
		LegacyIgnored: true, UnknownStored: true, UnknownCluster: true, LegacyOverPreserveOriginal: true,
	}
	zerotest.Check(t,
		importmode.Input{}, importmode.Input{Spec: configLegacy, Current: configPreserve, Payload: multi, Nodes: payloadarch.SetOf("amd64")},
		importmode.Decision{}, importmode.Decide(importmode.Input{Spec: "All", Current: "Whole"}),
		importmode.Reason(""), importmode.EvaluationReason(""), importmode.ObservationReason(""),
		importmode.TagReason(0), importmode.ReasonGiven, importmode.TagReason(255),
		importmode.Evaluation{}, importmode.Evaluate(configLegacy),
		importmode.Observation{}, importmode.Observation{
			Config: observed("Legacy"), Changed: true, Event: &importmode.Event{Reason: "r", Message: "m"}, Reason: importmode.ReasonObserved,
		},
		importmode.Event{},
		importmode.Options{},
		importmode.TagDecision{}, ignored,
		importmode.DecidedTag{}, importmode.DecidedTag{Name: "v1", TagDecision: ignored},
		importmode.Finding{}, importmode.FindingCode(""), ignored.Findings(field.NewPath("tag"))[0],
		importmode.UnknownModeError{}, importmode.UnknownModeError{Object: "o", Field: "f", Value: "v", Allowed: []string{"a"}, Consequence: "c"},
		importmode.ConfigTypeError{}, importmode.ConfigTypeError{Field: "f", Found: "string", Want: "object"},
		importmode.ListError{},
		importmode.Effect{}, importmode.Effect{From: legacy, To: preserve, Nodes: payloadarch.SetOf("amd64", "arm64"), Digests: map[string]importmode.DigestUse{}},
		importmode.EffectTotals{}, importmode.Growth{}, importmode.DigestUse{},
		importmode.TagEffect{}, importmode.TagEffect{Name: "v1", Fix: importmode.PatchPreserveOriginal},
		importmode.Manifest{}, importmode.Manifest{Digest: "sha256:0", Children: []importmode.Child{{}}}, importmode.Child{},
		importmode.EffectReason(0), importmode.ReasonStatusOnly, importmode.EffectReason(255),
		importmode.Content(0), importmode.ContentList, importmode.Content(255),
		importmode.Patch(0), importmode.PatchSource, importmode.Patch(255),
	)
}

// An error that was never filled in blames nobody.
func TestZeroErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&importmode.UnknownModeError{}, `unknown import mode ""`},
		{&importmode.ConfigTypeError{Found: "array"}, "existing observed config has the wrong type; nothing is written"},
		{&importmode.ConfigTypeError{Want: "string"}, "existing observed config has the wrong type; nothing is written"},
		{&importmode.ConfigTypeError{}, "existing observed config has the wrong type; nothing is written"},
		{&importmode.ListError{}, "image.config.openshift.io/cluster could not be read; the observed mode is kept"},
		{&importmode.ConfigTypeError{Field: "a.b", Found: "array", Want: "string"}, "existing observed config: a.b is of type array, must be string; nothing is written"},
		{&importmode.ListError{Err: errors.New("not synced")}, "image.config.openshift.io/cluster could not be read: not synced; the observed mode is kept"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%T says %q, want %q", tt.err, got, tt.want)
		}
	}
}
