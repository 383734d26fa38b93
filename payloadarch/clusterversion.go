package payloadarch

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
)

// Gate is the feature gate under which the cluster version operator reports
// status.desired.architecture. While it is off, or not known yet for a version,
// the operator blanks the field.
const Gate configv1.FeatureGateName = "ImageStreamImportMode"

// FromClusterVersion returns the kind of the payload that a cluster has or is
// being updated to. A nil cv means that there is no ClusterVersion (yet); nil
// gates mean that the caller has no FeatureGate object, and the rule about it is
// skipped then.
//
// The rules, first match wins:
//
//  1. no ClusterVersion: Unknown, NotObserved;
//  2. status.desired.architecture is neither empty nor Multi: Unknown,
//     Unrecognized, with a problem;
//  3. status.desired names neither a version nor an image: Unknown, NotObserved;
//  4. the architecture is Multi: Multi, Reported, whatever the gate says;
//  5. the FeatureGate has no entry for the desired version: Unknown, GateUnknown;
//  6. that entry does not enable Gate: Unknown, GateDisabled;
//  7. status.history[0] is missing, not Completed, or for another image than
//     desired: Unknown, Updating. The operator learns its gates by restarting, so
//     until the update is complete an empty value may yet become Multi;
//  8. otherwise: Single, Settled, since the empty value is the legal one.
//
// Field is a path in the FeatureGate for GateUnknown and GateDisabled, and in the
// ClusterVersion for all other reasons.
func FromClusterVersion(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) Verdict {
	const desired, architecture = "status.desired", "status.desired.architecture"
	if cv == nil {
		return Verdict{Reason: ReasonNotObserved, Field: desired}
	}
	d := &cv.Status.Desired
	if d.Architecture != "" && d.Architecture != configv1.ClusterVersionArchitectureMulti {
		return Verdict{Reason: ReasonUnrecognized, Field: architecture, Problems: field.ErrorList{
			field.NotSupported(field.NewPath("status", "desired", "architecture"), d.Architecture,
				[]configv1.ClusterVersionArchitecture{configv1.ClusterVersionArchitectureMulti, ""}),
		}}
	}
	if d.Version == "" && d.Image == "" {
		return Verdict{Reason: ReasonNotObserved, Field: desired}
	}
	if d.Architecture == configv1.ClusterVersionArchitectureMulti {
		return Verdict{Kind: Multi, Reason: ReasonReported, Field: architecture}
	}
	if gates != nil {
		if reason, path := gateReason(gates, d.Version); reason != "" {
			return Verdict{Reason: reason, Field: path}
		}
	}
	if path := unsettled(cv.Status.History, d.Image); path != "" {
		return Verdict{Reason: ReasonUpdating, Field: path}
	}
	return Verdict{Kind: Single, Reason: ReasonSettled, Field: architecture}
}

// gateReason returns why Gate cannot be counted on for version, and where that
// is said; "" if it is enabled.
func gateReason(gates *configv1.FeatureGate, version string) (Reason, string) {
	known := false
	for i := range gates.Status.FeatureGates {
		entry := &gates.Status.FeatureGates[i]
		if entry.Version != version {
			continue
		}
		known = true
		if slices.ContainsFunc(entry.Enabled, func(a configv1.FeatureGateAttributes) bool { return a.Name == Gate }) {
			return "", ""
		}
	}
	if !known {
		return ReasonGateUnknown, "status.featureGates"
	}
	return ReasonGateDisabled, fmt.Sprintf("status.featureGates[%s].enabled", version)
}

// unsettled returns the path that shows that the update to image is not
// complete, or "" if it is.
func unsettled(history []configv1.UpdateHistory, image string) string {
	switch {
	case len(history) == 0:
		return "status.history"
	case history[0].State != configv1.CompletedUpdate:
		return "status.history[0].state"
	case history[0].Image != image:
		return "status.history[0].image"
	}
	return ""
}
