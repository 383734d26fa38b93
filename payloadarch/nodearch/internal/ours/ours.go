// Package ours puts package nodearch in the terms of nodearchtest. The tests of both
// need it: the one to hold nodearch to the rules, the other to break it.
package ours

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

// Impl returns the functions of package nodearch.
func Impl() nodearchtest.Impl {
	return nodearchtest.Impl{
		Architecture: func(n corev1.Node) string { return nodearch.FromNodes([]corev1.Node{n}).All.String() },
		Nodes:        nodes,
		Pools:        pools,
	}
}

func nodes(list []corev1.Node) nodearchtest.Nodes {
	n := nodearch.FromNodes(list)
	answer := nodearchtest.Nodes{
		All: names(n.All), ControlPlane: names(n.ControlPlane), Workload: names(n.Workload), Other: map[string][]string{},
		Heterogeneous: n.Heterogeneous(), Complete: !n.Incomplete, Told: told(n.Findings),
	}
	for _, o := range n.Other {
		answer.Other[o.Name] = names(o.Architectures)
	}
	return answer
}

func pools(list []nodearchtest.Pool, nodes []corev1.Node) nodearchtest.Pools {
	p := nodearch.FromPools(Selectors(list), nodes)
	answer := nodearchtest.Pools{Pools: map[string]nodearchtest.PoolNodes{}, Told: told(p.Findings)}
	for _, item := range p.Items {
		answer.Pools[item.Name] = nodearchtest.PoolNodes{Architectures: names(item.Architectures), Nodes: item.Nodes, Complete: !item.Incomplete}
	}
	for _, problem := range p.Problems {
		answer.Problems = append(answer.Problems, problem.Error())
	}
	return answer
}

// Selectors returns pools as package nodearch takes them.
func Selectors(list []nodearchtest.Pool) (selectors []nodearch.PoolSelector) {
	for _, p := range list {
		selectors = append(selectors, nodearch.PoolSelector{Name: p.Name, NodeSelector: p.Selector})
	}
	return selectors
}

func names(s payloadarch.Set) []string { return slices.Collect(s.All()) }

func told(findings []nodearch.Finding) (texts []string) {
	for _, f := range findings {
		texts = append(texts, f.String())
	}
	return texts
}
