package nodearch_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// Each decision is made twice over equal arguments. The arguments must come out
// as they went in, and the first answer must stay what it is after its arguments
// have been overwritten.

func TestFromNodesKeepsNothing(t *testing.T) {
	nodes := nodesForCopying()
	keepsNothing(t, func() any { return nodearch.FromNodes(nodes) },
		func() any { return copyNodes(nodes) },
		func() { scribbleNodes(nodes) })
}

func TestFromPoolsKeepsNothing(t *testing.T) {
	nodes := nodesForCopying()
	pools := []nodearch.PoolSelector{unreadablePool("x"), pool("worker"), pool("infra"), pool("gpu")}
	keepsNothing(t, func() any { return nodearch.FromPools(pools, nodes) },
		func() any {
			var p []nodearch.PoolSelector
			for i := range pools {
				p = append(p, nodearch.PoolSelector{Name: pools[i].Name, NodeSelector: pools[i].NodeSelector.DeepCopy()})
			}
			return []any{p, copyNodes(nodes)}
		},
		func() {
			pools[0].NodeSelector.MatchExpressions[0].Key = "scribble"
			clear(pools)
			scribbleNodes(nodes)
		})
}

// keepsNothing runs decide over arguments that snapshot copies and scribble
// overwrites.
func keepsNothing(t *testing.T, decide, snapshot func() any, scribble func()) {
	t.Helper()
	before := snapshot()
	first, second := decide(), decide()
	if diff := cmp.Diff(before, snapshot()); diff != "" {
		t.Errorf("an argument was changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("two answers differ:\n%s", diff)
	}
	text := asText(t, first)
	scribble()
	if diff := cmp.Diff(text, asText(t, first)); diff != "" {
		t.Errorf("the answer changed with its arguments:\n%s", diff)
	}
}

func asText(t *testing.T, answer any) string {
	t.Helper()
	data, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func nodesForCopying() []corev1.Node {
	return []corev1.Node{
		node("b", "x86_64", role("worker")),
		node("a", "mips", role("worker"), role("infra"), role("gpu"), taint("master", corev1.TaintEffectNoSchedule)),
		node("c", "arm64", role("infra"), reported("amd64", "linux")),
	}
}

func copyNodes(nodes []corev1.Node) []corev1.Node {
	var out []corev1.Node
	for i := range nodes {
		out = append(out, *nodes[i].DeepCopy())
	}
	return out
}

func scribbleNodes(nodes []corev1.Node) {
	for i := range nodes {
		clear(nodes[i].Labels)
		clear(nodes[i].Spec.Taints)
	}
	clear(nodes)
}
