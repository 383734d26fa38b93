package section

import (
	"strconv"
	"strings"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

var _ = report.Register(
	report.Code{Code: "nodes.ArchitectureAlias", Level: report.Note,
		Impact: "It was taken for the architecture that it means; others may compare the text.",
		Remedy: "Set the label kubernetes.io/arch to the spelling of Go."},
	report.Code{Code: "nodes.UnknownArchitecture", Level: report.Risk,
		Impact: "No payload has images for this node.",
		Remedy: "Look whether the label kubernetes.io/arch is what the kubelet reports."},
	report.Code{Code: "nodes.ArchitectureMissing", Level: report.Risk,
		Impact: "The sets of architectures are not complete: nothing is taken away or deleted meanwhile.",
		Remedy: "Wait for the kubelet to report, or delete the node if its machine is gone."},
	report.Code{Code: "nodes.ArchitectureMalformed", Level: report.Risk,
		Impact: "The value counts as not set.",
		Remedy: "Remove the label kubernetes.io/arch; the kubelet sets it again."},
	report.Code{Code: "nodes.ArchitectureConflict", Level: report.Risk,
		Impact: "Pods are placed by the label, and run on what the kubelet reports.",
		Remedy: "Remove the label kubernetes.io/arch; the kubelet sets it again."},
	report.Code{Code: "nodes.OperatingSystemMissing", Level: report.Note,
		Impact: "The node was taken for Linux.",
		Remedy: "Wait for the kubelet to report."},
	report.Code{Code: "nodes.NoNodes", Level: report.Risk,
		Impact: "Nothing can be said of architectures.",
		Remedy: "Look whether the control plane reaches any node."},
	report.Code{Code: "nodes.NodeWithoutPool", Level: report.Risk,
		Impact: "The machine config operator does not manage the node.",
		Remedy: "Give the node a role that a machine config pool selects."},
	report.Code{Code: "nodes.MasterWins", Level: report.Note,
		Impact: "The node is in the pool master, although a custom pool selects it too.",
		Remedy: "Take the role of the custom pool from the node, or leave it."},
	report.Code{Code: "nodes.PoolProblem", Level: report.Broken,
		Impact: "The machine config operator does not place the nodes concerned, and updates none of them.",
		Remedy: "Mend the selector of the pool, or take one of the two roles from the node."},
)

// NodesSection tells the architectures of the nodes and of the machine config pools.
func (f *Facts) NodesSection() report.Section {
	s := f.begin("nodes", "Nodes and pools", source.Nodes, source.MachineConfigPools)
	if !f.known(source.Nodes) {
		return s
	}
	n := f.NodeArch
	kind := "homogeneous"
	if n.Heterogeneous() {
		kind = "heterogeneous"
	}
	s.Decisions = append(s.Decisions,
		report.Decision{Name: "architectures", Answer: kind + ": " + list(n.All), Reason: string(n.Reason), Field: n.Field, Objects: []string{"nodes"}},
		report.Decision{Name: "control plane", Answer: list(n.ControlPlane), Reason: string(n.Reason), Field: n.Field, Objects: []string{"nodes"}},
		report.Decision{Name: "workload", Answer: list(n.Workload), Reason: string(n.Reason), Field: n.Field, Objects: []string{"nodes"}},
	)
	for _, o := range n.Other {
		s.Decisions = append(s.Decisions, report.Decision{Name: "operating system " + o.Name, Answer: list(o.Architectures), Objects: []string{"nodes"}})
	}
	// The findings of the pools hold those of the nodes that are in one.
	findings := append([]nodearch.Finding(nil), n.Findings...)
	if len(f.Pools) > 0 {
		s.Tables = append(s.Tables, f.matrix())
		for _, p := range f.PoolArch.Problems {
			s.Entries = append(s.Entries, report.New("nodes.PoolProblem", objectOf(p.Field), p.Field, p.ErrorBody()))
		}
		findings = append(findings, f.PoolArch.Findings...)
	}
	seen := map[nodearch.Finding]bool{}
	for _, g := range findings {
		if !seen[g] {
			seen[g] = true
			s.Entries = append(s.Entries, report.New("nodes."+string(g.Code), objectOf(g.Path), g.Path, g.Detail))
		}
	}
	return s
}

// list returns a set as people write it.
func list(set payloadarch.Set) string {
	if set.Len() == 0 {
		return "none"
	}
	return strings.ReplaceAll(set.String(), ",", ", ")
}

// objectOf returns the object that a path begins with, such as nodes[worker-0].
func objectOf(path string) string {
	if i := strings.IndexByte(path, ']'); i >= 0 {
		return path[:i+1]
	}
	return path
}

// matrix has a row for each pool, and a column for each architecture with how many of
// the pool's nodes are of it.
func (f *Facts) matrix() report.Table {
	t := report.Table{Name: "pools", Title: "machine config pools: nodes of each architecture", Columns: []string{"pool"}}
	byName := map[string]string{}
	for i := range f.Nodes {
		byName[f.Nodes[i].Name] = nodearch.FromNodes(f.Nodes[i : i+1]).All.String()
	}
	var all []string
	for arch := range f.NodeArch.All.All() {
		all = append(all, arch)
	}
	t.Columns = append(append(t.Columns, all...), "no architecture yet", "complete")
	for _, p := range f.PoolArch.Items {
		counts := map[string]int{}
		for _, name := range p.Nodes {
			counts[byName[name]]++
		}
		row := []string{p.Name}
		for _, arch := range append(all, "") {
			row = append(row, strconv.Itoa(counts[arch]))
		}
		t.Rows = append(t.Rows, append(row, string(p.Reason)))
	}
	return t
}
