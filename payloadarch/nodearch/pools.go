package nodearch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
	"github.com/polyarch/polyarch/payloadarch"
)

// Pools says which architectures the machine config pools of a cluster have. The
// zero value knows of no pool.
type Pools struct {
	// Items holds one entry per pool given, by ascending Name.
	Items []Pool
	// Problems is what keeps the machine config operator itself from placing a
	// node: selectors that cannot be read, by pool, then nodes in two custom
	// pools, by node.
	Problems field.ErrorList
	// Findings are in the order of their path, code and detail. They hold those
	// of FromNodes for every node that is in a pool.
	Findings []Finding
}

// A Pool says which architectures the nodes of a machine config pool have.
type Pool struct {
	Name          string
	Architectures payloadarch.Set
	// Nodes holds the names of the pool's nodes, ascending.
	Nodes []string
	// Incomplete is true if a node of the pool has no architecture yet, or if it
	// is not settled which nodes are in it. A pool that has no nodes is complete,
	// unless the cluster has none.
	Incomplete bool
	// Reason says why the set is complete or not.
	Reason Reason
	// Field is the path of what is missing or in conflict, "" if nothing is.
	Field string
}

// A PoolSelector is what places nodes in a machine config pool: of a
// MachineConfigPool its name and spec.nodeSelector. The type itself is left to the
// caller, since its package would come along with this one for two fields.
type PoolSelector struct {
	Name string
	// NodeSelector is not changed and not kept. Nil and empty match nothing.
	NodeSelector *metav1.LabelSelector
}

// FromPools returns the architectures of the nodes of each pool. A node is in the
// pool in which the machine config operator has it, which the selectors alone do
// not tell: rules 14 to 21 of the package. Rules 22 to 26 say when the answer for a
// pool is complete.
//
// Pool names and node names are unique in a cluster and have to be here. The
// order of both does not matter.
func FromPools(pools []PoolSelector, nodes []corev1.Node) Pools {
	items, selectors, unreadable := readPools(pools)
	p := Pools{Items: items, Problems: unreadable}
	architectures, gap := make([]names, len(p.Items)), make([]gaps, len(p.Items))
	var conflicts field.ErrorList
	for i := range nodes {
		node := &nodes[i]
		var findings []Finding
		facts := factsOf(node, &findings)
		if facts.os != linux {
			continue
		}
		m := match(p.Items, selectors, node.Labels)
		if len(m.custom) > 1 {
			for _, pool := range m.all() {
				gap[pool].conflict = first(gap[pool].conflict, nodePath(node.Name, labelsPath))
			}
			conflicts = append(conflicts, twoCustomPools(node.Name, p.Items, m.custom))
			continue
		}
		own, ok := m.primary()
		if !ok {
			p.Findings = append(p.Findings, Finding{FindingNodeWithoutPool, nodePath(node.Name, labelsPath), "the selector of no pool matches the node"})
			continue
		}
		if len(m.custom) > 0 && own != m.custom[0] {
			p.Findings = append(p.Findings, Finding{FindingMasterWins, nodePath(node.Name, labelsPath),
				fmt.Sprintf("the node matches the pool %s too and is in %q", quote.Quote(p.Items[m.custom[0]].Name), poolMaster)})
		}
		p.Findings = append(p.Findings, findings...)
		p.Items[own].Nodes = append(p.Items[own].Nodes, node.Name)
		if facts.architecture == "" {
			gap[own].missing = first(gap[own].missing, nodePath(node.Name, archLabelPath))
		} else {
			architectures[own].add(facts.architecture, 0)
		}
	}

	if len(nodes) == 0 {
		p.Findings = append(p.Findings, noNodes())
	}
	selector := ""
	if len(unreadable) > 0 {
		selector = unreadable[0].Field
	}
	for i := range p.Items {
		item := &p.Items[i]
		item.Architectures = architectures[i].all()
		slices.Sort(item.Nodes)
		item.Reason, item.Field = gap[i].reason(len(nodes), selector)
		item.Incomplete = item.Reason != ReasonComplete
	}
	slices.SortFunc(conflicts, func(a, b *field.Error) int { return cmp.Compare(a.Field, b.Field) })
	p.Problems = append(p.Problems, conflicts...)
	sortFindings(p.Findings)
	return p
}

// readPools returns the pools by name, and beside each its selector, which
// matches nothing where it cannot be read.
func readPools(pools []PoolSelector) (items []Pool, selectors []labels.Selector, problems field.ErrorList) {
	order := make([]*PoolSelector, 0, len(pools))
	for i := range pools {
		order = append(order, &pools[i])
	}
	slices.SortStableFunc(order, func(a, b *PoolSelector) int { return cmp.Compare(a.Name, b.Name) })
	for _, pool := range order {
		selector, err := metav1.LabelSelectorAsSelector(pool.NodeSelector)
		if err != nil {
			problems = append(problems, field.Invalid(
				field.NewPath("machineconfigpools").Key(pool.Name).Child("spec", "nodeSelector"),
				quote.Cut(selectorText(pool.NodeSelector)), quote.Cut(err.Error())+"; the pool has no nodes until it is mended, and no pool is complete"))
			selector = labels.Nothing()
		}
		selectors = append(selectors, selector)
		items = append(items, Pool{Name: pool.Name})
	}
	return items, selectors, problems
}

// selectorText writes a selector as its manifest does. FormatLabelSelector has
// no words for one that is invalid.
func selectorText(s *metav1.LabelSelector) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

const (
	poolMaster = "master"
	poolWorker = "worker"
)

// matches holds the indices of the pools whose selector matches a node, apart
// from one another as the machine config operator tells them apart.
type matches struct{ master, worker, custom []int }

func match(pools []Pool, selectors []labels.Selector, nodeLabels labels.Set) matches {
	var m matches
	for i, s := range selectors {
		if s.Empty() || !s.Matches(nodeLabels) {
			continue
		}
		switch pools[i].Name {
		case poolMaster:
			m.master = append(m.master, i)
		case poolWorker:
			m.worker = append(m.worker, i)
		default:
			m.custom = append(m.custom, i)
		}
	}
	return m
}

func (m matches) all() []int { return slices.Concat(m.master, m.custom, m.worker) }

// primary returns the pool that has the node, if one does: the first of all in
// their order of precedence.
func (m matches) primary() (pool int, ok bool) {
	if all := m.all(); len(all) > 0 {
		return all[0], true
	}
	return 0, false
}

func twoCustomPools(node string, pools []Pool, custom []int) *field.Error {
	names := make([]string, 0, len(custom))
	for _, i := range custom {
		names = append(names, pools[i].Name)
	}
	return field.Invalid(field.NewPath(nodesPath).Key(node).Child("metadata", "labels"), quote.Cut(strings.Join(names, ",")),
		"the node matches more than one custom pool; its labels may match one at most, and until then it is in none")
}
