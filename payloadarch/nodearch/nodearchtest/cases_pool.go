package nodearchtest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// A Placement is a node among pools.
type Placement struct {
	Pools []Pool
	Node  corev1.Node
}

// A PlacementCase is a node and the pool that has it, empty for none.
type PlacementCase struct {
	Rule, Name string
	Placement
	Want string
}

func standard() []Pool {
	return []Pool{PoolOf("worker"), PoolOf("master"), PoolOf("infra"), PoolOf("gpu")}
}

// PlacementCases returns the rows of Pools for one node.
func PlacementCases() []PlacementCase {
	const system, conflict, master, custom, worker, none = "no-pool-for-other-systems", "two-custom-pools", "master-first", "custom-before-worker", "worker-last", "no-pool"
	at := func(edits ...Edit) Placement { return Placement{standard(), Node("a", "amd64", edits...)} }
	w, m, infra, gpu := Role("worker"), Role("master"), Role("infra"), Role("gpu")
	return []PlacementCase{
		{system, "Windows", at(w, Windows), ""},
		{conflict, "of a worker", at(w, infra, gpu), ""},
		{conflict, "of a master, as upstream", at(m, infra, gpu), ""},
		{master, "before worker", at(m, w), "master"},
		{master, "before a custom pool", at(m, w, infra), "master"},
		{custom, "takes its nodes from worker", at(w, infra), "infra"},
		{custom, "without the label of worker", at(infra), "infra"},
		{worker, "and no other", at(w), "worker"},
		{none, "no label", at(), ""},
		{none, "no pool of the label", Placement{standard()[1:], Node("a", "amd64", w)}, ""},
		{none, "no pools", Placement{nil, Node("a", "amd64", w)}, ""},
		{"empty-selector-matches-nothing", "empty", Placement{[]Pool{{"all", &metav1.LabelSelector{}}, PoolOf("worker")}, Node("a", "amd64", w)}, "worker"},
		{"empty-selector-matches-nothing", "nil", Placement{[]Pool{{"all", nil}, PoolOf("worker")}, Node("a", "amd64", w)}, "worker"},
		{"unreadable-selector-matches-nothing", "the other pools are answered", Placement{[]Pool{UnreadablePool("infra"), PoolOf("worker")}, Node("a", "amd64", w, infra)}, "worker"},
	}
}

// A PoolTroubleCase is a node among pools, and whether that has to be mended (Problem)
// or is only odd (Told).
type PoolTroubleCase struct {
	Rule, Name string
	Placement
	Problem, Told bool
}

// PoolTroubleCases returns the rows of what is told about pools.
func PoolTroubleCases() []PoolTroubleCase {
	at := func(edits ...Edit) Placement { return Placement{standard(), Node("a", "amd64", edits...)} }
	w, m, infra, gpu := Role("worker"), Role("master"), Role("infra"), Role("gpu")
	return []PoolTroubleCase{
		{"two-custom-pools-problem", "two custom pools", at(w, infra, gpu), true, false},
		{"two-custom-pools-problem", "one custom pool", at(w, infra), false, false},
		{"custom-pool-on-master-told", "a master with a custom pool's label", at(m, w, infra), false, true},
		{"custom-pool-on-master-told", "a master with the worker's", at(m, w), false, false},
		{"node-without-pool-told", "no pool matches", at(), false, true},
		{"node-without-pool-told", "Windows", at(w, Windows), false, false},
		{"unreadable-selector-problem", "a selector that cannot be read", Placement{[]Pool{UnreadablePool("x"), PoolOf("worker")}, Node("a", "amd64", w)}, true, false},
	}
}

// where is the pool that has the node of the name, empty for none.
func (p Pools) where(node string) (in []string) {
	in = []string{}
	for name, pool := range p.Pools {
		for _, n := range pool.Nodes {
			if n == node {
				in = append(in, name)
			}
		}
	}
	return set(in)
}

func poolRows() (rows []row) {
	for _, c := range PlacementCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasPools, Call: func(i Impl) outcome {
			return placed(i, c.Placement, c.Want)
		}})
	}
	type trouble struct{ Problem, Told bool }
	for _, c := range PoolTroubleCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasPools, Call: func(i Impl) outcome {
			p := i.Pools(copyPools(c.Pools), copyNodes([]corev1.Node{c.Node}))
			return outcome{Input: c.Placement, Want: trouble{c.Problem, c.Told}, Got: trouble{len(p.Problems) > 0, len(p.Told) > 0}}
		}})
	}
	return append(rows, row{Rule: "worker-last", Name: "the architectures of its nodes", Implemented: hasPools, Call: func(i Impl) outcome {
		nodes := []corev1.Node{Node("b", "arm64", Role("worker")), Node("a", "amd64", Role("worker"))}
		got := i.Pools(standard(), copyNodes(nodes)).Pools["worker"]
		return outcome{Input: nodes, Want: [][]string{{"amd64", "arm64"}, {"a", "b"}}, Got: [][]string{set(got.Architectures), set(got.Nodes)}}
	}})
}

func placed(i Impl, p Placement, pool string) outcome {
	want := []string{}
	if pool != "" {
		want = append(want, pool)
	}
	return outcome{Input: p, Want: want, Got: i.Pools(copyPools(p.Pools), copyNodes([]corev1.Node{p.Node})).where(p.Node.Name)}
}

func poolProperties() (properties []property) {
	for _, rule := range placementRules() {
		properties = append(properties, property{Rule: rule, Name: "any node and pools", Implemented: hasPools, Call: func(t *rapid.T, i Impl) outcome {
			p := PlacementOf(rule).Draw(t, "placement")
			_, want := OraclePool(p)
			return placed(i, p, want)
		}})
	}
	return append(properties, property{Rule: "order-and-repetition", Name: "any pools and nodes", Implemented: hasPools, Call: func(t *rapid.T, i Impl) outcome {
		pools, nodes := AnyPools().Draw(t, "pools"), AnyNodes().Draw(t, "nodes")
		a := i.Pools(copyPools(pools), copyNodes(nodes))
		b := i.Pools(copyPools(rapid.Permutation(pools).Draw(t, "order of pools")), copyNodes(rapid.Permutation(nodes).Draw(t, "order of nodes")))
		return outcome{Input: []any{pools, nodes}, Want: a.sets(), Got: b.sets()}
	}})
}

func (p Pools) sets() map[string]PoolNodes {
	all := map[string]PoolNodes{}
	for name, pool := range p.Pools {
		all[name] = PoolNodes{set(pool.Architectures), set(pool.Nodes), pool.Complete}
	}
	return all
}
