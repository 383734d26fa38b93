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
		History: []configv1.UpdateHistory{
			{State: configv1.PartialUpdate, Version: "4.20.0", Image: "quay.io/okd/release@sha256:bbbb"},
			{State: configv1.CompletedUpdate, Version: "4.19.0", Image: "quay.io/okd/release@sha256:aaaa"},
		},
	}}
	gates := &configv1.FeatureGate{Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{
		{Version: "4.20.0", Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}},
	}}}

	v := payloadarch.FromClusterVersion(cv, gates)
	fmt.Println(v.Kind, v.Reason, v.Field)

	cv.Status.History[0].State = configv1.CompletedUpdate
	v = payloadarch.FromClusterVersion(cv, gates)
	fmt.Println(v.Kind, v.Reason, v.Field)

	v = payloadarch.FromClusterVersion(cv, nil) // the lister has no FeatureGate yet
	fmt.Println(v.Kind, v.Reason, v.Field)
	// Output:
	// Unknown Updating clusterversions[version].status.history[0].state
	// Single Settled clusterversions[version].status.desired.architecture
	// Unknown GateUnknown featuregates[cluster]
}

// A tool that may read the ClusterVersion and nothing else.
func ExampleFromClusterVersionWithoutGates() {
	cv := &configv1.ClusterVersion{Status: configv1.ClusterVersionStatus{
		Desired: configv1.Release{Version: "4.20.0", Image: "quay.io/okd/release@sha256:bbbb"},
		History: []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: "4.20.0", Image: "quay.io/okd/release@sha256:bbbb"}},
	}}
	v := payloadarch.FromClusterVersionWithoutGates(cv)
	fmt.Println(v.Kind, v.Reason)
	// Output: Single Settled
}

func ExampleFromReleaseMetadata() {
	v, err := payloadarch.FromReleaseMetadata([]byte(`{
		"kind": "cincinnati-metadata-v0",
		"version": "4.20.0",
		"metadata": {"release.openshift.io/architecture": "multi"}
	}`))
	fmt.Println(v.Kind, err)

	// A value that is not legal is a problem, not an error.
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

// The cluster version operator holds release metadata as a map: of the payload, and
// of each node of the update graph.
func ExampleFromReleaseArchitecture() {
	metadata := map[string]any{"url": "https://example.com", "release.openshift.io/architecture": "multi"}
	value, present := metadata["release.openshift.io/architecture"]
	v := payloadarch.FromReleaseArchitecture(value, present)
	fmt.Println(v.Kind, v.Reason)
	// Output: Multi Metadata
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

// The management cluster has the hosted ClusterVersion at best.
func ExampleFromHostedWithoutGates() {
	v := payloadarch.FromHostedWithoutGates("ARM64", nil)
	fmt.Println(v.Kind, v.Reason)
	// Output: Single Hosted
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

// A controller remembers the kind, and takes the new one when it is told to.
func ExampleTransitionOf() {
	stored := payloadarch.Single
	now := payloadarch.Verdict{Kind: payloadarch.Multi}
	for _, state := range []configv1.UpdateState{configv1.PartialUpdate, configv1.CompletedUpdate, configv1.CompletedUpdate} {
		t := payloadarch.TransitionOf(stored, now, []configv1.UpdateHistory{{State: state}})
		fmt.Println(t.Change, t.InProgress, t.Reason)
		if t.StoreKind {
			stored = now.Kind
		}
	}
	// Output:
	// SingleToMulti true KindChanged
	// SingleToMulti false KindChanged
	// NoChange false KindUnchanged
}

// A validating webhook warns about a migration that has been made already.
func ExampleCheckDesiredUpdate() {
	proposed := &configv1.Update{Architecture: configv1.ClusterVersionArchitectureMulti, Version: "4.20.0"}
	check := payloadarch.CheckDesiredUpdate(nil, proposed, payloadarch.Multi)
	fmt.Println(check.Reason)
	for _, f := range check.Findings {
		fmt.Println(f)
	}
	// Output:
	// AlreadyMulti
	// clusterversions[version].spec.desiredUpdate.architecture: "Multi" asks for a migration, and the payload is multi already; leave it empty to update to another version
}

// A set is stored as its text, and read back from what somebody may have edited.
func ExampleParseSet() {
	s := payloadarch.SetOf("s390x", "amd64")
	fmt.Println(s, payloadarch.ParseSet(" s390x, amd64 ,") == s)
	// Output: amd64,s390x true
}
