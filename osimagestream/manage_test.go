package osimagestream

import (
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/features"
)

func infrastructure(topology configv1.TopologyMode) *configv1.Infrastructure {
	return &configv1.Infrastructure{Status: configv1.InfrastructureStatus{ControlPlaneTopology: topology}}
}

// gates returns a FeatureGate with that feature set and these entries.
func gates(featureSet configv1.FeatureSet, entries ...configv1.FeatureGateDetails) *configv1.FeatureGate {
	g := &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: entries}}
	g.Spec.FeatureSet = featureSet
	return g
}

func enabled(version string, names ...configv1.FeatureGateName) configv1.FeatureGateDetails {
	d := configv1.FeatureGateDetails{Version: version}
	for _, n := range names {
		d.Enabled = append(d.Enabled, configv1.FeatureGateAttributes{Name: n})
	}
	return d
}

func TestManage(t *testing.T) {
	ha := infrastructure(configv1.HighlyAvailableTopologyMode)
	on := gates("", enabled("5.0.0", "Other", Gate))
	disabled := enabled("5.0.0", "Other")
	disabled.Disabled = []configv1.FeatureGateAttributes{{Name: Gate}}
	for _, tc := range []struct {
		name     string
		platform Platform
		manage   bool
		reason   ManageReason
		field    string
		findings []FindingCode
	}{
		{name: "110: OCP, gate enabled", platform: Platform{FeatureGate: on, Version: "5.0.0", Infrastructure: ha},
			manage: true, reason: ReasonGateEnabled, field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{name: "110: OKD, gate enabled: managed like OCP", platform: Platform{Flavor: OKD, FeatureGate: gates(configv1.OKD, enabled("5.0.0", Gate)), Version: "5.0.0", Infrastructure: ha},
			manage: true, reason: ReasonGateEnabled, field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{name: "110: single node", platform: Platform{FeatureGate: on, Version: "5.0.0", Infrastructure: infrastructure(configv1.SingleReplicaTopologyMode)},
			manage: true, reason: ReasonGateEnabled, field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{name: "109: gate disabled", platform: Platform{FeatureGate: gates("", disabled), Version: "5.0.0", Infrastructure: ha},
			reason: ReasonGateDisabled, field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{name: "108: gate enabled for another version only: not known yet", platform: Platform{FeatureGate: on, Version: "5.1.0", Infrastructure: ha},
			reason: ReasonGateUnknown, field: "featuregates[cluster].status.featureGates"},
		{name: "109: gate disabled for this version, enabled for another", platform: Platform{FeatureGate: gates("", enabled("5.1.0", Gate), disabled), Version: "5.0.0", Infrastructure: ha},
			reason: ReasonGateDisabled, field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{name: "108: no FeatureGate", platform: Platform{Version: "5.0.0", Infrastructure: ha}, reason: ReasonGateUnknown, field: "featuregates[cluster].status.featureGates"},
		{name: "107: HyperShift, though the gate is enabled", platform: Platform{FeatureGate: on, Version: "5.0.0", Infrastructure: infrastructure(configv1.ExternalTopologyMode)},
			reason: ReasonHyperShift, field: "infrastructures[cluster].status.controlPlaneTopology"},
		{name: "105: MicroShift", platform: Platform{MicroShift: true, FeatureGate: on, Version: "5.0.0", Infrastructure: ha}, reason: ReasonMicroShift},
		{name: "106: no Infrastructure", platform: Platform{FeatureGate: on, Version: "5.0.0"}, reason: ReasonTopologyUnknown, field: "infrastructures[cluster]"},
		{name: "106: zero value", reason: ReasonTopologyUnknown, field: "infrastructures[cluster]"},
		{name: "111: feature set OKD, flavor OCP", platform: Platform{FeatureGate: gates(configv1.OKD, enabled("5.0.0", Gate)), Version: "5.0.0", Infrastructure: ha},
			manage: true, reason: ReasonGateEnabled, field: "featuregates[cluster].status.featureGates[5.0.0].enabled", findings: []FindingCode{FindingFlavor}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := Manage(tc.platform)
			diff(t, "manage", tc.manage, m.Manage)
			diff(t, "reason", tc.reason, m.Reason)
			diff(t, "field", tc.field, m.Field)
			diff(t, "findings", tc.findings, codes(m.Findings))
		})
	}
	if Gate != features.FeatureGateOSStreams {
		t.Errorf("Gate is %s, the API calls it %s", Gate, features.FeatureGateOSStreams)
	}
}

func TestFlavorText(t *testing.T) {
	for f, want := range map[Flavor]string{OCP: "OCP", OKD: "OKD", 7: "OCP"} {
		if got := f.String(); got != want {
			t.Errorf("%d reads %q", f, got)
		}
	}
}
