package osimagestream

import (
	"fmt"
	"slices"

	configv1 "github.com/openshift/api/config/v1"
)

// Gate is the feature gate of the OSImageStream API.
const Gate configv1.FeatureGateName = "OSStreams"

// Platform holds the facts from which Manage decides. The zero value is a platform
// of which nothing is known yet.
type Platform struct {
	Flavor Flavor
	// FeatureGate is the object named cluster, nil if there is none yet.
	FeatureGate *configv1.FeatureGate
	// Version is the release version of the operator that asks.
	Version string
	// Infrastructure is the object named cluster, nil if there is none yet.
	Infrastructure *configv1.Infrastructure
	// MicroShift says that the cluster is MicroShift, which has neither object.
	MicroShift bool
}

// Management says whether to keep the OSImageStream. If Manage is false, nothing is
// to be removed: the facts may not be there yet. The zero value does not keep it.
type Management struct {
	Manage bool
	Reason ManageReason
	// Field is the object or field that decided, empty on MicroShift.
	Field    string
	Findings []Finding
}

// Manage decides whether to keep the OSImageStream, by rules 105 to 111.
func Manage(p Platform) Management {
	if p.MicroShift {
		return Management{Reason: ReasonMicroShift}
	}
	if p.Infrastructure == nil {
		return Management{Reason: ReasonTopologyUnknown, Field: "infrastructures[cluster]"}
	}
	if p.Infrastructure.Status.ControlPlaneTopology == configv1.ExternalTopologyMode {
		return Management{Reason: ReasonHyperShift, Field: "infrastructures[cluster].status.controlPlaneTopology"}
	}
	m := Management{Reason: ReasonGateUnknown, Field: "featuregates[cluster].status.featureGates"}
	if p.FeatureGate == nil {
		return m
	}
	if p.FeatureGate.Spec.FeatureSet == configv1.OKD && p.Flavor != OKD {
		m.Findings = append(m.Findings, Finding{FindingFlavor, "featuregates[cluster].spec.featureSet",
			fmt.Sprintf("the cluster has the feature set OKD, but the flavor %s: this operator is not built for it", p.Flavor)})
	}
	for i := range p.FeatureGate.Status.FeatureGates {
		entry := &p.FeatureGate.Status.FeatureGates[i]
		if entry.Version != p.Version {
			continue
		}
		m.Field = fmt.Sprintf("featuregates[cluster].status.featureGates[%s].enabled", p.Version)
		m.Reason = ReasonGateDisabled
		if slices.ContainsFunc(entry.Enabled, func(a configv1.FeatureGateAttributes) bool { return a.Name == Gate }) {
			m.Manage, m.Reason = true, ReasonGateEnabled
			break
		}
	}
	return m
}
