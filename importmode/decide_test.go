package importmode_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
	"github.com/polyarch/polyarch/payloadarch"
)

const (
	configLegacy   = configv1.ImportModeLegacy
	configPreserve = configv1.ImportModePreserveOriginal
)

// The verdicts of payloadarch that Decide tells apart, but for the zero one.
var (
	single     = payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled}
	installing = payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling}
	multi      = payloadarch.Verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported}
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
		name: "7: the zero input decides nothing",
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "5,67: a single payload on nodes of several architectures",
		in:   importmode.Input{Payload: single, Current: configLegacy, Nodes: payloadarch.SetOf("amd64", "arm64"), NodesIncomplete: true},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload,
		findings: map[importmode.FindingCode]string{importmode.FindingHeterogeneousNodes: payload},
	}, {
		name: "4,67: an installation is not done",
		in:   importmode.Input{Payload: installing, Current: configLegacy, Nodes: payloadarch.SetOf("amd64", "arm64")},
		mode: configLegacy, reason: importmode.ReasonInstalling, field: payload,
	}, {
		name: "1,67: nothing is said to an administrator who has set the override",
		in:   importmode.Input{Spec: configLegacy, Payload: single, Current: configLegacy, Nodes: payloadarch.SetOf("amd64", "arm64")},
		mode: configLegacy, reason: importmode.ReasonSpecOverride, field: spec,
	}, {
		name: "3,45: homogeneous nodes suggest the override",
		in:   importmode.Input{Payload: multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64")},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
		findings: map[importmode.FindingCode]string{importmode.FindingHomogeneousNodes: spec},
	}, {
		name: "1,45: nothing is suggested to an administrator who has set the override",
		in:   importmode.Input{Spec: configPreserve, Payload: multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64")},
		mode: configPreserve, reason: importmode.ReasonSpecOverride, field: spec,
	}, {
		name: "3,45: an incomplete set of nodes suggests nothing",
		in:   importmode.Input{Payload: multi, Current: configPreserve, Nodes: payloadarch.SetOf("arm64"), NodesIncomplete: true},
		mode: configPreserve, reason: importmode.ReasonMultiPayload, field: payload,
	}, {
		name: "4,39: a current value that is no mode counts as empty during an installation",
		in:   importmode.Input{Payload: installing, Current: "Whole"},
		mode: configLegacy, reason: importmode.ReasonInstalling, field: payload, changes: true,
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}, {
		name: "4,6: Installing counts beside Single only",
		in:   importmode.Input{Payload: payloadarch.Verdict{Reason: payloadarch.ReasonInstalling}},
		mode: "", reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "6: a kind out of range is unknown",
		in:   importmode.Input{Payload: payloadarch.Verdict{Kind: 9}, Current: configPreserve},
		mode: configPreserve, reason: importmode.ReasonPayloadUnknown, field: payload,
	}, {
		name: "5,39: a current value that is no mode is replaced",
		in:   importmode.Input{Current: "Whole", Payload: single},
		mode: configLegacy, reason: importmode.ReasonSinglePayload, field: payload, changes: true,
		findings: map[importmode.FindingCode]string{importmode.FindingUnknownCurrent: status},
	}, {
		name: "2,39: everything wrong is reported at once",
		in:   importmode.Input{Spec: "All", Current: "Whole", Payload: multi},
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

// What stands beside the mode: each rule has its reason, and its field.
func TestDecisionReasons(t *testing.T) {
	verdicts := map[importmodetest.Payload]payloadarch.Verdict{
		importmodetest.PayloadSingle: single, importmodetest.PayloadInstalling: installing, importmodetest.PayloadMulti: multi,
	}
	reasons := map[string]importmode.Reason{
		"spec-wins":                      importmode.ReasonSpecOverride,
		"unknown-spec-keeps-current":     importmode.ReasonInvalidSpec,
		"multi-preserves":                importmode.ReasonMultiPayload,
		"installing-fills":               importmode.ReasonInstalling,
		"single-is-legacy":               importmode.ReasonSinglePayload,
		"unknown-payload-keeps-current":  importmode.ReasonPayloadUnknown,
		"unknown-payload-writes-nothing": importmode.ReasonPayloadUnknown,
	}
	for _, tt := range importmodetest.DecideCases() {
		reason, ok := reasons[tt.Rule]
		if !ok {
			continue // of any reason
		}
		t.Run(tt.Rule+": "+tt.Name, func(t *testing.T) {
			field := "payload"
			if tt.Spec != "" {
				field = "spec.imageStreamImportMode"
			}
			got := importmode.Decide(importmode.Input{Spec: tt.Spec, Current: tt.Current, Payload: verdicts[tt.Payload]})
			changes := tt.Want != "" && tt.Want != tt.Current
			if got.Reason != reason || got.Field != field || got.StatusChanges != changes || len(got.Findings) > 0 {
				t.Errorf("%+v, want %s at %s, changes %t", got, reason, field, changes)
			}
		})
	}
}

// The texts of a decision name the object and what follows.
func TestDecisionNamesObjectAndConsequence(t *testing.T) {
	const object = "image.config.openshift.io/cluster"
	for _, tt := range []struct {
		name  string
		in    importmode.Input
		parts []string
	}{
		{"2: the current mode is kept", importmode.Input{Spec: "All", Current: configLegacy},
			[]string{`"All"`, "the current mode of " + object + ", Legacy, is kept"}},
		{"2: there is no current mode", importmode.Input{Spec: "All"}, []string{object + " has no current mode, and none is written"}},
		{"2,39: the current mode is none either", importmode.Input{Spec: "All", Current: "Whole"},
			[]string{object + " has no current mode, and none is written", object + ` holds "Whole", which is no import mode and counts as empty`}},
		{"45: homogeneous nodes", importmode.Input{Payload: multi, Nodes: payloadarch.SetOf("arm64")},
			[]string{"every node is arm64", "set the field to Legacy in " + object}},
		{"67: heterogeneous nodes", importmode.Input{Payload: single, Nodes: payloadarch.SetOf("amd64", "arm64")},
			[]string{"nodes are amd64,arm64", "oc adm upgrade --to-multi-arch"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(decisionTexts(importmode.Decide(tt.in)), "\n")
			for _, part := range tt.parts {
				if !strings.Contains(got, part) {
					t.Errorf("%q does not hold %q", got, part)
				}
			}
		})
	}
}

func decisionTexts(d importmode.Decision) (texts []string) {
	for _, p := range d.Problems {
		texts = append(texts, p.Error())
	}
	for _, f := range d.Findings {
		texts = append(texts, f.String())
	}
	return texts
}
