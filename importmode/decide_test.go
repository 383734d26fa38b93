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
		name: "6: the zero input decides nothing",
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "1: spec Legacy wins over a multi payload",
		in:   importmode.Input{Spec: configLegacy, Payload: payloadarch.Multi, Current: configPreserve},
		mode: configLegacy, reason: importmode.ReasonSpecOverride, field: spec, changes: true,
	}, {
		name: "1: spec PreserveOriginal wins over a single payload",
		in:   importmode.Input{Spec: configPreserve, Payload: payloadarch.Single, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec,
	}, {
		name: "1: spec decides while the payload is unknown",
		in:   importmode.Input{Spec: configPreserve},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec, changes: true,
	}, {
		name: "2: an unknown spec keeps the current mode on a multi payload",
		in:   importmode.Input{Spec: "Whole", Payload: payloadarch.Multi, Current: configLegacy},
		mode: configLegacy, reason: importmode.ReasonInvalidSpec, field: spec, problem: "Whole",
	}, {
		name: "2: modes are spelled exactly",
		in:   importmode.Input{Spec: "legacy", Payload: payloadarch.Single},
		mode: "", reason: importmode.ReasonInvalidSpec, field: spec, problem: "legacy",
	}, {
		name: "3: a multi payload preserves the original",
		in:   importmode.Input{Payload: payloadarch.Multi},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload, changes: true,
	}, {
		name: "3: single to multi",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configLegacy},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload, changes: true,
	}, {
		name: "3: settled",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
	}, {
		name: "3,42: homogeneous nodes suggest the override",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64")},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
		findings: map[importmode.FindingCode]string{importmode.FindingHomogeneousNodes: spec},
	}, {
		name: "3,42: heterogeneous nodes suggest nothing",
		in:   importmode.Input{Payload: payloadarch.Multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64", "amd64")},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
	}, {
		name: "1,42: nothing is suggested to an administrator who has set the override",
		in:   importmode.Input{Spec: configPreserve, Payload: payloadarch.Multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64")},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec,
	}, {
		name: "4: a single payload is Legacy",
		in:   importmode.Input{Payload: payloadarch.Single},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
	}, {
		name: "4: multi to single reverts",
		in:   importmode.Input{Payload: payloadarch.Single, Current: configPreserve},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
	}, {
		name: "4,42: homogeneous nodes are as expected on a single payload",
		in:   importmode.Input{Payload: payloadarch.Single, Current: configLegacy, Nodes: payloadarch.SetOf("amd64")},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload,
	}, {
		name: "5: an unknown payload keeps PreserveOriginal",
		in:   importmode.Input{Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "5: an unknown payload keeps Legacy",
		in:   importmode.Input{Current: configLegacy},
		mode: configLegacy, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "5: a kind out of range is unknown",
		in:   importmode.Input{Payload: 9, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "6: an unknown payload leaves an empty status empty",
		in:   importmode.Input{Payload: payloadarch.Unknown},
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "6,37: a current value that is no mode counts as empty, and nothing is written over it",
		in:   importmode.Input{Current: "Whole"},
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}, {
		name: "4,37: a current value that is no mode is replaced",
		in:   importmode.Input{Current: "Whole", Payload: payloadarch.Single},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}, {
		name: "2,37: everything wrong is reported at once",
		in:   importmode.Input{Spec: "All", Current: "Whole", Payload: payloadarch.Multi},
		mode: "", reason: importmode.ReasonInvalidSpec, field: spec, problem: "All",
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			got := importmode.Decide(tt.in)
			if got.Mode != tt.mode || got.Reason != tt.reason || got.Field != tt.field {
				t.Errorf("Decide() = %q, %s at %s; want %q, %s at %s", got.Mode, got.Reason, got.Field, tt.mode, tt.reason, tt.field)
			}
			if got.StatusChanges != tt.changes {
				t.Errorf("StatusChanges = %t, want %t", got.StatusChanges, tt.changes)
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
