package payloadarch

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
)

// Gate is the feature gate under which the cluster version operator reports
// status.desired.architecture. While it is off, or not known yet for a version,
// the operator blanks the field.
const Gate configv1.FeatureGateName = "ImageStreamImportMode"

// The objects are singletons, so their paths are constants. The object that is given
// counts as the singleton whatever its name.
const (
	clusterVersionPath = "clusterversions[version]."
	desiredPath        = clusterVersionPath + "status.desired"
	architecturePath   = clusterVersionPath + "status.desired.architecture"
	historyPath        = clusterVersionPath + "status.history"
	newestStatePath    = clusterVersionPath + "status.history[0].state"
	newestImagePath    = clusterVersionPath + "status.history[0].image"

	gatesPath = "featuregates[cluster].status.featureGates"
)

// FromClusterVersion returns the kind of the payload that a cluster has or is
// being updated to, by rules 1 to 8 of the package. A nil cv means that there is
// no ClusterVersion (yet); nil gates mean that the caller has no FeatureGate object.
//
// Field is a path in the FeatureGate for GateUnknown and GateDisabled, and in the
// ClusterVersion for all other reasons.
func FromClusterVersion(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) Verdict {
	if cv == nil {
		return Verdict{Reason: ReasonNotObserved, Field: desiredPath}
	}
	d := &cv.Status.Desired
	if d.Architecture != "" && d.Architecture != configv1.ClusterVersionArchitectureMulti {
		path := field.NewPath("clusterversions").Key("version").Child("status", "desired", "architecture")
		return Verdict{Reason: ReasonUnrecognized, Field: architecturePath, Problems: field.ErrorList{
			field.NotSupported(path, d.Architecture,
				[]configv1.ClusterVersionArchitecture{configv1.ClusterVersionArchitectureMulti, ""}),
		}}
	}
	if d.Version == "" && d.Image == "" {
		return Verdict{Reason: ReasonNotObserved, Field: desiredPath}
	}
	if d.Architecture == configv1.ClusterVersionArchitectureMulti {
		return Verdict{Kind: Multi, Reason: ReasonReported, Field: architecturePath}
	}
	if gates != nil {
		if reason, path := gateReason(gates, d.Version); reason != "" {
			return Verdict{Reason: reason, Field: path}
		}
	}
	if path := unsettled(cv.Status.History, d.Image); path != "" {
		return Verdict{Reason: ReasonUpdating, Field: path}
	}
	return Verdict{Kind: Single, Reason: ReasonSettled, Field: architecturePath}
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
		return ReasonGateUnknown, gatesPath
	}
	return ReasonGateDisabled, gatesPath + "[" + version + "].enabled"
}

// unsettled returns the path that shows that the update to image is not
// complete, or "" if it is.
func unsettled(history []configv1.UpdateHistory, image string) string {
	switch {
	case len(history) == 0:
		return historyPath
	case history[0].State != configv1.CompletedUpdate:
		return newestStatePath
	case history[0].Image != image:
		return newestImagePath
	}
	return ""
}
