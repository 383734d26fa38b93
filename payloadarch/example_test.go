package payloadarch_test

import (
	"errors"
	"fmt"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

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

func ExampleFromIndex() {
	amd64 := ocispec.Descriptor{Platform: &ocispec.Platform{OS: "linux", Architecture: "amd64"}}
	arm64 := ocispec.Descriptor{Platform: &ocispec.Platform{OS: "linux", Architecture: "arm64"}}
	fmt.Println(payloadarch.FromIndex(ocispec.Index{Manifests: []ocispec.Descriptor{amd64, amd64}}).Kind)
	fmt.Println(payloadarch.FromIndex(ocispec.Index{Manifests: []ocispec.Descriptor{amd64, arm64}}).Kind)
	// Output:
	// Single
	// Multi
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

func exampleNode(name, arch, role string) corev1.Node {
	return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
		"kubernetes.io/arch": arch, "kubernetes.io/os": "linux", "node-role.kubernetes.io/" + role: "",
	}}}
}

func ExampleFromNodes() {
	control := exampleNode("control-0", "amd64", "master")
	control.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/master", Effect: corev1.TaintEffectNoSchedule}}

	n := payloadarch.FromNodes([]corev1.Node{control, exampleNode("worker-0", "arm64", "worker"), exampleNode("worker-1", "s390x", "worker")})
	fmt.Println("control plane:", n.ControlPlane)
	fmt.Println("workload:", n.Workload)
	fmt.Println("heterogeneous:", n.Heterogeneous())
	// Output:
	// control plane: amd64
	// workload: arm64,s390x
	// heterogeneous: true
}

func ExampleFromPools() {
	pool := func(name string) mcfgv1.MachineConfigPool {
		return mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: mcfgv1.MachineConfigPoolSpec{
			NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"node-role.kubernetes.io/" + name: ""}}}}
	}
	infra := exampleNode("worker-1", "arm64", "worker")
	infra.Labels["node-role.kubernetes.io/infra"] = ""

	p := payloadarch.FromPools(
		[]mcfgv1.MachineConfigPool{pool("worker"), pool("infra")},
		[]corev1.Node{exampleNode("worker-0", "amd64", "worker"), infra},
	)
	for _, item := range p.Items {
		fmt.Println(item.Name, item.Architectures, item.Nodes)
	}
	// Output:
	// infra arm64 [worker-1]
	// worker amd64 [worker-0]
}

// A set is stored as its text, and read back from what somebody may have edited.
func ExampleParseSet() {
	s := payloadarch.SetOf("s390x", "amd64")
	fmt.Println(s, payloadarch.ParseSet(" s390x, amd64 ,") == s)
	// Output: amd64,s390x true
}
