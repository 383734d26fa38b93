package nodearchtest_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/internal/documented"
	"github.com/polyarch/polyarch/payloadarch/nodearch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

type impl = nodearchtest.Impl

// A defect is an answer that somebody gave, upstream or here, and that was wrong.
type defect struct {
	name  string
	rules []string // every rule that it breaks
	spoil func(*impl)
}

// defects are the rows of docs/conformance.md.
func defects() []defect {
	right := ours.Impl()
	return []defect{
		{"a node that reports amd64,arm64 makes a cluster heterogeneous", []string{"heterogeneous-by-nodes", "malformed-told", "one-token"}, func(i *impl) {
			i.Architecture = func(n corev1.Node) string {
				if a := right.Architecture(n); a != "" {
					return a
				}
				return strings.Trim(n.Labels[corev1.LabelArchStable]+n.Status.NodeInfo.Architecture, " \t\n")
			}
			i.Nodes = onNodes(right, func(nodes []corev1.Node) (more []corev1.Node) {
				for _, n := range nodes {
					for _, name := range strings.Split(n.Status.NodeInfo.Architecture, ",") {
						part := *n.DeepCopy()
						part.Status.NodeInfo.Architecture = name
						more = append(more, part)
					}
				}
				return more
			})
		}},
		{"commas and blanks give a complete set of nothing", []string{"missing-architecture-incomplete"}, func(i *impl) {
			i.Nodes = func(nodes []corev1.Node) nodearchtest.Nodes {
				n := right.Nodes(nodes)
				for _, node := range nodes {
					n.Complete = n.Complete || strings.Trim(node.Labels[corev1.LabelArchStable], ",\t ") != node.Labels[corev1.LabelArchStable]
				}
				return n
			}
		}},
		{"nodes of Windows count as workload nodes of their architecture", []string{"control-plane-by-role", "other-systems-apart", "workload-by-taint"}, func(i *impl) {
			i.Nodes = onNodes(right, asLinux)
		}},
		{"nodes of Windows are in the pools whose labels they have", []string{"no-pool-for-other-systems"}, func(i *impl) {
			i.Pools = func(pools []nodearchtest.Pool, nodes []corev1.Node) nodearchtest.Pools {
				return right.Pools(pools, asLinux(nodes))
			}
		}},
		{"x86_64 is another architecture than amd64", []string{"heterogeneous-by-nodes", "other-spelling-understood"}, func(i *impl) {
			i.Architecture = func(n corev1.Node) string {
				if n.Labels[corev1.LabelArchStable] == "x86_64" {
					return "x86_64"
				}
				return right.Architecture(n)
			}
			i.Nodes = onNodes(right, func(nodes []corev1.Node) []corev1.Node {
				for n := range nodes {
					if nodes[n].Labels[corev1.LabelArchStable] == "x86_64" {
						nodes[n].Labels[corev1.LabelArchStable] = "x86_64_"
					}
				}
				return nodes
			})
		}},
		{"the kubelet wins over the label", []string{"label-and-kubelet-differ"}, func(i *impl) {
			i.Architecture = func(n corev1.Node) string { return right.Architecture(kubeletFirst(n)) }
			i.Nodes = onNodes(right, func(nodes []corev1.Node) []corev1.Node {
				for n := range nodes {
					nodes[n] = kubeletFirst(nodes[n])
				}
				return nodes
			})
		}},
		{"a list of nodes that is not synced yet passes for a cluster without nodes", []string{"no-nodes-incomplete"}, func(i *impl) {
			i.Nodes = func(nodes []corev1.Node) nodearchtest.Nodes {
				n := right.Nodes(nodes)
				n.Complete = n.Complete || len(nodes) == 0
				return n
			}
		}},
		{"a node that has told nothing is left out", []string{"missing-architecture-incomplete"}, func(i *impl) {
			i.Nodes = func(nodes []corev1.Node) nodearchtest.Nodes {
				n := right.Nodes(nodes)
				n.Complete = len(nodes) > 0
				return n
			}
		}},
		{"a role closes a node to workloads, not its taint", []string{"workload-by-taint"}, func(i *impl) {
			i.Nodes = onNodes(right, func(nodes []corev1.Node) []corev1.Node {
				for n := range nodes {
					nodes[n].Spec.Taints = nil
					for _, role := range []string{"master", "control-plane", "arbiter"} {
						if _, has := nodes[n].Labels["node-role.kubernetes.io/"+role]; has {
							nodearchtest.Taint(role, corev1.TaintEffectNoSchedule)(&nodes[n])
						}
					}
				}
				return nodes
			})
		}},
		{"a node is in every pool whose selector matches", []string{"custom-before-worker", "master-first", "two-custom-pools"}, func(i *impl) {
			i.Pools = everyPool(right)
		}},
		{"one selector that cannot be read leaves every pool empty", []string{"unreadable-selector-matches-nothing"}, func(i *impl) {
			i.Pools = func(pools []nodearchtest.Pool, nodes []corev1.Node) nodearchtest.Pools {
				p := right.Pools(pools, nodes)
				if slices.ContainsFunc(p.Problems, func(text string) bool { return strings.Contains(text, "nodeSelector") }) {
					for name := range p.Pools {
						p.Pools[name] = nodearchtest.PoolNodes{}
					}
				}
				return p
			}
		}},
		{"an empty selector matches every node", []string{"empty-selector-matches-nothing"}, func(i *impl) {
			i.Pools = func(pools []nodearchtest.Pool, given []corev1.Node) nodearchtest.Pools {
				nodes := slices.Clone(given)
				for n := range nodes {
					nodes[n].Labels = map[string]string{"any": "", corev1.LabelOSStable: nodes[n].Labels[corev1.LabelOSStable]}
					for key, value := range given[n].Labels {
						nodes[n].Labels[key] = value
					}
				}
				for n := range pools {
					if s := pools[n].Selector; s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
						pools[n].Selector = nodearchtest.PoolOf("any").Selector.DeepCopy()
						pools[n].Selector.MatchLabels = map[string]string{"any": ""}
					}
				}
				return right.Pools(pools, nodes)
			}
		}},
		{"pools that claim a node in conflict pass for complete", []string{"pool-conflict-incomplete"}, func(i *impl) {
			i.Pools = func(pools []nodearchtest.Pool, nodes []corev1.Node) nodearchtest.Pools {
				p := right.Pools(pools, nodes)
				if slices.ContainsFunc(p.Problems, func(text string) bool { return strings.Contains(text, "more than one custom pool") }) {
					for name, pool := range p.Pools {
						pool.Complete = true
						p.Pools[name] = pool
					}
				}
				return p
			}
		}},
		{"texts repeat what a node says of its architecture, whatever its length", []string{"texts-cut"}, func(i *impl) {
			i.Nodes = func(nodes []corev1.Node) nodearchtest.Nodes {
				n := right.Nodes(nodes)
				for _, node := range nodes {
					for k := range n.Told {
						n.Told[k] += node.Labels[corev1.LabelArchStable]
					}
				}
				return n
			}
		}},
	}
}

