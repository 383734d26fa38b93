package payloadarch

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/internal/quote"
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

	gateObjectPath = "featuregates[cluster]"
	gatesPath      = gateObjectPath + ".status.featureGates"
)

// FromClusterVersion returns the kind of the payload that a cluster has or is
// being updated to, by rules 1 to 9 of the package. A nil cv means that there is
// no ClusterVersion (yet), and nil gates that there is no FeatureGate (yet): both are
// what is left of a lister's NotFound.
//
// Field is a path in the FeatureGate for GateUnknown and GateDisabled, and in the
// ClusterVersion for all other reasons.
func FromClusterVersion(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) Verdict {
	if v, decided := reported(cv); decided {
		return v
	}
	d, history := &cv.Status.Desired, cv.Status.History
	if reason, path := gateReason(gates, d.Version); reason != "" {
		return Verdict{Reason: reason, Field: path}
	}
	if len(history) == 1 && history[0].State != configv1.CompletedUpdate && history[0].Image == d.Image {
		return Verdict{Kind: Single, Reason: ReasonInstalling, Field: newestStatePath}
	}
	return settled(history, d.Image)
}

// FromClusterVersionWithoutGates is FromClusterVersion for a caller that cannot read
// the FeatureGate of the cluster at all, by rules 1 to 4 and 8 to 10 of the package.
// It takes the gate for enabled once the update to the desired image is complete. On
// a cluster where it is not, a multi payload passes for single.
func FromClusterVersionWithoutGates(cv *configv1.ClusterVersion) Verdict {
	if v, decided := reported(cv); decided {
		return v
	}
	return settled(cv.Status.History, cv.Status.Desired.Image)
}

// reported returns the verdict of rules 1 to 4, and whether one of them fits. If not,
// there is a ClusterVersion whose architecture is empty.
func reported(cv *configv1.ClusterVersion) (v Verdict, decided bool) {
	if cv == nil {
		return Verdict{Reason: ReasonNotObserved, Field: desiredPath}, true
	}
	d := &cv.Status.Desired
	switch {
	case d.Architecture != "" && d.Architecture != configv1.ClusterVersionArchitectureMulti:
		return Verdict{Reason: ReasonUnrecognized, Field: architecturePath, Problems: field.ErrorList{
			unsupported(field.NewPath("clusterversions").Key("version").Child("status", "desired", "architecture"),
				string(d.Architecture), string(configv1.ClusterVersionArchitectureMulti), ""),
		}}, true
	case d.Version == "" && d.Image == "":
		return Verdict{Reason: ReasonNotObserved, Field: desiredPath}, true
	case d.Architecture == configv1.ClusterVersionArchitectureMulti:
		return Verdict{Kind: Multi, Reason: ReasonReported, Field: architecturePath}, true
	}
	return Verdict{}, false
}

// settled returns the verdict of rules 8 and 9.
func settled(history []configv1.UpdateHistory, image string) Verdict {
	if path := unsettled(history, image); path != "" {
		return Verdict{Reason: ReasonUpdating, Field: path}
	}
	return Verdict{Kind: Single, Reason: ReasonSettled, Field: architecturePath}
}

// gateReason returns why Gate cannot be counted on for version, and where that
// is said; "" if it is enabled.
func gateReason(gates *configv1.FeatureGate, version string) (Reason, string) {
	if gates == nil {
		return ReasonGateUnknown, gateObjectPath
	}
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
	return ReasonGateDisabled, gatesPath + "[" + quote.Cut(version) + "].enabled"
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
