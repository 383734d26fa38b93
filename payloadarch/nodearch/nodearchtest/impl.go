package nodearchtest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Nodes are the architectures of the nodes of a cluster, as GOARCH strings in any order.
type Nodes struct {
	// All are those of every node.
	All []string
	// ControlPlane are those of the Linux nodes of the control plane, Workload those of
	// the Linux nodes that take ordinary pods.
	ControlPlane, Workload []string
	// Other are those of the nodes of other operating systems, by the name of the system.
	Other map[string][]string
	// Heterogeneous is true if the nodes are of more than one architecture.
	Heterogeneous bool
	// Complete is true if every node has told its architecture.
	Complete bool
	// Told are texts for an administrator about what is odd.
	Told []string
}

// A Pool is a machine config pool, as far as it places nodes.
type Pool struct {
	Name     string
	Selector *metav1.LabelSelector // spec.nodeSelector
}

// A PoolNodes is what is in a pool.
type PoolNodes struct {
	// Architectures are those of its nodes, and Nodes their names.
	Architectures, Nodes []string
	// Complete is true if it is settled which nodes are in the pool, and each has told
	// its architecture.
	Complete bool
}

// Pools are what is in each pool.
type Pools struct {
	Pools map[string]PoolNodes
	// Problems are texts for an administrator about what has to be mended, Told about
	// what is only odd.
	Problems, Told []string
}

// Impl is an implementation of the decisions, or of some of them. A function that is
// nil is not implemented. None may change its arguments.
type Impl struct {
	// Architecture returns the architecture of a node, empty if it has none yet.
	Architecture func(corev1.Node) string
	// Nodes returns those of the nodes of a cluster.
	Nodes func([]corev1.Node) Nodes
	// Pools returns those of the nodes of each pool.
	Pools func([]Pool, []corev1.Node) Pools
}
