package nodearchtest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const rolePrefix = "node-role.kubernetes.io/"

// An Edit changes a node.
type Edit = func(*corev1.Node)

// Node makes a Linux node with the label and the nodeInfo that a kubelet sets.
func Node(name, arch string, edits ...Edit) corev1.Node {
	var n corev1.Node
	n.Name = name
	n.Labels = map[string]string{corev1.LabelArchStable: arch, corev1.LabelOSStable: "linux"}
	n.Status.NodeInfo.Architecture = arch
	n.Status.NodeInfo.OperatingSystem = "linux"
	for _, edit := range edits {
		edit(&n)
	}
	return n
}

// Label gives a node a label.
func Label(key, value string) Edit { return func(n *corev1.Node) { n.Labels[key] = value } }

// NoLabel takes a label from a node.
func NoLabel(key string) Edit { return func(n *corev1.Node) { delete(n.Labels, key) } }

// Role gives a node the label of a role.
func Role(name string) Edit { return Label(rolePrefix+name, "") }

// Taint gives a node a taint of a role.
func Taint(role string, effect corev1.TaintEffect) Edit {
	return func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: rolePrefix + role, Effect: effect})
	}
}

// Reported is what the kubelet of a node reports.
func Reported(arch, os string) Edit {
	return func(n *corev1.Node) { n.Status.NodeInfo.Architecture, n.Status.NodeInfo.OperatingSystem = arch, os }
}

// Windows makes a node one of Windows.
func Windows(n *corev1.Node) {
	n.Labels[corev1.LabelOSStable] = "windows"
	n.Status.NodeInfo.OperatingSystem = "windows"
}

// ClosedMaster makes a control plane node that takes no ordinary pods.
func ClosedMaster(name, arch string) corev1.Node {
	return Node(name, arch, Role("control-plane"), Role("master"), Taint("master", corev1.TaintEffectNoSchedule))
}

// OpenMaster makes a control plane node that does, as on a compact cluster.
func OpenMaster(name, arch string) corev1.Node {
	return Node(name, arch, Role("control-plane"), Role("master"), Role("worker"))
}

// PoolOf makes a pool that takes the nodes with a role label of its own name.
func PoolOf(name string) Pool {
	return Pool{name, &metav1.LabelSelector{MatchLabels: map[string]string{rolePrefix + name: ""}}}
}

// UnreadablePool makes a pool whose selector cannot be read.
func UnreadablePool(name string) Pool {
	return Pool{name, &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: rolePrefix + name, Operator: "Near"}}}}
}

func copyNodes(nodes []corev1.Node) (copies []corev1.Node) {
	for i := range nodes {
		copies = append(copies, *nodes[i].DeepCopy())
	}
	return copies
}

func copyPools(pools []Pool) (copies []Pool) {
	for _, p := range pools {
		copies = append(copies, Pool{p.Name, p.Selector.DeepCopy()})
	}
	return copies
}
