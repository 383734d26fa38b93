package osimagestream

import (
	"fmt"
	"slices"

	configv1 "github.com/openshift/api/config/v1"
)

// Gate is the feature gate of OSImageStreams.
const Gate configv1.FeatureGateName = "OSStreams"

// Platform holds the facts from which Manage decides.
type Platform struct {
	Flavor Flavor
	// FeatureGate is the object named cluster, nil if there is none yet.
	FeatureGate *configv1.FeatureGate
	// Version is the version of the operator that asks.
	Version string
	// Infrastructure is the object named cluster, nil if there is none yet.
	Infrastructure *configv1.Infrastructure
	// MicroShift says that this is MicroShift, which has neither object.
	MicroShift bool
}

// Management says whether to keep the OSImageStream. Manage false asks for nothing
// to be removed: it may be that the facts are not there yet.
type Management struct {
	Manage bool
	Reason Reason
	// Field is the field that decided.
	Field    string
	Findings []Finding
}

// Manage decides whether the OSImageStream is to be kept at all. First match wins:
//
//  1. MicroShift: no, MicroShift;
//  2. no Infrastructure: not yet, TopologyUnknown;
//  3. controlPlaneTopology External: no, HyperShift;
//  4. the FeatureGate has no entry for the version: not yet, GateUnknown;
//  5. that entry does not enable Gate: no, GateDisabled;
//  6. otherwise: yes, GateEnabled. OKD too: what differs there is Advance.
//
// The feature set OKD with the flavor OCP is a finding: the binary is not made for
// this cluster.
func Manage(p Platform) Management {
	if p.MicroShift {
		return Management{Reason: ReasonMicroShift}
	}
	if p.Infrastructure == nil {
		return Management{Reason: ReasonTopologyUnknown, Field: "infrastructure[cluster]"}
	}
	if p.Infrastructure.Status.ControlPlaneTopology == configv1.ExternalTopologyMode {
		return Management{Reason: ReasonHyperShift, Field: "infrastructure[cluster].status.controlPlaneTopology"}
	}
	m := Management{Reason: ReasonGateUnknown, Field: "featuregate[cluster].status.featureGates"}
	if p.FeatureGate == nil {
		return m
	}
	if p.FeatureGate.Spec.FeatureSet == configv1.OKD && p.Flavor != OKD {
		m.Findings = append(m.Findings, Finding{FindingFlavor, "featuregate[cluster].spec.featureSet",
			fmt.Sprintf("the cluster has feature set OKD, but the flavor given is %s", p.Flavor)})
	}
	for i := range p.FeatureGate.Status.FeatureGates {
		entry := &p.FeatureGate.Status.FeatureGates[i]
		if entry.Version != p.Version {
			continue
		}
		m.Field = fmt.Sprintf("featuregate[cluster].status.featureGates[%s].enabled", p.Version)
		m.Reason = ReasonGateDisabled
		if slices.ContainsFunc(entry.Enabled, func(a configv1.FeatureGateAttributes) bool { return a.Name == Gate }) {
			m.Manage, m.Reason = true, ReasonGateEnabled
			break
		}
	}
	return m
}
