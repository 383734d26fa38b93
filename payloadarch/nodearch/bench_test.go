package nodearch_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// The floor of the node decisions is one look at each node: their time grows as
// the number of nodes does.
func BenchmarkNodes(b *testing.B) {
	pools := []nodearch.PoolSelector{pool("master"), pool("worker"), pool("infra")}
	for _, n := range []int{100, 1000} {
		nodes := make([]corev1.Node, 0, n)
		for i := range n {
			nodes = append(nodes, node(fmt.Sprintf("node-%04d", i), []string{"amd64", "arm64"}[i%2], role("worker")))
		}
		b.Run(fmt.Sprintf("FromNodes/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				nodearch.FromNodes(nodes)
			}
		})
		b.Run(fmt.Sprintf("FromPools/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				nodearch.FromPools(pools, nodes)
			}
		})
	}
}
