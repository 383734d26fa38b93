package nodearch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

var (
	anyArchitecture = rapid.SampledFrom([]string{"", "amd64", "arm64", "ppc64le", "s390x", "x86_64", "AMD64", "aarch64", "riscv64", " arm64 ", ",", "a,b", ",\t,", "RISCV64"})
	anyOS           = rapid.SampledFrom([]string{"", "linux", "linux", "linux", "windows", "freebsd"})
	anyRole         = rapid.SampledFrom([]string{"master", "control-plane", "arbiter", "worker", "infra", "gpu"})
	anyEffect       = rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule})
)

// anyNode may lack anything but its name.
func anyNode(name string) *rapid.Generator[corev1.Node] {
	return rapid.Custom(func(t *rapid.T) corev1.Node {
		var n corev1.Node
		n.Name = name
		n.Status.NodeInfo.Architecture = anyArchitecture.Draw(t, "nodeInfo.architecture")
		n.Status.NodeInfo.OperatingSystem = anyOS.Draw(t, "nodeInfo.operatingSystem")
		if rapid.Bool().Draw(t, "labels") {
			n.Labels = map[string]string{
				corev1.LabelArchStable: anyArchitecture.Draw(t, "arch"),
				corev1.LabelOSStable:   anyOS.Draw(t, "os"),
			}
			for _, r := range rapid.SliceOfN(anyRole, 0, 3).Draw(t, "roles") {
				role(r)(&n)
			}
		}
		for range rapid.IntRange(0, 2).Draw(t, "taints") {
			taint(anyRole.Draw(t, "taint"), anyEffect.Draw(t, "effect"))(&n)
		}
		return n
	})
}

func anyNodes(t *rapid.T) []corev1.Node {
	var nodes []corev1.Node
	for i := range rapid.IntRange(0, 6).Draw(t, "nodes") {
		nodes = append(nodes, anyNode("node-"+string(rune('a'+i))).Draw(t, "node"))
	}
	return nodes
}

func anyPools(t *rapid.T) []nodearch.PoolSelector {
	var pools []nodearch.PoolSelector
	for _, name := range rapid.SliceOfDistinct(anyRole, rapid.ID).Draw(t, "pools") {
		if rapid.IntRange(0, 9).Draw(t, "unreadable") == 0 {
			pools = append(pools, unreadablePool(name))
		} else {
			pools = append(pools, pool(name))
		}
	}
	return pools
}

func union(sets ...payloadarch.Set) payloadarch.Set {
	var u payloadarch.Set
	for _, s := range sets {
		u = u.Union(s)
	}
	return u
}

func TestNodesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := anyNodes(t)
		got := nodearch.FromNodes(nodes)

		shuffled := append(rapid.Permutation(nodes).Draw(t, "order"), nodes...)
		if diff := cmp.Diff(got, nodearch.FromNodes(shuffled)); diff != "" {
			t.Errorf("order or repetition matters:\n%s", diff)
		}
		parts := []payloadarch.Set{got.ControlPlane, got.Workload}
		for _, o := range got.Other {
			parts = append(parts, o.Architectures)
			if o.Name == "linux" || o.Name == "" || o.Architectures.Len() == 0 {
				t.Errorf("other operating system %+v", o)
			}
		}
		if u := union(append(parts, got.All)...); u != got.All {
			t.Errorf("a part of %q holds more: %q", got.All, u)
		}
		// No node brings more than one architecture, and what it brings is one token.
		if got.All.Len() > len(nodes) {
			t.Errorf("%d nodes are of %q", len(nodes), got.All)
		}
		for a := range got.All.All() {
			if strings.Trim(a, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
				t.Errorf("%q is no architecture", a)
			}
		}
		if got.All.Len() == 0 && !got.Incomplete {
			t.Error("an empty set is complete")
		}
		// A node more takes nothing away.
		more := nodearch.FromNodes(append(slices.Clone(nodes), anyNode("more").Draw(t, "more")))
		if more.All.Union(got.All) != more.All || more.Workload.Union(got.Workload) != more.Workload {
			t.Errorf("a node more made %q of %q and %q of %q", more.All, got.All, more.Workload, got.Workload)
		}
		if got.Incomplete && len(nodes) > 0 && !more.Incomplete {
			t.Error("a node more made an incomplete answer complete")
		}
		if !slices.IsSortedFunc(got.Findings, func(a, b nodearch.Finding) int { return strings.Compare(a.Path, b.Path) }) {
			t.Errorf("findings are out of order: %v", got.Findings)
		}
	})
}

func TestPoolsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pools, nodes := anyPools(t), anyNodes(t)
		got := nodearch.FromPools(pools, nodes)

		again := nodearch.FromPools(rapid.Permutation(pools).Draw(t, "pool order"), rapid.Permutation(nodes).Draw(t, "node order"))
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("order matters:\n%s", diff)
		}
		all := nodearch.FromNodes(nodes).All
		owner := map[string]string{}
		for _, p := range got.Items {
			if u := all.Union(p.Architectures); u != all {
				t.Errorf("pool %s has %q, the nodes %q", p.Name, p.Architectures, all)
			}
			for _, n := range p.Nodes {
				if owner[n] != "" {
					t.Errorf("node %s is in %s and in %s", n, owner[n], p.Name)
				}
				owner[n] = p.Name
			}
		}
		if len(got.Items) != len(pools) {
			t.Errorf("%d answers for %d pools", len(got.Items), len(pools))
		}
	})
}
