package controller

import (
	"cmp"
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// read lists the pools and the nodes.
func read(ctx context.Context, reader client.Reader) ([]mcfgv1.MachineConfigPool, []corev1.Node, error) {
	var pools mcfgv1.MachineConfigPoolList
	if err := reader.List(ctx, &pools); err != nil {
		return nil, nil, err
	}
	var nodes corev1.NodeList
	err := reader.List(ctx, &nodes)
	return pools.Items, nodes.Items, err
}

// inPools says which nodes are in which pool: that depends on all pools.
func inPools(pools []mcfgv1.MachineConfigPool, nodes []corev1.Node) []nodearch.Pool {
	var selectors []nodearch.PoolSelector
	for _, p := range pools {
		selectors = append(selectors, nodearch.PoolSelector{Name: p.Name, NodeSelector: p.Spec.NodeSelector})
	}
	return nodearch.FromPools(selectors, nodes).Items
}

// nodesOf are the nodes of one pool.
func nodesOf(ctx context.Context, reader client.Reader, pool string) ([]corev1.Node, error) {
	pools, nodes, err := read(ctx, reader)
	if err != nil {
		return nil, err
	}
	var own []string
	for _, p := range inPools(pools, nodes) {
		if p.Name == pool {
			own = p.Nodes
		}
	}
	return slices.DeleteFunc(nodes, func(n corev1.Node) bool { return !slices.Contains(own, n.Name) }), nil
}

// tolerations are for what keeps pods off nodes of the pool for good: the nodes of
// an architecture may all be tainted, and the pool's own are then the only ones that
// its image can be built on. What says that a node is unwell is not tolerated.
func tolerations(nodes []corev1.Node) []corev1.Toleration {
	var all []corev1.Toleration
	for _, n := range nodes {
		for _, t := range n.Spec.Taints {
			if t.Effect == corev1.TaintEffectPreferNoSchedule || isCondition(t.Key) {
				continue
			}
			toleration := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpEqual, Value: t.Value, Effect: t.Effect}
			if !slices.Contains(all, toleration) {
				all = append(all, toleration)
			}
		}
	}
	slices.SortFunc(all, func(a, b corev1.Toleration) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Effect, b.Effect))
	})
	return all
}

// isCondition reports whether Kubernetes or a cloud provider sets the taint while a
// node is not ready, under pressure, cordoned or not yet set up.
func isCondition(key string) bool {
	return strings.HasPrefix(key, "node.kubernetes.io/") || strings.HasPrefix(key, "node.cloudprovider.kubernetes.io/")
}
