package payloadarch_test

import (
	"errors"
	"fmt"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// An operator that watches ClusterVersion and FeatureGate does not act on
// Unknown.
func ExampleFromClusterVersion() {
	cv := &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{
		Desired: configv1.Release{Version: "4.20.0", Image: "quay.io/okd/release@sha256:bbbb"},
		History: []configv1.UpdateHistory{{State: configv1.PartialUpdate, Version: "4.20.0", Image: "quay.io/okd/release@sha256:bbbb"}},
	}}
	gates := &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{
		{Version: "4.20.0", Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}},
	}}}

	v := payloadarch.FromClusterVersion(cv, gates)
	fmt.Println(v.Kind, v.Reason, v.Field)

	cv.Status.History[0].State = configv1.CompletedUpdate
	v = payloadarch.FromClusterVersion(cv, gates)
	fmt.Println(v.Kind, v.Reason, v.Field)
	// Output:
	// Unknown Updating status.history[0].state
	// Single Settled status.desired.architecture
}

func ExampleFromReleaseMetadata() {
	v, err := payloadarch.FromReleaseMetadata([]byte(`{
		"kind": "cincinnati-metadata-v0",
		"version": "4.20.0",
		"metadata": {"release.openshift.io/architecture": "multi"}
	}`))
	fmt.Println(v.Kind, err)

	// A value that is none of the legal ones is a problem, not an error.
	v, err = payloadarch.FromReleaseMetadata([]byte(`{"metadata": {"release.openshift.io/architecture": "Multi"}}`))
	fmt.Println(v.Kind, err, v.Problems[0].Field, v.Problems[0].Type)

	_, err = payloadarch.FromReleaseMetadata([]byte(`{"kind": "cincinnati-metadata-v0"} {}`))
	var unreadable *payloadarch.MetadataError
	if errors.As(err, &unreadable) {
		fmt.Println(unreadable.Code, unreadable.Offset)
	}
	// Output:
	// Multi <nil>
	// Unknown <nil> metadata[release.openshift.io/architecture] Unsupported value
	// Trailing 35
}

func ExampleFromHostedCluster() {
	for _, payloadArch := range []string{"", "Multi", "ARM64"} {
		v := payloadarch.FromHostedCluster(payloadArch)
		fmt.Println(v.Kind, v.Reason)
	}
	// Output:
	// Unknown NotObserved
	// Multi Hosted
	// Single Hosted
}

// Inside of a hosted cluster there is no HostedCluster to look at.
func ExampleFromHosted() {
	cv := &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{
		Desired: configv1.Release{Architecture: configv1.ClusterVersionArchitectureMulti, Version: "4.20.0"},
	}}
	v := payloadarch.FromHosted("", cv, nil)
	fmt.Println(v.Kind, v.Reason, v.Findings[0].Code)
	// Output: Multi Reported HostedClusterVersion
}

// An image index of image-spec, or of any other library, comes down to a loop.
func ExampleFromIndex() {
	index := ocispec.Index{Manifests: []ocispec.Descriptor{
		{Platform: &ocispec.Platform{OS: "linux", Architecture: "amd64"}},
		{Platform: &ocispec.Platform{OS: "linux", Architecture: "arm64"}},
		{Platform: &ocispec.Platform{OS: "unknown", Architecture: "unknown"}},
		{}, // an entry without a platform
	}}

	entries := make([]payloadarch.Platform, len(index.Manifests))
	for i, m := range index.Manifests {
		if m.Platform != nil {
			entries[i] = payloadarch.Platform{OS: m.Platform.OS, Architecture: m.Platform.Architecture}
		}
	}
	v := payloadarch.FromIndex(entries)
	fmt.Println(v.Kind)
	for _, f := range v.Findings {
		fmt.Println(f)
	}
	// Output:
	// Multi
	// manifests[2].platform: an attestation is no image; left out
	// manifests[3].platform: the entry names no platform; left out
}

func ExampleReportedArchitecture() {
	fmt.Printf("%q %q\n", payloadarch.ReportedArchitecture(payloadarch.Multi), payloadarch.ReportedArchitecture(payloadarch.Single))
	// Output: "Multi" ""
}

func ExampleTransitionOf() {
	now := payloadarch.Verdict{Kind: payloadarch.Multi}
	t := payloadarch.TransitionOf(payloadarch.Single, now, []configv1.UpdateHistory{{State: configv1.PartialUpdate}})
	fmt.Println(t.Change, t.InProgress)
	// Output: SingleToMulti true
}

// A validating webhook warns about a migration that has been made already.
func ExampleCheckDesiredUpdate() {
	proposed := &configv1.Update{Architecture: configv1.ClusterVersionArchitectureMulti, Version: "4.20.0"}
	for _, f := range payloadarch.CheckDesiredUpdate(nil, proposed, payloadarch.Multi) {
		fmt.Println(f.Code, f.Path)
	}
	// Output: AlreadyMulti spec.desiredUpdate.architecture
}

// A set is stored as its text, and read back from what somebody may have edited.
func ExampleParseSet() {
	s := payloadarch.SetOf("s390x", "amd64")
	fmt.Println(s, payloadarch.ParseSet(" s390x, amd64 ,") == s)
	// Output: amd64,s390x true
}
