package payloadarch_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

const (
	multi   = configv1.ClusterVersionArchitectureMulti
	v1, v2  = "4.19.0", "4.20.0"
	imageA  = "quay.io/okd/release@sha256:aaaa"
	imageB  = "quay.io/okd/release@sha256:bbbb"
	desired = "clusterversions[version].status.desired"
	archAt  = "clusterversions[version].status.desired.architecture"
	stateAt = "clusterversions[version].status.history[0].state"
	gatesAt = "featuregates[cluster].status.featureGates"
)

func clusterVersion(arch configv1.ClusterVersionArchitecture, version, image string, history ...configv1.UpdateHistory) *configv1.ClusterVersion {
	cv := &configv1.ClusterVersion{}
	cv.Name = "version"
	cv.Status.Desired = configv1.Release{Architecture: arch, Version: version, Image: image}
	cv.Status.History = history
	return cv
}

func completed(version, image string) configv1.UpdateHistory {
	return configv1.UpdateHistory{State: configv1.CompletedUpdate, Version: version, Image: image}
}

func partial(version, image string) configv1.UpdateHistory {
	return configv1.UpdateHistory{State: configv1.PartialUpdate, Version: version, Image: image}
}

func featureGate(entries ...configv1.FeatureGateDetails) *configv1.FeatureGate {
	fg := &configv1.FeatureGate{}
	fg.Name = "cluster"
	fg.Status.FeatureGates = entries
	return fg
}

func enabled(version string) configv1.FeatureGateDetails {
	return configv1.FeatureGateDetails{Version: version, Enabled: []configv1.FeatureGateAttributes{{Name: "Other"}, {Name: payloadarch.Gate}}}
}

func disabled(version string) configv1.FeatureGateDetails {
	return configv1.FeatureGateDetails{Version: version, Enabled: []configv1.FeatureGateAttributes{{Name: "Other"}},
		Disabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}}
}

