package nodearchtest

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A CompleteCase is nodes and pools, and which sets are complete.
type CompleteCase struct {
	Rule, Name string
	Pools      []Pool
	Nodes      []corev1.Node
	// Pool is the pool that the row is about, empty for the cluster.
	Pool string
	Want bool
}

// CompleteCases returns the rows of what is complete.
func CompleteCases() []CompleteCase {
	const none, selector, conflict, missing, otherwise = "no-nodes-incomplete", "unreadable-selector-incomplete", "pool-conflict-incomplete", "missing-architecture-incomplete", "complete-otherwise"
	w, infra, gpu := Role("worker"), Role("infra"), Role("gpu")
	twoCustom := []corev1.Node{Node("b", "arm64", w, infra, gpu), Node("a", "amd64", w)}
	noArch := []corev1.Node{Node("a", "", infra), Node("b", "amd64", w)}
	told := []corev1.Node{Node("a", "amd64", w), Node("b", "arm64", w)}
	return []CompleteCase{
		{none, "a list that an informer has not synced", nil, nil, "", false},
		{none, "a pool", standard(), nil, "worker", false},
		{selector, "its own", []Pool{UnreadablePool("infra"), PoolOf("worker")}, told, "infra", false},
		{selector, "that of any pool", []Pool{UnreadablePool("infra"), PoolOf("worker")}, told, "worker", false},
		{conflict, "the pools that claim the node", standard(), twoCustom, "gpu", false},
		{conflict, "a pool that matches it too", standard(), twoCustom, "worker", false},
		{conflict, "not a pool that does not", standard(), twoCustom, "master", true},
		{missing, "a node of the cluster", nil, []corev1.Node{Node("a", "amd64"), Node("b", "", NoLabel(corev1.LabelArchStable))}, "", false},
		{missing, "blanks are none", nil, []corev1.Node{Node("a", " \t")}, "", false},
		{missing, "what is malformed is none", nil, []corev1.Node{Node("a", ",\t,")}, "", false},
		{missing, "a node of the pool", standard(), noArch, "infra", false},
		{missing, "a node of another pool", standard(), noArch, "worker", true},
		{otherwise, "every node has told", nil, told, "", true},
		{otherwise, "an unknown architecture is one", nil, []corev1.Node{Node("a", "riscv64")}, "", true},
		{otherwise, "a pool", standard(), told, "worker", true},
		{otherwise, "a pool without nodes", standard(), told, "infra", true},
	}
}

func completeRows() (rows []row) {
	for _, c := range CompleteCases() {
		r := row{Rule: c.Rule, Name: c.Name, Implemented: hasNodes, Call: func(i Impl) outcome {
			return outcome{Input: c.Nodes, Want: c.Want, Got: i.Nodes(copyNodes(c.Nodes)).Complete}
		}}
		if c.Pool != "" {
			r.Implemented, r.Call = hasPools, func(i Impl) outcome {
				return outcome{Input: []any{c.Pools, c.Nodes}, Want: c.Want, Got: i.Pools(copyPools(c.Pools), copyNodes(c.Nodes)).Pools[c.Pool].Complete}
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// textRows shows values of half a megabyte, of which no text repeats more than 128
// characters.
func textRows() (rows []row) {
	huge := strings.Repeat("x", 500_000)
	type texts struct{ Told, Cut bool }
	judge := func(told []string) texts {
		cut := true
		for _, text := range told {
			cut = cut && !strings.Contains(text, huge[:129])
		}
		return texts{len(told) > 0, cut}
	}
	for _, c := range []struct {
		name string
		node corev1.Node
	}{
		{"an unknown name", Node("a", huge)},
		{"a malformed name", Node("a", huge+",")},
		{"two names", Node("a", huge, Reported("y"+huge, "linux"))},
	} {
		rows = append(rows, row{Rule: "texts-cut", Name: c.name, Implemented: hasNodes, Call: func(i Impl) outcome {
			return outcome{Input: "half a megabyte of x", Want: texts{true, true}, Got: judge(i.Nodes([]corev1.Node{*c.node.DeepCopy()}).Told)}
		}})
	}
	infra, gpu := PoolOf("infra"), PoolOf("gpu")
	for _, c := range []struct {
		name string
		Placement
	}{
		{"two custom pools", Placement{[]Pool{{huge, infra.Selector}, {"y" + huge, gpu.Selector}}, Node("a", "amd64", Role("infra"), Role("gpu"))}},
		{"a custom pool on a master", Placement{[]Pool{PoolOf("master"), {huge, gpu.Selector}}, Node("a", "amd64", Role("master"), Role("gpu"))}},
		{"a selector that cannot be read", Placement{[]Pool{{"p", &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
			{Key: "a", Operator: metav1.LabelSelectorOperator(huge), Values: []string{huge}}}}}}, Node("a", "amd64")}},
	} {
		rows = append(rows, row{Rule: "texts-cut", Name: c.name, Implemented: hasPools, Call: func(i Impl) outcome {
			got := i.Pools(copyPools(c.Pools), copyNodes([]corev1.Node{c.Node}))
			return outcome{Input: "half a megabyte of x", Want: texts{true, true}, Got: judge(append(got.Problems, got.Told...))}
		}})
	}
	return rows
}
