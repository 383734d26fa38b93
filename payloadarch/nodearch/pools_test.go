package nodearch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

// pool makes a pool that takes the nodes with a role label of its own name.
func pool(name string) nodearch.PoolSelector { return selector(nodearchtest.PoolOf(name)) }

func unreadablePool(name string) nodearch.PoolSelector {
	return selector(nodearchtest.UnreadablePool(name))
}

func poolWith(name string, s *metav1.LabelSelector) nodearch.PoolSelector {
	return nodearch.PoolSelector{Name: name, NodeSelector: s}
}

func selector(p nodearchtest.Pool) nodearch.PoolSelector { return poolWith(p.Name, p.Selector) }

func TestFromPools(t *testing.T) {
	type item struct {
		Name, Architectures string
		Nodes               []string
		Gap                 gap
	}
	type answer struct {
		Items    []item
		Problems []problem
		Findings []finding
	}
	worker, infra, gpu := role("worker"), role("infra"), role("gpu")
	pools := []nodearch.PoolSelector{pool("worker"), pool("master"), pool("infra"), pool("gpu")}
	empty := func(names ...string) []item {
		var items []item
		for _, n := range names {
			items = append(items, item{Name: n})
		}
		return items
	}
	inA := gap{nodearch.ReasonPoolConflict, "nodes[a].metadata.labels"}
	inB := gap{nodearch.ReasonPoolConflict, "nodes[b].metadata.labels"}
	badGPU := gap{nodearch.ReasonSelectorUnreadable, "machineconfigpools[gpu].spec.nodeSelector"}
	badX := gap{nodearch.ReasonSelectorUnreadable, "machineconfigpools[x].spec.nodeSelector"}
	noArch := gap{nodearch.ReasonArchitectureMissing, "nodes[a].metadata.labels[kubernetes.io/arch]"}
	noNodes := gap{nodearch.ReasonNoNodes, "nodes"}
	for _, tc := range []struct {
		name  string
		pools []nodearch.PoolSelector
		nodes []corev1.Node
		want  answer
	}{
		{"16: master wins over a custom pool", pools, []corev1.Node{node("a", "amd64", role("master"), worker, infra)},
			answer{Items: []item{{Name: "gpu"}, {Name: "infra"}, {Name: "master", Architectures: "amd64", Nodes: []string{"a"}}, {Name: "worker"}},
				Findings: []finding{{nodearch.FindingMasterWins, "nodes[a].metadata.labels"}}}},
		{"15,24: two custom pools", pools, []corev1.Node{node("b", "arm64", worker, infra, gpu), node("a", "amd64", worker)},
			answer{Items: []item{{Name: "gpu", Gap: inB}, {Name: "infra", Gap: inB}, {Name: "master"},
				{Name: "worker", Architectures: "amd64", Nodes: []string{"a"}, Gap: inB}},
				Problems: []problem{{field.ErrorTypeInvalid, "nodes[b].metadata.labels"}}}},
		{"15,24: two custom pools on a master, as upstream", pools, []corev1.Node{node("a", "arm64", role("master"), infra, gpu)},
			answer{Items: []item{{Name: "gpu", Gap: inA}, {Name: "infra", Gap: inA}, {Name: "master", Gap: inA}, {Name: "worker"}},
				Problems: []problem{{field.ErrorTypeInvalid, "nodes[a].metadata.labels"}}}},
		{"19: no pool matches", pools, []corev1.Node{node("a", "amd64")},
			answer{Items: empty("gpu", "infra", "master", "worker"), Findings: []finding{{nodearch.FindingNodeWithoutPool, "nodes[a].metadata.labels"}}}},
		{"21,23: a selector that cannot be read", []nodearch.PoolSelector{unreadablePool("infra"), pool("worker"), unreadablePool("gpu")},
			[]corev1.Node{node("a", "amd64", worker)},
			answer{Items: []item{{Name: "gpu", Gap: badGPU}, {Name: "infra", Gap: badGPU},
				{Name: "worker", Architectures: "amd64", Nodes: []string{"a"}, Gap: badGPU}},
				Problems: []problem{
					{field.ErrorTypeInvalid, "machineconfigpools[gpu].spec.nodeSelector"},
					{field.ErrorTypeInvalid, "machineconfigpools[infra].spec.nodeSelector"}}}},
		{"15,21,23: problems of pools, then of nodes by name", []nodearch.PoolSelector{unreadablePool("x"), pool("infra"), pool("gpu")},
			[]corev1.Node{node("b", "arm64", infra, gpu), node("a", "arm64", infra, gpu)},
			answer{Items: []item{{Name: "gpu", Gap: badX}, {Name: "infra", Gap: badX}, {Name: "x", Gap: badX}},
				Problems: []problem{
					{field.ErrorTypeInvalid, "machineconfigpools[x].spec.nodeSelector"},
					{field.ErrorTypeInvalid, "nodes[a].metadata.labels"},
					{field.ErrorTypeInvalid, "nodes[b].metadata.labels"}}}},
		{"22,23: no nodes before a selector that cannot be read", []nodearch.PoolSelector{unreadablePool("x")}, nil,
			answer{Items: []item{{Name: "x", Gap: noNodes}},
				Problems: []problem{{field.ErrorTypeInvalid, "machineconfigpools[x].spec.nodeSelector"}},
				Findings: []finding{{nodearch.FindingNoNodes, "nodes"}}}},
		{"23,24,25: a selector before a conflict before an architecture", []nodearch.PoolSelector{unreadablePool("x"), pool("infra"), pool("gpu")},
			[]corev1.Node{node("a", "", infra), node("b", "amd64", infra, gpu)},
			answer{Items: []item{{Name: "gpu", Gap: badX}, {Name: "infra", Nodes: []string{"a"}, Gap: badX}, {Name: "x", Gap: badX}},
				Problems: []problem{
					{field.ErrorTypeInvalid, "machineconfigpools[x].spec.nodeSelector"},
					{field.ErrorTypeInvalid, "nodes[b].metadata.labels"}},
				Findings: []finding{{nodearch.FindingArchitectureMissing, "nodes[a].metadata.labels[kubernetes.io/arch]"}}}},
		{"24,25: a conflict before an architecture, and the first of two", []nodearch.PoolSelector{pool("infra"), pool("gpu")},
			[]corev1.Node{node("a", "", infra), node("c", "amd64", infra, gpu), node("b", "amd64", infra, gpu)},
			answer{Items: []item{{Name: "gpu", Gap: inB}, {Name: "infra", Nodes: []string{"a"}, Gap: inB}},
				Problems: []problem{
					{field.ErrorTypeInvalid, "nodes[b].metadata.labels"},
					{field.ErrorTypeInvalid, "nodes[c].metadata.labels"}},
				Findings: []finding{{nodearch.FindingArchitectureMissing, "nodes[a].metadata.labels[kubernetes.io/arch]"}}}},
		{"3,25,26: only the pool of the node is incomplete", pools, []corev1.Node{node("a", "", infra), node("b", "amd64", worker)},
			answer{Items: []item{{Name: "gpu"}, {Name: "infra", Nodes: []string{"a"}, Gap: noArch}, {Name: "master"},
				{Name: "worker", Architectures: "amd64", Nodes: []string{"b"}}},
				Findings: []finding{{nodearch.FindingArchitectureMissing, "nodes[a].metadata.labels[kubernetes.io/arch]"}}}},
		{"5: an unknown name is kept", pools, []corev1.Node{node("a", "riscv64", worker)},
			answer{Items: append(empty("gpu", "infra", "master"), item{Name: "worker", Architectures: "riscv64", Nodes: []string{"a"}}),
				Findings: []finding{{nodearch.FindingUnknownArchitecture, "nodes[a].metadata.labels[kubernetes.io/arch]"}}}},
		{"22: no nodes", []nodearch.PoolSelector{pool("worker")}, nil,
			answer{Items: []item{{Name: "worker", Gap: noNodes}}, Findings: []finding{{nodearch.FindingNoNodes, "nodes"}}}},
		{"19: no pools", nil, []corev1.Node{node("a", "amd64", worker)},
			answer{Findings: []finding{{nodearch.FindingNodeWithoutPool, "nodes[a].metadata.labels"}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := nodearch.FromPools(tc.pools, tc.nodes)
			got := answer{Problems: problemsOf(t, p.Problems), Findings: findingsOf(t, p.Findings)}
			for _, i := range p.Items {
				got.Items = append(got.Items, item{i.Name, i.Architectures.String(), i.Nodes, gapOf(t, i.Incomplete, i.Reason, i.Field)})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("answer differs (-want +got):\n%s", diff)
			}
		})
	}
}
