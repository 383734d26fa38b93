package nodearch_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

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

// Clusters of more names than anybody has, where each set is gathered in a map.
func TestFromNodesAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var nodes []corev1.Node
		all, control, loads, windowsOnes := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		for i := range rapid.IntRange(1, 60).Draw(t, "nodes") {
			arch := fmt.Sprintf("a%d", rapid.IntRange(0, 20).Draw(t, "arch"))
			all[arch] = true
			name := fmt.Sprintf("node-%d", i)
			switch rapid.IntRange(0, 3).Draw(t, "sort") {
			case 0:
				nodes = append(nodes, closedMaster(name, arch))
				control[arch] = true
			case 1:
				nodes = append(nodes, openMaster(name, arch))
				control[arch], loads[arch] = true, true
			case 2:
				nodes = append(nodes, node(name, arch))
				loads[arch] = true
			case 3:
				nodes = append(nodes, node(name, arch, windows))
				windowsOnes[arch] = true
			}
		}
		text := func(names map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(names)), ",") }
		got := nodearch.FromNodes(nodes)
		other := ""
		if len(got.Other) > 0 {
			other = got.Other[0].Architectures.String()
		}
		want := [4]string{text(all), text(control), text(loads), text(windowsOnes)}
		if have := [4]string{got.All.String(), got.ControlPlane.String(), got.Workload.String(), other}; have != want {
			t.Errorf("got %q, want %q", have, want)
		}
	})
}
