package nodearch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
	"github.com/polyarch/polyarch/payloadarch/nodearch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

func union(sets ...payloadarch.Set) payloadarch.Set {
	var u payloadarch.Set
	for _, s := range sets {
		u = u.Union(s)
	}
	return u
}

func TestNodesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := nodearchtest.AnyNodes().Draw(t, "nodes")
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
		more := nodearch.FromNodes(append(slices.Clone(nodes), nodearchtest.AnyNode("more").Draw(t, "more")))
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
		pools, nodes := ours.Selectors(nodearchtest.AnyPools().Draw(t, "pools")), nodearchtest.AnyNodes().Draw(t, "nodes")
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