func onNodes(right impl, change func([]corev1.Node) []corev1.Node) func([]corev1.Node) nodearchtest.Nodes {
	return func(nodes []corev1.Node) nodearchtest.Nodes { return right.Nodes(change(nodes)) }
}

// asLinux makes every node one of Linux, but for those that say nothing.
func asLinux(nodes []corev1.Node) []corev1.Node {
	for n := range nodes {
		if nodes[n].Labels[corev1.LabelOSStable] != "" {
			nodes[n].Labels[corev1.LabelOSStable] = "linux"
		}
	}
	return nodes
}

func kubeletFirst(n corev1.Node) corev1.Node {
	known := []string{"amd64", "arm64", "ppc64le", "s390x"}
	if a := n.Status.NodeInfo.Architecture; slices.Contains(known, a) && slices.Contains(known, n.Labels[corev1.LabelArchStable]) {
		n.Labels[corev1.LabelArchStable], n.Status.NodeInfo.Architecture = a, n.Labels[corev1.LabelArchStable]
	}
	return n
}

// everyPool asks for each pool as if it were the only one.
func everyPool(right impl) func([]nodearchtest.Pool, []corev1.Node) nodearchtest.Pools {
	return func(pools []nodearchtest.Pool, nodes []corev1.Node) nodearchtest.Pools {
		p := right.Pools(pools, nodes)
		if len(nodes) != 1 {
			return p
		}
		for _, pool := range pools {
			p.Pools[pool.Name] = right.Pools([]nodearchtest.Pool{pool}, nodes).Pools[pool.Name]
		}
		return p
	}
}

func failing(t *testing.T, spoil func(*impl)) (ids []string, texts string) {
	t.Helper()
	report := conformance.Judge(t, nodearchtest.Suite(), func(testing.TB) impl {
		i := ours.Impl()
		spoil(&i)
		return i
	}, nodearchtest.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if rule.State == conformance.StateFail {
			ids = append(ids, rule.Rule.ID)
			texts += fmt.Sprintf("%.1500s\n", rule.Failures[0])
		}
	}
	slices.Sort(ids)
	return ids, texts
}

func TestDefectsFailAtTheirRules(t *testing.T) {
	if ids, texts := failing(t, func(*impl) {}); ids != nil {
		t.Errorf("ours fails at %q\n%s", ids, texts)
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			if got, texts := failing(t, d.spoil); !slices.Equal(got, d.rules) {
				t.Errorf("%s: fails at %q, want %q\n%s", d.name, got, d.rules, texts)
			}
		})
	}
}

// An implementation of nothing is held to nothing, and said so of.
func TestNothingIsImplemented(t *testing.T) {
	report := conformance.Judge(t, nodearchtest.Suite(), func(testing.TB) impl { return impl{} }, nodearchtest.Options{RuleSet: "v1"})
	if n := report.Count(conformance.StateNotImplemented); n != len(report.Rules) {
		t.Errorf("%d of %d rules are not implemented", n, len(report.Rules))
	}
}

// docs/conformance.md has a row for each defect, and no other rows for the package.
func TestDefectsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []documented.Defect
	for _, d := range defects() {
		found = append(found, documented.Defect{Name: d.name, Rules: d.rules})
	}
	documented.Defects(t, string(text), "nodearch", found)
}
