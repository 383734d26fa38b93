package dictexpand

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A claim is a draft's need of a name.
type claim struct {
	draft     int
	reference bool
}

// block finds the names that several templates need, reports each to all of
// them, and blocks them. A template that is blocked already still claims its
// names: what it came to when it was sound may be live, and is not deleted.
//
// References of one name do not collide: templates for different architectures
// of one DataSource share it.
func (x *expander) block() {
	crons := x.claims(func(d *draft, add func(string, bool)) {
		for _, out := range d.outputs {
			add(out.name, false)
		}
	})
	for _, key := range sortedKeys(crons) {
		x.collide(crons[key], "cron", key, "metadata", "name")
	}
	dataSources := x.claims(func(d *draft, add func(string, bool)) {
		for _, out := range d.outputs {
			add(out.dataSource, false)
		}
		if x.needsReference(d) {
			add(d.outcome.DataSource, true)
		}
	})
	for _, key := range sortedKeys(dataSources) {
		x.collide(dataSources[key], "DataSource", key, "spec", "managedDataSource")
	}
}

// needsReference reports whether a DataSource without an architecture has to
// lead to one of the draft's.
func (x *expander) needsReference(d *draft) bool {
	return len(d.images) > 0 && !x.ownImages[types.NamespacedName{Namespace: d.outcome.Namespace, Name: d.outcome.DataSource}]
}

// claims returns the names that more than one claim is laid to.
func (x *expander) claims(names func(*draft, func(name string, reference bool))) map[types.NamespacedName][]claim {
	first := make(map[types.NamespacedName]claim, 4*len(x.drafts))
	several := map[types.NamespacedName][]claim{}
	for i := range x.drafts {
		d := &x.drafts[i]
		if d.outcome.Template == "" || d.outcome.DataSource == "" || d.outcome.Namespace == "" {
			continue // reported, and no name comes of it
		}
		names(d, func(name string, reference bool) {
			key := types.NamespacedName{Namespace: d.outcome.Namespace, Name: name}
			c := claim{i, reference}
			if prev, taken := first[key]; !taken {
				first[key] = c
			} else if several[key] == nil {
				several[key] = []claim{prev, c}
			} else {
				several[key] = append(several[key], c)
			}
		})
	}
	return several
}

func (x *expander) collide(claims []claim, kind string, key types.NamespacedName, parent, child string) {
	if !slices.ContainsFunc(claims, func(c claim) bool { return !c.reference }) {
		return
	}
	for i, c := range claims {
		var others []string
		for j, other := range claims {
			if j != i {
				others = append(others, x.drafts[other.draft].outcome.Template)
			}
		}
		slices.Sort(others)
		d := &x.drafts[c.draft]
		err := field.Duplicate(path(d.template).Child(parent, child), key.Name)
		err.Detail = fmt.Sprintf("the %s %q in namespace %q also comes of the template %s; rename one",
			kind, key.Name, key.Namespace, quoted(others))
		x.problem(err)
		if !d.outcome.Blocked {
			d.outcome.Blocked, d.outcome.Reason = true, ReasonConflict
		}
	}
}

func sortedKeys[V any](m map[types.NamespacedName]V) []types.NamespacedName {
	return slices.SortedFunc(maps.Keys(m), compareKeys)
}

func compareKeys(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
