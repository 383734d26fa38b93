package nodearch_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// Every set of four pools, over nodes of every set of their labels.
func TestFromPoolsAgainstOracle(t *testing.T) {
	names := []string{"gpu", "infra", "master", "worker"}
	subset := func(mask int) (out []string) {
		for i, n := range names {
			if mask&(1<<i) != 0 {
				out = append(out, n)
			}
		}
		return out
	}
	var nodes []corev1.Node
	labels := map[string][]string{}
	for mask := range 16 {
		n := node("node-"+string(rune('a'+mask)), "amd64")
		for _, r := range subset(mask) {
			role(r)(&n)
		}
		labels[n.Name] = subset(mask)
		nodes = append(nodes, n)
	}
	for mask := range 16 {
		var pools []nodearch.PoolSelector
		for _, n := range subset(mask) {
			pools = append(pools, pool(n))
		}
		want, conflicts := map[string][]string{}, 0
		for _, n := range nodes {
			matching := func(name string) bool {
				return slices.Contains(subset(mask), name) && slices.Contains(labels[n.Name], name)
			}
			switch {
			case matching("gpu") && matching("infra"):
				conflicts++
			case matching("master"):
				want["master"] = append(want["master"], n.Name)
			case matching("gpu"):
				want["gpu"] = append(want["gpu"], n.Name)
			case matching("infra"):
				want["infra"] = append(want["infra"], n.Name)
			case matching("worker"):
				want["worker"] = append(want["worker"], n.Name)
			}
		}
		got := nodearch.FromPools(pools, nodes)
		if len(got.Items) != len(pools) || len(got.Problems) != conflicts {
			t.Errorf("pools %v: %d items and %d problems, want %d and %d", subset(mask), len(got.Items), len(got.Problems), len(pools), conflicts)
		}
		for _, item := range got.Items {
			if !slices.Equal(item.Nodes, want[item.Name]) {
				t.Errorf("pools %v: %s has %v, want %v", subset(mask), item.Name, item.Nodes, want[item.Name])
			}
		}
	}
}
