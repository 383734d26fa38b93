package importmode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

const (
	configLegacy   = configv1.ImportModeLegacy
	configPreserve = configv1.ImportModePreserveOriginal
)

func TestDecide(t *testing.T) {
	const spec, status, payload = "spec.imageStreamImportMode", "status.imageStreamImportMode", "payload"
	for _, tt := range []struct {
		name     string
		in       importmode.Input
		mode     configv1.ImportModeType
		reason   importmode.Reason
		field    string
		changes  bool
		problem  string // the bad value
		findings map[importmode.FindingCode]string
	}{{
		name: "zero input decides nothing",
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "rule 1: spec Legacy wins over a multi payload",
		in:   importmode.Input{Spec: configLegacy, Payload: payloadarch.Multi, Current: configPreserve},
		mode: configLegacy, reason: importmode.ReasonSpecOverride, field: spec, changes: true,
	}, {
		name: "rule 1: spec PreserveOriginal wins over a single payload",
		in:   importmode.Input{Spec: configPreserve, Payload: payloadarch.Single, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec,
	}, {
		name: "rule 1: spec decides while the payload is unknown",
		in:   importmode.Input{Spec: configPreserve},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec, changes: true,
	}, {
		name: "rule 2: an unknown spec keeps the current mode on a multi payload",
		in:   importmode.Input{Spec: "Whole", Payload: payloadarch.Multi, Current: configLegacy},
		mode: configLegacy, reason: importmode.ReasonInvalidSpec, field: spec, problem: "Whole",
	}, {
		name: "rule 2: modes are spelled exactly",
		in:   importmode.Input{Spec: "legacy", Payload: payloadarch.Single},
		mode: "", reason: importmode.ReasonInvalidSpec, field: spec, problem: "legacy",
	}, {
		name: "rule 3: a multi payload preserves the original",
		in:   importmode.Input{Payload: payloadarch.Multi},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload, changes: true,
	}, {
		name: "rule 3: single to multi",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configLegacy},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload, changes: true,
	}, {
		name: "rule 3: settled",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
	}, {
		name: "rule 3: homogeneous nodes suggest the override",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64")},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
		findings: map[importmode.FindingCode]string{importmode.FindingHomogeneousNodes: spec},
	}, {
		name: "rule 3: heterogeneous nodes suggest nothing",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64", "amd64")},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
	}, {
		name: "rule 1: nothing is suggested to who has set the override",
		in:   importmode.Input{Spec: configPreserve, Payload: payloadarch.Multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64")},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec,
	}, {
		name: "rule 4: a single payload is Legacy",
		in:   importmode.Input{Payload: payloadarch.Single},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
	}, {
		name: "rule 4: multi to single reverts",
		in:   importmode.Input{Payload: payloadarch.Single, Current: configPreserve},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
	}, {
		name: "rule 4: homogeneous nodes are as expected on a single payload",
		in:   importmode.Input{Payload: payloadarch.Single, Current: configLegacy, Nodes: payloadarch.SetOf("amd64")},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload,
	}, {
		name: "rule 5: an unknown payload keeps PreserveOriginal",
		in:   importmode.Input{Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "rule 5: an unknown payload keeps Legacy",
		in:   importmode.Input{Current: configLegacy},
		mode: configLegacy, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "rule 5: a kind out of range is unknown",
		in:   importmode.Input{Payload: 9, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "rule 6: an unknown payload leaves an empty status empty",
		in:   importmode.Input{Payload: payloadarch.Unknown},
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "current of no mode counts as empty: rule 6, nothing written over it",
		in:   importmode.Input{Current: "Whole"},
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}, {
		name: "current of no mode is mended by rule 4",
		in:   importmode.Input{Current: "Whole", Payload: payloadarch.Single},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}, {
		name: "everything wrong is reported at once",
		in:   importmode.Input{Spec: "All", Current: "Whole", Payload: payloadarch.Multi},
		mode: "", reason: importmode.ReasonInvalidSpec, field: spec, problem: "All",
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.Decide(tt.in)
			if got.Mode != tt.mode || got.Reason != tt.reason || got.Field != tt.field {
				t.Errorf("Decide() = %q, %s at %s; want %q, %s at %s", got.Mode, got.Reason, got.Field, tt.mode, tt.reason, tt.field)
			}
			if got.StatusChanges != tt.changes || got.RollsOut != tt.changes {
				t.Errorf("StatusChanges, RollsOut = %t, %t; want %t", got.StatusChanges, got.RollsOut, tt.changes)
			}
			var problem string
			for _, p := range got.Problems {
				if p.Type != field.ErrorTypeNotSupported || p.Field != spec {
					t.Errorf("problem %v, want NotSupported at %s", p, spec)
				}
				problem += string(p.BadValue.(configv1.ImportModeType))
			}
			if problem != tt.problem {
				t.Errorf("problem about %q, want %q", problem, tt.problem)
			}
			var findings map[importmode.FindingCode]string
			for _, f := range got.Findings {
				if findings == nil {
					findings = map[importmode.FindingCode]string{}
				}
				findings[f.Code] = f.Path
			}
			if diff := cmp.Diff(tt.findings, findings); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
