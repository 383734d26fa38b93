package nodearch_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

func exampleNode(name, arch, role string) corev1.Node {
	return corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
		"kubernetes.io/arch": arch, "kubernetes.io/os": "linux", "node-role.kubernetes.io/" + role: "",
	}}}
}

func ExampleFromNodes() {
	control := exampleNode("control-0", "amd64", "master")
	control.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/master", Effect: corev1.TaintEffectNoSchedule}}

	n := nodearch.FromNodes([]corev1.Node{control, exampleNode("worker-0", "arm64", "worker"), exampleNode("worker-1", "s390x", "worker")})
	fmt.Println("control plane:", n.ControlPlane)
	fmt.Println("workload:", n.Workload)
	fmt.Println("heterogeneous:", n.Heterogeneous())
	fmt.Println(n.Reason)
	// Output:
	// control plane: amd64
	// workload: arm64,s390x
	// heterogeneous: true
	// Complete
}

// Architectures that are not there in an incomplete answer may yet come.
func ExampleFromNodes_incomplete() {
	joining := exampleNode("worker-1", "", "worker")

	n := nodearch.FromNodes([]corev1.Node{exampleNode("worker-0", "amd64", "worker"), joining})
	fmt.Println(n.Workload, n.Incomplete, n.Reason)
	fmt.Println(n.Field)
	// Output:
	// amd64 true ArchitectureMissing
	// nodes[worker-1].metadata.labels[kubernetes.io/arch]
}

func ExampleFromPools() {
	pool := func(name string) nodearch.PoolSelector {
		return nodearch.PoolSelector{Name: name, NodeSelector: &metav1.LabelSelector{
			MatchLabels: map[string]string{"node-role.kubernetes.io/" + name: ""}}}
	}
	infra := exampleNode("worker-1", "arm64", "worker")
	infra.Labels["node-role.kubernetes.io/infra"] = ""

	p := nodearch.FromPools(
		[]nodearch.PoolSelector{pool("worker"), pool("infra")},
		[]corev1.Node{exampleNode("worker-0", "amd64", "worker"), infra},
	)
	for _, item := range p.Items {
		fmt.Println(item.Name, item.Architectures, item.Nodes)
	}
	// Output:
	// infra arm64 [worker-1]
	// worker amd64 [worker-0]
}
