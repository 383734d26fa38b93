package dictexpand

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// references returns the default references of the drafts that are not blocked:
// one for each DataSource that they have images of some architecture for.
func (x *expander) references() []Reference {
	var drafts []*draft
	for i := range x.drafts {
		d := &x.drafts[i]
		if d.outcome.Blocked || len(d.images) == 0 {
			continue
		}
		if !x.needsReference(d) {
			x.find(FindingAutoUpdateOff, path(d.template).Child("spec", "managedDataSource"),
				"DataSource %q points to an image of a user's own and becomes no reference", d.outcome.DataSource)
			continue
		}
		drafts = append(drafts, d)
	}
	slices.SortFunc(drafts, func(a, b *draft) int {
		return cmp.Or(compareKeys(a.dataSource(), b.dataSource()), cmp.Compare(a.outcome.Template, b.outcome.Template))
	})

	var references []Reference
	for len(drafts) > 0 {
		key := drafts[0].dataSource()
		n := slices.IndexFunc(drafts, func(d *draft) bool { return d.dataSource() != key })
		if n < 0 {
			n = len(drafts)
		}
		ref := Reference{Namespace: key.Namespace, Name: key.Name}
		var images []string
		for _, d := range drafts[:n] {
			ref.Templates = append(ref.Templates, d.outcome.Template)
			images = append(images, d.images...)
		}
		ref.Architecture, ref.Reason = x.preferred(images)
		ref.Target = key.Name + "-" + ref.Architecture
		references = append(references, ref)
		drafts = drafts[n:]
	}
	return references
}

// dataSource is the DataSource without an architecture.
func (d *draft) dataSource() types.NamespacedName {
	return types.NamespacedName{Namespace: d.outcome.Namespace, Name: d.outcome.DataSource}
}