func TestFromClusterVersion(t *testing.T) {
	unsupported := []problem{{field.ErrorTypeNotSupported, archAt}}
	for _, tc := range []struct {
		name  string
		cv    *configv1.ClusterVersion
		gates *configv1.FeatureGate
		want  verdict
	}{
		{"1: no ClusterVersion", nil, featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},

		{"2: another value", clusterVersion("ARM64", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonUnrecognized, Field: archAt, Problems: unsupported}},
		{"2: the spelling of the update service (OCPBUGS-57646)", clusterVersion("multi", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonUnrecognized, Field: archAt, Problems: unsupported}},
		{"2: another value although nothing is desired", clusterVersion("multi", "", ""), nil,
			verdict{Reason: payloadarch.ReasonUnrecognized, Field: archAt, Problems: unsupported}},

		{"3: an empty ClusterVersion", &configv1.ClusterVersion{}, nil,
			verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},
		{"3: Multi although nothing is desired", clusterVersion(multi, "", ""), nil,
			verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},
		{"3: only history", clusterVersion("", "", "", completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},

		{"4: Multi", clusterVersion(multi, v1, imageA, completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"4: Multi with the gate disabled", clusterVersion(multi, v1, imageA, completed(v1, imageA)), featureGate(disabled(v1)),
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"4: Multi with the gate unknown", clusterVersion(multi, v1, imageA, completed(v1, imageA)), featureGate(),
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"4: Multi during the update", clusterVersion(multi, v1, imageB, partial(v1, imageB), completed(v1, imageA)), nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"4: Multi with a version and no image", clusterVersion(multi, v1, ""), nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"4: Multi with an image and no version", clusterVersion(multi, "", imageA), nil,
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},

		{"5: a FeatureGate without entries", clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(),
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: gatesAt}},
		{"5: an entry of another version only", clusterVersion("", v2, imageB, completed(v2, imageB)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: gatesAt}},
		{"5: the desired version is not known yet", clusterVersion("", "", imageB, completed(v1, imageB)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: gatesAt}},

		{"5: no FeatureGate, as after a lister's NotFound", clusterVersion("", v1, imageA, completed(v1, imageA)), nil,
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: "featuregates[cluster]"}},
		{"5: no FeatureGate during an update", clusterVersion("", v2, imageB, partial(v2, imageB), completed(v1, imageA)), nil,
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: "featuregates[cluster]"}},
		{"5: no FeatureGate at the beginning of an installation", clusterVersion("", v1, imageA, partial(v1, imageA)), nil,
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: "featuregates[cluster]"}},

		{"6: listed as disabled", clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(disabled(v1)),
			verdict{Reason: payloadarch.ReasonGateDisabled, Field: "featuregates[cluster].status.featureGates[4.19.0].enabled"}},
		{"6: listed nowhere", clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(configv1.FeatureGateDetails{Version: v1}),
			verdict{Reason: payloadarch.ReasonGateDisabled, Field: "featuregates[cluster].status.featureGates[4.19.0].enabled"}},
		{"6: enabled for another version only", clusterVersion("", v2, imageB, completed(v2, imageB)), featureGate(enabled(v1), disabled(v2)),
			verdict{Reason: payloadarch.ReasonGateDisabled, Field: "featuregates[cluster].status.featureGates[4.20.0].enabled"}},

		{"7: an installation begins", clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(enabled(v1)),
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling, Field: stateAt}},
		{"7: a state of no name is not Completed", clusterVersion("", v1, imageA, configv1.UpdateHistory{Image: imageA}), featureGate(enabled(v1)),
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling, Field: stateAt}},
		{"5,7: an installation whose gate is not known yet", clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(),
			verdict{Reason: payloadarch.ReasonGateUnknown, Field: gatesAt}},
		{"6,7: an installation without the gate", clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(disabled(v1)),
			verdict{Reason: payloadarch.ReasonGateDisabled, Field: gatesAt + "[4.19.0].enabled"}},
		{"4,7: the installation of a multi payload", clusterVersion(multi, v1, imageA, partial(v1, imageA)), featureGate(enabled(v1)),
			verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"7,8: an installation whose release changed", clusterVersion("", v2, imageB, partial(v1, imageA)), featureGate(enabled(v2)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},
		{"7,8: two entries are no installation", clusterVersion("", v1, imageA, partial(v1, imageA), partial(v2, imageB)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},

		{"8: no history", clusterVersion("", v1, imageA), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: "clusterversions[version].status.history"}},
		{"8: Partial", clusterVersion("", v2, imageB, partial(v2, imageB), completed(v1, imageA)), featureGate(enabled(v1), enabled(v2)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},
		{"8: a state of no name", clusterVersion("", v2, imageB, configv1.UpdateHistory{Image: imageB}, completed(v1, imageA)), featureGate(enabled(v2)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},
		{"8: Completed for another image of the same version", clusterVersion("", v1, imageB, completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: "clusterversions[version].status.history[0].image"}},
		{"8: Completed for the image, but not as the newest", clusterVersion("", v1, imageA, partial(v2, imageB), completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},

		{"9: settled", clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1)),
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled, Field: archAt}},
		{"9: an entry that lists the gate twice over", clusterVersion("", v1, imageA, completed(v1, imageA)),
			featureGate(configv1.FeatureGateDetails{Version: v1, Enabled: enabled(v1).Enabled, Disabled: disabled(v1).Disabled}),
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled, Field: archAt}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromClusterVersion(tc.cv, tc.gates), tc.want)
		})
	}
}

