package nodearch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/payloadarch"
)

// Nodes says which architectures the nodes of a cluster have. The zero value
// knows of no node.
type Nodes struct {
	// All holds the architecture of every node, of whatever role and operating
	// system.
	All payloadarch.Set
	// ControlPlane holds those of the Linux nodes with a control plane role:
	// control-plane, its old name master, or arbiter. It is empty where the
	// control plane is hosted elsewhere.
	ControlPlane payloadarch.Set
	// Workload holds those of the Linux nodes that no control plane taint closes
	// to ordinary pods. On a compact cluster they include the control plane's.
	Workload payloadarch.Set
	// Other holds the nodes that do not run Linux, by ascending Name.
	Other []OperatingSystem
	// Incomplete is true if a node has no architecture yet, or if there is no
	// node at all. Nobody should give something up because an architecture is
	// missing in an incomplete set.
	Incomplete bool
	// Reason says why the sets are complete or not: NoNodes, ArchitectureMissing
	// or Complete.
	Reason Reason
	// Field is the path of what is missing, "" if nothing is.
	Field string
	// Findings are in the order of their path, code and detail.
	Findings []Finding
}

// OperatingSystem says which architectures the nodes of an operating system
// have.
type OperatingSystem struct {
	// Name is the value of the label kubernetes.io/os, such as "windows".
	Name          string
	Architectures payloadarch.Set
}

// Heterogeneous reports whether the nodes are of more than one architecture,
// whatever the payload is. If n is Incomplete, false may yet become true.
func (n Nodes) Heterogeneous() bool { return n.All.Len() > 1 }

// FromNodes returns the architectures of the given nodes, by rules 1 to 12 of the
// package.
func FromNodes(nodes []corev1.Node) Nodes {
	var (
		n                   Nodes
		all, control, loads []string
		other               []OperatingSystem
	)
	if len(nodes) == 0 {
		n.Findings = []Finding{noNodes()}
	}
	var gap gaps
	for i := range nodes {
		node := &nodes[i]
		facts := factsOf(node)
		n.Findings = append(n.Findings, facts.findings...)
		if facts.architecture == "" {
			gap.missing = first(gap.missing, nodePath(node.Name, archLabelPath))
			continue
		}
		all = include(all, facts.architecture)
		if facts.os != linux {
			other = append(other, OperatingSystem{facts.os, payloadarch.SetOf(facts.architecture)})
			continue
		}
		if hasControlPlaneRole(node) {
			control = include(control, facts.architecture)
		}
		if !hasControlPlaneTaint(node) {
			loads = include(loads, facts.architecture)
		}
	}
	n.All, n.ControlPlane, n.Workload = payloadarch.SetOf(all...), payloadarch.SetOf(control...), payloadarch.SetOf(loads...)
	n.Other = mergeSystems(other)
	n.Reason, n.Field = gap.reason(len(nodes), "")
	n.Incomplete = n.Reason != ReasonComplete
	sortFindings(n.Findings)
	n.Findings = slices.Compact(n.Findings)
	return n
}

const (
	linux = "linux"

	nodesPath     = "nodes"
	labelsPath    = "metadata.labels"
	archLabelPath = labelsPath + "[" + corev1.LabelArchStable + "]"
	osLabelPath   = labelsPath + "[" + corev1.LabelOSStable + "]"
	nodeInfoPath  = "status.nodeInfo.architecture"
)

// nodeFacts is what the architecture sets are made of.
type nodeFacts struct {
	architecture string // "" if the node has none yet
	os           string
	findings     []Finding
}

func factsOf(node *corev1.Node) nodeFacts {
	var f nodeFacts
	note := func(code FindingCode, path, format string, args ...any) {
		f.findings = append(f.findings, Finding{code, nodePath(node.Name, path), fmt.Sprintf(format, args...)})
	}

	if f.os = cmp.Or(node.Labels[corev1.LabelOSStable], node.Status.NodeInfo.OperatingSystem); f.os == "" {
		f.os = linux
		note(FindingOSMissing, osLabelPath, "neither the label nor status.nodeInfo.operatingSystem is set; taken for %q", linux)
	}

	taken, from := nodeArchitecture(node.Labels[corev1.LabelArchStable]), archLabelPath
	reported := nodeArchitecture(node.Status.NodeInfo.Architecture)
	if taken.name == "" {
		taken, from = reported, nodeInfoPath
	}
	switch f.architecture = taken.name; {
	case taken.name == "":
		note(FindingArchitectureMissing, archLabelPath, "neither the label nor status.nodeInfo.architecture is set yet")
	case !taken.known:
		note(FindingUnknownArchitecture, from, "no payload is built for architecture %q; kept as it is", taken.name)
	case taken.name != taken.written:
		note(FindingAlias, from, "%q was taken for %q, which is the right spelling", taken.written, taken.name)
	}
	if reported.name != "" && reported.name != taken.name {
		note(FindingArchitectureConflict, archLabelPath, "the label says %q, status.nodeInfo.architecture says %q; the label was taken",
			taken.name, reported.name)
	}
	return f
}

// nodePath is the path of something within a node of that name.
func nodePath(node, path string) string { return nodesPath + "[" + node + "]." + path }

// spelling is an architecture as it was written and as it was understood.
type spelling struct {
	written, name string
	known         bool
}

func nodeArchitecture(written string) spelling {
	name, known := arch.Canonical(written)
	if strings.Trim(name, ", ") == "" {
		name = "" // a set would hold nothing of it
	}
	return spelling{written, name, known}
}

// controlPlaneRoles are the suffixes of node-role.kubernetes.io/ labels and
// taints of the nodes that run the control plane. An arbiter runs etcd and no
// ordinary pods.
func controlPlaneRoles() [3]string { return [3]string{"control-plane", "master", "arbiter"} }

const rolePrefix = "node-role.kubernetes.io/"

func hasControlPlaneRole(node *corev1.Node) bool {
	for _, role := range controlPlaneRoles() {
		if _, ok := node.Labels[rolePrefix+role]; ok {
			return true
		}
	}
	return false
}

func hasControlPlaneTaint(node *corev1.Node) bool {
	roles := controlPlaneRoles()
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool {
		role, ok := strings.CutPrefix(t.Key, rolePrefix)
		return ok && slices.Contains(roles[:], role) &&
			(t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute)
	})
}

// include appends name unless it is there. The lists are as short as a cluster's
// architectures are few.
func include(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// mergeSystems sorts by name and joins the sets of the same name.
func mergeSystems(all []OperatingSystem) []OperatingSystem {
	slices.SortFunc(all, func(a, b OperatingSystem) int { return cmp.Compare(a.Name, b.Name) })
	var merged []OperatingSystem
	for _, s := range all {
		if last := len(merged) - 1; last >= 0 && merged[last].Name == s.Name {
			merged[last].Architectures = merged[last].Architectures.Union(s.Architectures)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

func noNodes() Finding {
	return Finding{FindingNoNodes, nodesPath, "there are no nodes, so nothing can be said of their architectures"}
}
