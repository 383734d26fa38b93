package nodearch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

// Nodes are made as the test package makes them.
var (
	node, label, noLabel  = nodearchtest.Node, nodearchtest.Label, nodearchtest.NoLabel
	role, taint, reported = nodearchtest.Role, nodearchtest.Taint, nodearchtest.Reported
)

func TestFromNodes(t *testing.T) {
	type other struct{ Name, Architectures string }
	type answer struct {
		All, ControlPlane, Workload string
		Other                       []other
		Gap                         gap
		Heterogeneous               bool
		Findings                    []finding
	}
	const archLabel, infoArch = "metadata.labels[kubernetes.io/arch]", "status.nodeInfo.architecture"
	for _, tc := range []struct {
		name  string
		nodes []corev1.Node
		want  answer
	}{
		{"1,4: other spellings", []corev1.Node{
			node("a", "x86_64"),
			node("b", "aarch64", noLabel(corev1.LabelArchStable)),
			node("c", "S390X")},
			answer{All: "amd64,arm64,s390x", Workload: "amd64,arm64,s390x", Heterogeneous: true, Findings: []finding{
				{nodearch.FindingAlias, "nodes[a]." + archLabel},
				{nodearch.FindingAlias, "nodes[b]." + infoArch},
				{nodearch.FindingAlias, "nodes[c]." + archLabel}}}},
		{"5: an unknown name is kept", []corev1.Node{node("a", "riscv64"), node("b", "amd64")},
			answer{All: "amd64,riscv64", Workload: "amd64,riscv64", Heterogeneous: true, Findings: []finding{
				{nodearch.FindingUnknownArchitecture, "nodes[a]." + archLabel}}}},
		{"2: label and nodeInfo differ", []corev1.Node{node("a", "arm64", reported("amd64", "linux"))},
			answer{All: "arm64", Workload: "arm64", Findings: []finding{
				{nodearch.FindingArchitectureConflict, "nodes[a]." + archLabel}}}},
		{"3,25: a node without architecture", []corev1.Node{
			node("a", "amd64"),
			node("b", "", noLabel(corev1.LabelArchStable))},
			answer{All: "amd64", Workload: "amd64", Gap: gap{nodearch.ReasonArchitectureMissing, "nodes[b]." + archLabel}, Findings: []finding{
				{nodearch.FindingArchitectureMissing, "nodes[b]." + archLabel}}}},
		{"3,25: blanks are no architecture", []corev1.Node{node("a", " \t")},
			answer{Gap: gap{nodearch.ReasonArchitectureMissing, "nodes[a]." + archLabel}, Findings: []finding{
				{nodearch.FindingArchitectureMissing, "nodes[a]." + archLabel}}}},
		{"6: two architectures on one node are none", []corev1.Node{node("a", "", reported("amd64,arm64", "linux")), node("b", "amd64")},
			answer{All: "amd64", Workload: "amd64", Gap: gap{nodearch.ReasonArchitectureMissing, "nodes[a]." + archLabel}, Findings: []finding{
				{nodearch.FindingArchitectureMissing, "nodes[a]." + archLabel},
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + infoArch}}}},
		{"6: commas and blanks leave no complete empty set behind", []corev1.Node{node("a", ",\t,")},
			answer{Gap: gap{nodearch.ReasonArchitectureMissing, "nodes[a]." + archLabel}, Findings: []finding{
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + archLabel},
				{nodearch.FindingArchitectureMissing, "nodes[a]." + archLabel},
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + infoArch}}}},
		{"1,6: nodeInfo where the label is malformed", []corev1.Node{node("a", "amd 64", reported("arm64", "linux"))},
			answer{All: "arm64", Workload: "arm64", Findings: []finding{
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + archLabel}}}},
		{"2,6: a malformed nodeInfo is no conflict", []corev1.Node{node("a", "arm64", reported("arm/64", "linux"))},
			answer{All: "arm64", Workload: "arm64", Findings: []finding{
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + infoArch}}}},
		{"6: upper case of no known architecture", []corev1.Node{node("a", "RISCV64")},
			answer{Gap: gap{nodearch.ReasonArchitectureMissing, "nodes[a]." + archLabel}, Findings: []finding{
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + archLabel},
				{nodearch.FindingArchitectureMissing, "nodes[a]." + archLabel},
				{nodearch.FindingArchitectureMalformed, "nodes[a]." + infoArch}}}},
		{"5,6: every character of a token", []corev1.Node{node("a", "az_09")},
			answer{All: "az_09", Workload: "az_09", Findings: []finding{{nodearch.FindingUnknownArchitecture, "nodes[a]." + archLabel}}}},
		{"25: the first by name of the nodes that have none", []corev1.Node{node("b", ""), node("a", ""), node("c", "")},
			answer{Gap: gap{nodearch.ReasonArchitectureMissing, "nodes[a]." + archLabel}, Findings: []finding{
				{nodearch.FindingArchitectureMissing, "nodes[a]." + archLabel},
				{nodearch.FindingArchitectureMissing, "nodes[b]." + archLabel},
				{nodearch.FindingArchitectureMissing, "nodes[c]." + archLabel}}}},
		{"22: no nodes", nil,
			answer{Gap: gap{nodearch.ReasonNoNodes, "nodes"}, Findings: []finding{{nodearch.FindingNoNodes, "nodes"}}}},
		{"11: no operating system yet", []corev1.Node{node("a", "amd64", noLabel(corev1.LabelOSStable), reported("amd64", ""))},
			answer{All: "amd64", Workload: "amd64", Findings: []finding{
				{nodearch.FindingOSMissing, "nodes[a].metadata.labels[kubernetes.io/os]"}}}},
		{"10: other systems by name", []corev1.Node{
			node("a", "amd64", nodearchtest.Windows), node("b", "arm64", label(corev1.LabelOSStable, "freebsd")), node("c", "arm64", nodearchtest.Windows)},
			answer{All: "amd64,arm64", Other: []other{{"freebsd", "arm64"}, {"windows", "amd64,arm64"}}, Heterogeneous: true}},
		{"7,9: more names than anybody has", manyNames(12), answer{
			All: "a00,a01,a02,a03,a04,a05,a06,a07,a08,a09,a10,a11", Workload: "a00,a01,a02,a03,a04,a05,a06,a07,a08,a09,a10,a11",
			Heterogeneous: true, Findings: unknownNames(12, archLabel)}},
		{"13: findings are in order and each is there once", []corev1.Node{node("b", "riscv64"), node("a", "mips", reported("", "")), node("b", "riscv64")},
			answer{All: "mips,riscv64", Workload: "mips,riscv64", Heterogeneous: true, Findings: []finding{
				{nodearch.FindingUnknownArchitecture, "nodes[a]." + archLabel},
				{nodearch.FindingUnknownArchitecture, "nodes[b]." + archLabel}}}},
		{"13: two findings of one place by their codes", []corev1.Node{node("a", "riscv64", reported("amd64", "linux"))},
			answer{All: "riscv64", Workload: "riscv64", Findings: []finding{
				{nodearch.FindingArchitectureConflict, "nodes[a]." + archLabel},
				{nodearch.FindingUnknownArchitecture, "nodes[a]." + archLabel}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := nodearch.FromNodes(tc.nodes)
			got := answer{All: n.All.String(), ControlPlane: n.ControlPlane.String(), Workload: n.Workload.String(),
				Gap: gapOf(t, n.Incomplete, n.Reason, n.Field), Heterogeneous: n.Heterogeneous(), Findings: findingsOf(t, n.Findings)}
			for _, o := range n.Other {
				got.Other = append(got.Other, other{o.Name, o.Architectures.String()})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("answer differs (-want +got):\n%s", diff)
			}
		})
	}
}

// Nodes of one name differ in what is said of them, and that has an order too.
func TestFindingsOfOneName(t *testing.T) {
	nodes := []corev1.Node{node("a", "mips"), node("a", "alpha"), node("a", "z80")}
	for range 2 {
		findings := nodearch.FromNodes(nodes).Findings
		for i, name := range []string{"alpha", "mips", "z80"} {
			if len(findings) != 3 || !strings.Contains(findings[i].Detail, `"`+name+`"`) {
				t.Fatalf("13: findings %v", findings)
			}
		}
		slices.Reverse(nodes)
	}
}

// manyNames makes n nodes of n architectures, twice, so that each name is met again
// after all the others.
func manyNames(n int) []corev1.Node {
	var nodes []corev1.Node
	for i := range 2 * n {
		nodes = append(nodes, node(fmt.Sprintf("node-%02d", i%n), fmt.Sprintf("a%02d", i%n)))
	}
	return nodes
}

func unknownNames(n int, at string) (findings []finding) {
	for i := range n {
		findings = append(findings, finding{nodearch.FindingUnknownArchitecture, fmt.Sprintf("nodes[node-%02d].%s", i, at)})
	}
	return findings
}
