package nodearchtest

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

var token = regexp.MustCompile(`^[a-z0-9_]+$`)

// OracleArchitecture returns the architecture of a node: that of the label, or of
// nodeInfo.
func OracleArchitecture(n corev1.Node) string {
	for _, written := range []string{n.Labels["kubernetes.io/arch"], n.Status.NodeInfo.Architecture} {
		if a := meant(written); a != "" {
			return a
		}
	}
	return ""
}

// meant is the architecture that somebody wrote, empty if it is none.
func meant(written string) string {
	written = strings.TrimSpace(written)
	for name, others := range map[string][]string{
		"amd64":   {"x86_64", "x86-64", "amd64"},
		"arm64":   {"aarch64", "arm64"},
		"ppc64le": {"ppc64le"},
		"s390x":   {"s390x"},
	} {
		if slices.Contains(others, strings.ToLower(written)) {
			return name
		}
	}
	if token.MatchString(written) {
		return written
	}
	return ""
}

// systemOf is the operating system of a node.
func systemOf(n corev1.Node) string {
	for _, s := range []string{n.Labels["kubernetes.io/os"], n.Status.NodeInfo.OperatingSystem} {
		if s != "" {
			return s
		}
	}
	return "linux"
}

func controlPlaneRoles() []string { return []string{"master", "control-plane", "arbiter"} }

// OracleNodes returns the architectures of the nodes of a cluster, without texts.
func OracleNodes(nodes []corev1.Node) Nodes {
	answer := Nodes{Complete: len(nodes) > 0, Other: map[string][]string{}}
	for _, n := range nodes {
		a := OracleArchitecture(n)
		if a == "" {
			answer.Complete = false
			continue
		}
		answer.All = append(answer.All, a)
		if s := systemOf(n); s != "linux" {
			answer.Other[s] = append(answer.Other[s], a)
			continue
		}
		if slices.ContainsFunc(controlPlaneRoles(), func(role string) bool { return hasLabel(n, rolePrefix+role) }) {
			answer.ControlPlane = append(answer.ControlPlane, a)
		}
		closed := false
		for _, t := range n.Spec.Taints {
			for _, role := range controlPlaneRoles() {
				closed = closed || t.Key == rolePrefix+role && (t.Effect == "NoSchedule" || t.Effect == "NoExecute")
			}
		}
		if !closed {
			answer.Workload = append(answer.Workload, a)
		}
	}
	answer.Heterogeneous = len(set(answer.All)) > 1
	return answer
}

func hasLabel(n corev1.Node, key string) bool {
	_, ok := n.Labels[key]
	return ok
}

// OraclePool returns the id of the rule that places a node, and the name of its pool.
// Pools match by one label, as [PoolOf] makes them.
func OraclePool(p Placement) (rule, pool string) {
	if systemOf(p.Node) != "linux" {
		return "no-pool-for-other-systems", ""
	}
	var custom []string
	matches := map[string]bool{}
	for _, pool := range p.Pools {
		if pool.Selector == nil || len(pool.Selector.MatchLabels) == 0 || len(pool.Selector.MatchExpressions) > 0 {
			continue
		}
		all := true
		for key, value := range pool.Selector.MatchLabels {
			all = all && hasLabel(p.Node, key) && p.Node.Labels[key] == value
		}
		matches[pool.Name] = all
		if all && pool.Name != "master" && pool.Name != "worker" {
			custom = append(custom, pool.Name)
		}
	}
	switch {
	case len(custom) > 1:
		return "two-custom-pools", ""
	case matches["master"]:
		return "master-first", "master"
	case len(custom) == 1:
		return "custom-before-worker", custom[0]
	case matches["worker"]:
		return "worker-last", "worker"
	}
	return "no-pool", ""
}
