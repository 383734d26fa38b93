package nodearchtest

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

// A ClusterCase is the nodes of a cluster and their architectures. Only what is named
// in Want is compared, whether a set is empty or not: see Of.
type ClusterCase struct {
	Rule, Name string
	Nodes      []corev1.Node
	// Of is the part of the answer that the rule is about: All, ControlPlane, Workload
	// or the name of another operating system.
	Of   string
	Want []string
}

const (
	ofAll      = "All"
	ofControl  = "ControlPlane"
	ofWorkload = "Workload"
)

// ClusterCases returns the rows of Nodes.
func ClusterCases() []ClusterCase {
	const all, control, workload, other, system = "all-nodes", "control-plane-by-role", "workload-by-taint", "other-systems-apart", "system-of-a-node"
	mixed := []corev1.Node{ClosedMaster("a", "amd64"), Node("b", "arm64", Role("infra")), Node("c", "s390x", Windows)}
	roles := []corev1.Node{
		Node("a", "amd64", Role("master"), Taint("master", corev1.TaintEffectNoSchedule)),
		Node("b", "arm64", Role("control-plane"), Taint("control-plane", corev1.TaintEffectNoSchedule)),
		Node("c", "s390x", Role("arbiter"), Taint("arbiter", corev1.TaintEffectNoSchedule)),
		Node("d", "ppc64le", Role("worker"))}
	compact := []corev1.Node{OpenMaster("a", "amd64"), OpenMaster("b", "amd64"), OpenMaster("c", "amd64")}
	return []ClusterCase{
		{all, "of whatever role and operating system", mixed, ofAll, []string{"amd64", "arm64", "s390x"}},
		{all, "more than anybody has, each twice", manyNodes(12), ofAll, names(12)},
		{control, "master, control-plane and arbiter", roles, ofControl, []string{"amd64", "arm64", "s390x"}},
		{control, "a hosted control plane", []corev1.Node{Node("a", "arm64", Role("worker"))}, ofControl, nil},
		{control, "a node of Windows is none", []corev1.Node{Node("a", "amd64", Role("master"), Windows)}, ofControl, nil},
		{workload, "without a taint", roles, ofWorkload, []string{"ppc64le"}},
		{workload, "NoExecute closes a node", []corev1.Node{Node("a", "amd64", Taint("control-plane", corev1.TaintEffectNoExecute)), Node("b", "arm64")}, ofWorkload, []string{"arm64"}},
		{workload, "PreferNoSchedule does not", []corev1.Node{Node("a", "amd64", Role("master"), Taint("master", corev1.TaintEffectPreferNoSchedule))}, ofWorkload, []string{"amd64"}},
		{workload, "taints of other roles do not", []corev1.Node{Node("a", "amd64", Role("infra"), Taint("infra", corev1.TaintEffectNoSchedule))}, ofWorkload, []string{"amd64"}},
		{workload, "taints of other domains do not", []corev1.Node{Node("a", "amd64", func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "master", Effect: corev1.TaintEffectNoSchedule}}
		})}, ofWorkload, []string{"amd64"}},
		{workload, "a compact cluster", compact, ofWorkload, []string{"amd64"}},
		{workload, "the role decides nothing", []corev1.Node{ClosedMaster("a", "amd64"), OpenMaster("b", "arm64")}, ofWorkload, []string{"arm64"}},
		{other, "Windows is no workload node of its architecture", []corev1.Node{Node("b", "amd64", Windows), Node("c", "arm64")}, ofWorkload, []string{"arm64"}},
		{other, "by the name of the system", []corev1.Node{Node("a", "amd64", Windows), Node("b", "arm64", Label(corev1.LabelOSStable, "freebsd")), Node("c", "arm64", Windows)},
			"windows", []string{"amd64", "arm64"}},
		{other, "another system", []corev1.Node{Node("a", "amd64", Windows), Node("b", "arm64", Label(corev1.LabelOSStable, "freebsd"))}, "freebsd", []string{"arm64"}},
		{system, "nodeInfo where there is no label", []corev1.Node{Node("a", "amd64", NoLabel(corev1.LabelOSStable), Reported("amd64", "windows"))}, "windows", []string{"amd64"}},
		{system, "Linux where nothing tells", []corev1.Node{Node("a", "amd64", NoLabel(corev1.LabelOSStable), Reported("amd64", ""))}, ofWorkload, []string{"amd64"}},
		{system, "the label first", []corev1.Node{Node("a", "amd64", Reported("amd64", "windows"))}, ofWorkload, []string{"amd64"}},
	}
}

