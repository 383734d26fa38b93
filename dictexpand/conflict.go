package dictexpand

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A claim is a draft's need of a name: that of a cron or of a DataSource.
type claim struct {
	namespace string
	name      string
	draft     *draft
	output    int // of the draft; reference if it is not for a cron
}

const reference = -1

// compareClaims goes on to the next part only where it has to: a thousand
// templates make it the inner loop.
func compareClaims(a, b claim) int {
	if c := strings.Compare(a.namespace, b.namespace); c != 0 {
		return c
	}
	if c := strings.Compare(a.name, b.name); c != 0 {
		return c
	}
	return strings.Compare(a.draft.outcome.Template, b.draft.outcome.Template)
}

// claim gathers the names that the drafts need, blocked ones too (rule 20): what
// they came to when they were sound may be live, and is not deleted.
func (x *expander) claim() {
	n := 0
	for i := range x.drafts {
		n += len(x.drafts[i].outputs)
	}
	x.cronClaims = make([]claim, 0, n)
	x.dataSourceClaims = make([]claim, 0, n+len(x.drafts))
	for i := range x.drafts {
		d := &x.drafts[i]
		ns, managed := d.outcome.Namespace, d.outcome.DataSource
		if ns == "" || managed == "" || d.outcome.Template == "" {
			continue // a problem already, and no name comes of it
		}
		for j, out := range d.outputs {
			x.cronClaims = append(x.cronClaims, claim{ns, out.name, d, j})
			x.dataSourceClaims = append(x.dataSourceClaims, claim{ns, out.dataSource, d, j})
		}
		if len(d.images) == 0 {
			continue
		}
		if x.isOwnImage(ns, managed) {
			x.note(FindingAutoUpdateOff, d.template, "", path(d.template).Child("spec", "managedDataSource"),
				"the DataSource %q points to a user's own image and becomes no reference", managed)
			continue
		}
		x.dataSourceClaims = append(x.dataSourceClaims, claim{ns, managed, d, reference})
	}
	slices.SortFunc(x.cronClaims, compareClaims)
	slices.SortFunc(x.dataSourceClaims, compareClaims)
}

// block reports a name that several templates need to all of them, and blocks
// them; rule 13.
func (x *expander) block() {
	for same, rest := cutName(x.cronClaims); len(same) > 0; same, rest = cutName(rest) {
		x.collide(same, "cron", "metadata", "name")
	}
	for same, rest := cutName(x.dataSourceClaims); len(same) > 0; same, rest = cutName(rest) {
		x.collide(same, "DataSource", "spec", "managedDataSource")
	}
}

// cutName cuts the claims to the first name off the sorted claims.
func cutName(claims []claim) (same, rest []claim) {
	n := 0
	for n < len(claims) && claims[n].namespace == claims[0].namespace && claims[n].name == claims[0].name {
		n++
	}
	return claims[:n], claims[n:]
}

func (x *expander) collide(same []claim, kind, parent, child string) {
	if len(same) == 1 || !slices.ContainsFunc(same, func(c claim) bool { return c.output != reference }) {
		return
	}
	for i, c := range same {
		var others []string
		for j, other := range same {
			if j != i {
				others = append(others, other.draft.outcome.Template)
			}
		}
		err := field.Duplicate(path(c.draft.template).Child(parent, child), c.name)
		who := "the template "
		if len(others) > 1 {
			who = "the templates "
		}
		err.Detail = fmt.Sprintf("the %s %q in namespace %q is needed by %s as well; change one of them",
			kind, c.name, c.namespace, who+quoted(others))
		x.problem(err)
		if out := &c.draft.outcome; !out.Blocked {
			out.Blocked, out.Reason = true, ReasonConflict
		}
	}
}