func TestFromClusterVersionWithoutGates(t *testing.T) {
	for _, tc := range []struct {
		name string
		cv   *configv1.ClusterVersion
		want verdict
	}{
		{"1,10: no ClusterVersion", nil, verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},
		{"2,10: another value", clusterVersion("ARM64", v1, imageA, completed(v1, imageA)),
			verdict{Reason: payloadarch.ReasonUnrecognized, Field: archAt, Problems: []problem{{field.ErrorTypeNotSupported, archAt}}}},
		{"3,10: nothing is desired", clusterVersion("", "", ""), verdict{Reason: payloadarch.ReasonNotObserved, Field: desired}},
		{"4,10: Multi", clusterVersion(multi, v1, imageA), verdict{Kind: payloadarch.Multi, Reason: payloadarch.ReasonReported, Field: archAt}},
		{"8,10: during an update", clusterVersion("", v2, imageB, partial(v2, imageB), completed(v1, imageA)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},
		{"8,10: an installation is not recognized", clusterVersion("", v1, imageA, partial(v1, imageA)),
			verdict{Reason: payloadarch.ReasonUpdating, Field: stateAt}},
		{"9,10: settled", clusterVersion("", v1, imageA, completed(v1, imageA)),
			verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonSettled, Field: archAt}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromClusterVersionWithoutGates(tc.cv), tc.want)
		})
	}
}

// From the first report of an installation on, the kind of a single payload is known:
// openshift-apiserver need not roll out once more when the installation is complete.
func TestInstallation(t *testing.T) {
	for _, step := range []struct {
		cv    *configv1.ClusterVersion
		gates *configv1.FeatureGate
		want  payloadarch.Kind
	}{
		{clusterVersion("", "", ""), nil, payloadarch.Unknown},
		{clusterVersion("", "", imageA, partial("", imageA)), nil, payloadarch.Unknown},
		{clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(), payloadarch.Unknown},
		{clusterVersion("", v1, imageA, partial(v1, imageA)), featureGate(enabled(v1)), payloadarch.Single},
		{clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1)), payloadarch.Single},
	} {
		if got := payloadarch.FromClusterVersion(step.cv, step.gates); got.Kind != step.want {
			t.Errorf("%+v with the gates %+v is %v, want %v", step.cv.Status, step.gates, got.Kind, step.want)
		}
	}
}

// An update to a version that enables the gate, of a cluster with a multi payload:
// upstream, what the operator reports on the way reads as single, then as multi
// (OCPBUGS-112551). Here it is never Single.
func TestUpgradeRace(t *testing.T) {
	before, after := completed("4.18.0", imageA), partial(v1, imageB)
	var kinds []payloadarch.Kind
	for _, step := range []struct {
		cv    *configv1.ClusterVersion
		gates *configv1.FeatureGate
	}{
		{clusterVersion("", "4.18.0", imageA, before), featureGate(disabled("4.18.0"))},
		{clusterVersion("", v1, imageB, after, before), featureGate(disabled("4.18.0"))},
		// The entry of the new version is there, and the operator has not restarted.
		{clusterVersion("", v1, imageB, after, before), featureGate(disabled("4.18.0"), enabled(v1))},
		{clusterVersion(multi, v1, imageB, after, before), featureGate(disabled("4.18.0"), enabled(v1))},
		{clusterVersion(multi, v1, imageB, completed(v1, imageB), before), featureGate(enabled(v1))},
	} {
		kinds = append(kinds, payloadarch.FromClusterVersion(step.cv, step.gates).Kind)
	}
	want := []payloadarch.Kind{payloadarch.Unknown, payloadarch.Unknown, payloadarch.Unknown, payloadarch.Multi, payloadarch.Multi}
	for i := range want {
		if kinds[i] != want[i] {
			t.Fatalf("kinds = %v, want %v", kinds, want)
		}
	}
}

// Multi to single is seen once it is complete, and not before: keeping the value
// on every empty architecture would never see it.
func TestMultiToSingleIsSeenWhenComplete(t *testing.T) {
	gates := featureGate(enabled(v1))
	during := payloadarch.FromClusterVersion(clusterVersion("", v1, imageB, partial(v1, imageB), completed(v1, imageA)), gates)
	after := payloadarch.FromClusterVersion(clusterVersion("", v1, imageB, completed(v1, imageB), completed(v1, imageA)), gates)
	if during.Kind != payloadarch.Unknown || after.Kind != payloadarch.Single {
		t.Errorf("kinds during and after = %v, %v; want Unknown, Single", during.Kind, after.Kind)
	}
}
