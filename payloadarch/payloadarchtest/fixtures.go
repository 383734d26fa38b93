package payloadarchtest

import (
	configv1 "github.com/openshift/api/config/v1"
)

// Two releases, an older and a newer one.
const (
	VersionA = "4.19.0"
	VersionB = "4.20.0"
	ImageA   = "quay.io/okd/release@sha256:aaaa"
	ImageB   = "quay.io/okd/release@sha256:bbbb"
)

const (
	multi = configv1.ClusterVersionArchitectureMulti
	gate  = "ImageStreamImportMode"
)

// ClusterVersion returns a ClusterVersion whose desired release and history are
// these, newest first.
func ClusterVersion(arch configv1.ClusterVersionArchitecture, version, image string, history ...configv1.UpdateHistory) *configv1.ClusterVersion {
	cv := &configv1.ClusterVersion{}
	cv.Name = "version"
	cv.Status.Desired = configv1.Release{Architecture: arch, Version: version, Image: image}
	cv.Status.History = history
	return cv
}

// Completed returns the entry of an update that is complete.
func Completed(version, image string) configv1.UpdateHistory {
	return configv1.UpdateHistory{State: configv1.CompletedUpdate, Version: version, Image: image}
}

// Partial returns the entry of an update that is not.
func Partial(version, image string) configv1.UpdateHistory {
	return configv1.UpdateHistory{State: configv1.PartialUpdate, Version: version, Image: image}
}

// FeatureGate returns a FeatureGate with an entry for each of some versions.
func FeatureGate(entries ...configv1.FeatureGateDetails) *configv1.FeatureGate {
	fg := &configv1.FeatureGate{}
	fg.Name = "cluster"
	fg.Status.FeatureGates = entries
	return fg
}

// Enabled returns the entry of a version that enables ImageStreamImportMode.
func Enabled(version string) configv1.FeatureGateDetails {
	return configv1.FeatureGateDetails{Version: version, Enabled: []configv1.FeatureGateAttributes{{Name: "Other"}, {Name: gate}}}
}

// Disabled returns the entry of a version that does not.
func Disabled(version string) configv1.FeatureGateDetails {
	return configv1.FeatureGateDetails{Version: version, Enabled: []configv1.FeatureGateAttributes{{Name: "Other"}},
		Disabled: []configv1.FeatureGateAttributes{{Name: gate}}}
}

// Document returns release metadata with the given members of "metadata".
func Document(members string) string {
	return `{"kind":"cincinnati-metadata-v0","version":"4.19.0","previous":["4.18.9"],"metadata":{` + members + `}}`
}
