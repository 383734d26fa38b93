package dictexpand

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/internal/quote"
)

// A claim is a draft's need of a name: that of a template, a cron or a DataSource.
type claim struct {
	namespace string
	name      string
	draft     int // its place among the drafts
	output    int // of the draft, or one of the following
}

const (
	reference = -1 // of the draft
	reserved  = -2 // a name that the draft may have made a cron of before
)

// compareClaims goes on to the next part only where it has to: a thousand
// templates make it the inner loop.
func compareClaims(a, b claim) int {
	if c := strings.Compare(a.namespace, b.namespace); c != 0 {
		return c
	}
	if c := strings.Compare(a.name, b.name); c != 0 {
		return c
	}
	return a.draft - b.draft // which are in order
}

// claimant returns the draft that has the claim.
func (x *expander) claimant(c claim) *draft { return &x.drafts.all()[c.draft] }

// claim gathers the names that the drafts need, those of blocked ones too: what
// they came to when they were sound may be live, and is not deleted.
func (x *expander) claim() {
	drafts, n := x.drafts.all(), 0
	for i := range drafts {
		n += len(drafts[i].outputs.all())
	}
	x.cronClaims.reserve(n)
	x.dataSourceClaims.reserve(n + len(drafts))
	for i := range drafts {
		d := &drafts[i]
		ns, managed := d.outcome.Namespace, d.outcome.DataSource
		if ns == "" || d.outcome.Template == "" {
			continue // a problem already, and no name comes of it
		}
		if len(drafts) > 1 {
			x.templateClaims = append(x.templateClaims, claim{ns, d.outcome.Template, i, 0})
		}
		for _, name := range x.reserved(d) {
			x.cronClaims.add(claim{ns, name, i, reserved})
		}
		if managed == "" {
			continue
		}
		switch {
		case len(d.images.all()) == 0:
		case x.isOwnImage(ns, managed):
			x.note(FindingAutoUpdateOff, d.template, "", path(d.template).Child("spec", "managedDataSource"),
				"the DataSource %s points to a user's own image and becomes no reference", quote.Quote(managed))
		default:
			x.references++
			x.dataSourceClaims.add(claim{ns, managed, i, reference})
		}
		for j, out := range d.outputs.all() {
			x.cronClaims.add(claim{ns, out.name, i, j})
			x.dataSourceClaims.add(claim{ns, out.dataSource, i, j})
		}
	}
	// Those of templates are in order, as the drafts are.
	slices.SortFunc(x.cronClaims.all(), compareClaims)
	slices.SortFunc(x.dataSourceClaims.all(), compareClaims)
}

// reserved returns the names of crons that the draft may have come to before
// something kept it from it: a user's own image, or an annotation with a mistake in
// it, which may once have listed any architecture.
func (x *expander) reserved(d *draft) []string {
	if !x.o.MultiArch || len(d.images.all()) > 0 && !d.skipped {
		return nil
	}
	value := d.template.Annotations[AnnotationArchitectures]
	if value == "" {
		return nil
	}
	payload := arch.Payload()
	lists := [][]string{d.images.all()}
	if len(d.images.all()) == 0 {
		lists = [][]string{ParseArchitectures(value), x.o.Architectures, x.o.Supported, x.o.HeldArchitectures, payload[:]}
	}
	var names []string
	for _, list := range lists {
		for _, a := range list {
			name := d.template.Name + "-" + a
			if !slices.Contains(names, name) && !slices.ContainsFunc(d.outputs.all(), func(out output) bool { return out.name == name }) {
				names = append(names, name)
			}
		}
	}
	return names
}

// block reports a name that several templates need to all of them, and blocks
// them.
func (x *expander) block() {
	if len(x.drafts.all()) < 2 {
		return
	}
	for same, rest := cutName(x.templateClaims); len(same) > 0; same, rest = cutName(rest) {
		if len(same) > 1 {
			x.collide(same, "template", "metadata", "name")
		}
	}
	for same, rest := cutName(x.cronClaims.all()); len(same) > 0; same, rest = cutName(rest) {
		if x.contested(same, reserved) {
			x.collide(same, "cron", "metadata", "name")
		}
	}
	for same, rest := cutName(x.dataSourceClaims.all()); len(same) > 0; same, rest = cutName(rest) {
		if x.contested(same, reference) {
			x.collide(same, "DataSource", "spec", "managedDataSource")
		}
	}
}

// contested reports whether templates of different names have the claims, and not
// all claims are of the kind that can be shared.
func (x *expander) contested(same []claim, shared int) bool {
	return x.claimant(same[0]).outcome.Template != x.claimant(same[len(same)-1]).outcome.Template &&
		slices.ContainsFunc(same, func(c claim) bool { return c.output != shared })
}

// cutName cuts the claims to the first name off the sorted claims.
func cutName(claims []claim) (same, rest []claim) {
	n := min(1, len(claims))
	for n < len(claims) && claims[n].namespace == claims[0].namespace && claims[n].name == claims[0].name {
		n++
	}
	return claims[:n], claims[n:]
}

func (x *expander) collide(same []claim, kind, parent, child string) {
	// As many names as one text holds, and one that the text leaves out.
	names := make([]string, 0, maxNames+1)
	for _, c := range same[:min(len(same), maxNames+1)] {
		names = append(names, x.claimant(c).outcome.Template)
	}
	detail := ""
	for i, c := range same {
		if i < len(names) { // for all that the text leaves out it is the same
			detail = collision(kind, c, slices.Concat(names[:i], names[i+1:]), len(same)-1)
		}
		err := field.Duplicate(path(x.claimant(c).template).Child(parent, child), quote.Cut(c.name))
		err.Detail = detail
		x.problem(err)
		if out := x.claimant(c).outcome; !out.Blocked {
			out.Blocked, out.Reason = true, ReasonConflict
		}
	}
}

// collision says who else needs the name of a claim: n templates, and what the
// first of them are called.
func collision(kind string, c claim, others []string, n int) string {
	if kind == "template" {
		return fmt.Sprintf("%d templates have this name in namespace %s; change all but one", n+1, quote.Quote(c.namespace))
	}
	templates := "the template "
	if n > 1 {
		templates = "the templates "
	}
	return fmt.Sprintf("the %s %s in namespace %s is needed by %s as well; change one of them",
		kind, quote.Quote(c.name), quote.Quote(c.namespace), templates+quotedOf(others, n))
}