// manyNodes makes n nodes of n architectures, twice, so that each name is met again
// after all the others.
func manyNodes(n int) (nodes []corev1.Node) {
	for i := range 2 * n {
		nodes = append(nodes, Node(fmt.Sprintf("node-%02d", i%n), fmt.Sprintf("a%02d", i%n)))
	}
	return nodes
}

func names(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("a%02d", i))
	}
	return names
}

// of is a part of the answer.
func (n Nodes) of(part string) []string {
	switch part {
	case ofAll:
		return set(n.All)
	case ofControl:
		return set(n.ControlPlane)
	case ofWorkload:
		return set(n.Workload)
	}
	return set(n.Other[part])
}

// A HeterogeneousCase is the nodes of a cluster, and whether they differ.
type HeterogeneousCase struct {
	Name  string
	Nodes []corev1.Node
	Want  bool
}

// HeterogeneousCases returns the rows of Nodes.Heterogeneous.
func HeterogeneousCases() []HeterogeneousCase {
	return []HeterogeneousCase{
		{"all alike", []corev1.Node{ClosedMaster("a", "amd64"), Node("b", "amd64"), Node("c", "amd64")}, false},
		{"two spellings of one architecture", []corev1.Node{Node("a", "amd64"), Node("b", "x86_64")}, false},
		{"workload nodes are alike, the control plane is not", []corev1.Node{ClosedMaster("a", "arm64"), Node("b", "amd64")}, true},
		{"a node of Windows differs", []corev1.Node{Node("a", "arm64"), Node("b", "amd64", Windows)}, true},
		{"an unknown architecture differs", []corev1.Node{Node("a", "riscv64"), Node("b", "amd64")}, true},
		{"a node that has told nothing", []corev1.Node{Node("a", ""), Node("b", "amd64")}, false},
		{"a node that reports two architectures", []corev1.Node{Node("a", "", Reported("amd64,arm64", "linux")), Node("b", "amd64")}, false},
		{"no nodes", nil, false},
	}
}

func clusterRows() (rows []row) {
	for _, c := range ClusterCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasNodes, Call: func(i Impl) outcome {
			return outcome{Input: c.Nodes, Want: set(c.Want), Got: i.Nodes(copyNodes(c.Nodes)).of(c.Of)}
		}})
	}
	for _, c := range HeterogeneousCases() {
		rows = append(rows, row{Rule: "heterogeneous-by-nodes", Name: c.Name, Implemented: hasNodes, Call: func(i Impl) outcome {
			return outcome{Input: c.Nodes, Want: c.Want, Got: i.Nodes(copyNodes(c.Nodes)).Heterogeneous}
		}})
	}
	return rows
}

// sets is an answer without its texts.
type sets struct {
	All, ControlPlane, Workload []string
	Other                       map[string][]string
	Heterogeneous, Complete     bool
}

func (n Nodes) sets() sets {
	other := map[string][]string{}
	for os, list := range n.Other {
		if len(list) > 0 {
			other[os] = set(list)
		}
	}
	return sets{set(n.All), set(n.ControlPlane), set(n.Workload), other, n.Heterogeneous, n.Complete}
}

func clusterProperties() []property {
	part := func(rule string, of ...string) property {
		return property{Rule: rule, Name: "any nodes", Implemented: hasNodes, Call: func(t *rapid.T, i Impl) outcome {
			nodes := PlainNodes().Draw(t, "nodes")
			want, got := OracleNodes(nodes), i.Nodes(copyNodes(nodes))
			var wants, gots [][]string
			for _, p := range of {
				wants, gots = append(wants, want.of(p)), append(gots, got.of(p))
			}
			return outcome{Input: nodes, Want: wants, Got: gots}
		}}
	}
	return []property{
		part("all-nodes", ofAll),
		part("control-plane-by-role", ofControl),
		part("workload-by-taint", ofWorkload),
		part("other-systems-apart", "windows", "freebsd"),
		{Rule: "heterogeneous-by-nodes", Name: "any nodes", Implemented: hasNodes, Call: func(t *rapid.T, i Impl) outcome {
			nodes := PlainNodes().Draw(t, "nodes")
			return outcome{Input: nodes, Want: OracleNodes(nodes).Heterogeneous, Got: i.Nodes(copyNodes(nodes)).Heterogeneous}
		}},
		{Rule: "order-and-repetition", Name: "any nodes", Implemented: hasNodes, Call: func(t *rapid.T, i Impl) outcome {
			nodes := AnyNodes().Draw(t, "nodes")
			again := append(rapid.Permutation(nodes).Draw(t, "order"), nodes...)
			return outcome{Input: [][]corev1.Node{nodes, again}, Want: i.Nodes(copyNodes(nodes)).sets(), Got: i.Nodes(copyNodes(again)).sets()}
		}},
	}
}
