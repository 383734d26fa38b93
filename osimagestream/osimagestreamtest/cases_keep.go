package osimagestreamtest

import (
	"cmp"

	configv1 "github.com/openshift/api/config/v1"
)

// A KeepCase is a row of Keep.
type KeepCase struct {
	Rules, Name string
	Platform    Platform
	Manage      bool
	// What package osimagestream reports.
	Reason, Field string
	Findings      []Finding
}

// KeepCases are the rows of Keep.
func KeepCases() []KeepCase {
	ha := Infrastructure(configv1.HighlyAvailableTopologyMode)
	on := Gates("", Enabled("5.0.0", "Other", gate))
	disabled := Enabled("5.0.0", "Other")
	disabled.Disabled = []configv1.FeatureGateAttributes{{Name: gate}}
	cases := []KeepCase{
		{Rules: "gate-enabled", Name: "OCP, gate enabled", Platform: Platform{FeatureGate: on, Version: "5.0.0", Infrastructure: ha},
			Manage: true, Reason: "GateEnabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{Rules: "gate-enabled", Name: "OKD, gate enabled: managed like OCP", Platform: Platform{Flavor: OKD, FeatureGate: Gates(configv1.OKD, Enabled("5.0.0", gate)), Version: "5.0.0", Infrastructure: ha},
			Manage: true, Reason: "GateEnabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{Rules: "gate-enabled", Name: "single node", Platform: Platform{FeatureGate: on, Version: "5.0.0", Infrastructure: Infrastructure(configv1.SingleReplicaTopologyMode)},
			Manage: true, Reason: "GateEnabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{Rules: "gate-disabled", Name: "gate disabled", Platform: Platform{FeatureGate: Gates("", disabled), Version: "5.0.0", Infrastructure: ha},
			Reason: "GateDisabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{Rules: "gate-not-decided", Name: "gate enabled for another version only: not known yet", Platform: Platform{FeatureGate: on, Version: "5.1.0", Infrastructure: ha},
			Reason: "GateUnknown", Field: "featuregates[cluster].status.featureGates"},
		{Rules: "gate-disabled", Name: "gate disabled for this version, enabled for another", Platform: Platform{FeatureGate: Gates("", Enabled("5.1.0", gate), disabled), Version: "5.0.0", Infrastructure: ha},
			Reason: "GateDisabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{Rules: "gate-enabled", Name: "the version twice, once with the gate", Platform: Platform{FeatureGate: Gates("", Enabled("5.0.0", gate), disabled), Version: "5.0.0", Infrastructure: ha},
			Manage: true, Reason: "GateEnabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled"},
		{Rules: "gate-not-decided", Name: "no FeatureGate", Platform: Platform{Version: "5.0.0", Infrastructure: ha}, Reason: "GateUnknown", Field: "featuregates[cluster].status.featureGates"},
		{Rules: "not-on-hypershift", Name: "HyperShift, though the gate is enabled", Platform: Platform{FeatureGate: on, Version: "5.0.0", Infrastructure: Infrastructure(configv1.ExternalTopologyMode)},
			Reason: "HyperShift", Field: "infrastructures[cluster].status.controlPlaneTopology"},
		{Rules: "not-on-microshift", Name: "MicroShift", Platform: Platform{MicroShift: true, FeatureGate: on, Version: "5.0.0", Infrastructure: ha}, Reason: "MicroShift"},
		{Rules: "topology-not-known", Name: "no Infrastructure", Platform: Platform{FeatureGate: on, Version: "5.0.0"}, Reason: "TopologyUnknown", Field: "infrastructures[cluster]"},
		{Rules: "topology-not-known", Name: "zero value", Reason: "TopologyUnknown", Field: "infrastructures[cluster]"},
		{Rules: "gate-enabled", Name: "feature set OKD, flavor OCP", Platform: Platform{FeatureGate: Gates(configv1.OKD, Enabled("5.0.0", gate)), Version: "5.0.0", Infrastructure: ha},
			Manage: true, Reason: "GateEnabled", Field: "featuregates[cluster].status.featureGates[5.0.0].enabled", Findings: Codes("FlavorMismatch")},
	}
	for i := range cases {
		cases[i].Platform.Flavor = cmp.Or(cases[i].Platform.Flavor, OCP)
	}
	return cases
}
