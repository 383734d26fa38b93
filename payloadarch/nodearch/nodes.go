package nodearch

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/internal/quote"
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

// FromNodes returns the architectures of the given nodes, by rules 1 to 13 of the
// package. Its time grows as the number of nodes does, however many architectures
// they claim to have.
func FromNodes(nodes []corev1.Node) Nodes {
	var (
		n     Nodes
		seen  names
		other = map[string]*names{}
	)
	if len(nodes) == 0 {
		n.Findings = []Finding{noNodes()}
	}
	var gap gaps
	for i := range nodes {
		node := &nodes[i]
		facts := factsOf(node, &n.Findings)
		if facts.architecture == "" {
			gap.missing = first(gap.missing, nodePath(node.Name, archLabelPath))
			continue
		}
		var in part
		if facts.os != linux {
			if other[facts.os] == nil {
				other[facts.os] = &names{}
			}
			other[facts.os].add(facts.architecture, 0)
		} else {
			if hasControlPlaneRole(node) {
				in |= controlPlane
			}
			if !hasControlPlaneTaint(node) {
				in |= workload
			}
		}
		seen.add(facts.architecture, in)
	}
	n.All = seen.all()
	n.ControlPlane, n.Workload = seen.met(controlPlane, n.All), seen.met(workload, n.All)
	for _, name := range slices.Sorted(maps.Keys(other)) {
		n.Other = append(n.Other, OperatingSystem{name, other[name].all()})
	}
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
}

// factsOf returns the facts of a node and appends to findings what is odd about them.
// Its texts are put together by hand: there may be one for every node.
func factsOf(node *corev1.Node, findings *[]Finding) nodeFacts {
	note := func(code FindingCode, path, detail string) {
		*findings = append(doubled(*findings), Finding{code, nodePath(node.Name, path), detail})
	}
	var f nodeFacts
	if f.os = cmp.Or(node.Labels[corev1.LabelOSStable], node.Status.NodeInfo.OperatingSystem); f.os == "" {
		f.os = linux
		note(FindingOSMissing, osLabelPath, `neither the label nor status.nodeInfo.operatingSystem is set; taken for "`+linux+`"`)
	}

	read := func(path, written string) spelling {
		a := nodeArchitecture(written)
		if a.malformed() {
			note(FindingArchitectureMalformed, path, quote.Quote(written)+" is not the name of an architecture; counts as not set")
		}
		return a
	}
	taken, from := read(archLabelPath, node.Labels[corev1.LabelArchStable]), archLabelPath
	reported := read(nodeInfoPath, node.Status.NodeInfo.Architecture)
	if taken.name == "" {
		taken, from = reported, nodeInfoPath
	}
	switch f.architecture = taken.name; {
	case taken.name == "":
		note(FindingArchitectureMissing, archLabelPath, "neither the label nor status.nodeInfo.architecture is set yet")
	case !taken.known:
		note(FindingUnknownArchitecture, from, "no payload is built for architecture "+quote.Quote(taken.name)+"; kept as it is")
	case taken.name != taken.written:
		note(FindingAlias, from, quote.Quote(taken.written)+` was taken for "`+taken.name+`", which is the right spelling`)
	}
	if reported.name != "" && reported.name != taken.name {
		note(FindingArchitectureConflict, archLabelPath, "the label says "+quote.Quote(taken.name)+
			", status.nodeInfo.architecture says "+quote.Quote(reported.name)+"; the label was taken")
	}
	return f
}

// nodePath is the path of something within a node of that name.
func nodePath(node, path string) string { return nodesPath + "[" + node + "]." + path }

// controlPlaneRoles are the labels, and the keys of the taints, of the nodes that run
// the control plane. An arbiter runs etcd and no ordinary pods.
func controlPlaneRoles() [3]string {
	const prefix = "node-role.kubernetes.io/"
	return [3]string{prefix + "control-plane", prefix + "master", prefix + "arbiter"}
}

func hasControlPlaneRole(node *corev1.Node) bool {
	for _, role := range controlPlaneRoles() {
		if _, ok := node.Labels[role]; ok {
			return true
		}
	}
	return false
}

func hasControlPlaneTaint(node *corev1.Node) bool {
	roles := controlPlaneRoles()
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool {
		return slices.Contains(roles[:], t.Key) && (t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute)
	})
}

func noNodes() Finding {
	return Finding{FindingNoNodes, nodesPath, "there are no nodes, so nothing can be said of their architectures"}
}
