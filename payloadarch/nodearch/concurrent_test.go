package nodearch_test

import (
	"strconv"
	"testing"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	nodes := nodesForCopying()
	pools := []nodearch.PoolSelector{unreadablePool("x"), pool("worker"), pool("infra"), pool("gpu")}
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			nodearch.FromNodes(nodes)
			nodearch.FromPools(pools, nodes)
		})
	}
}
