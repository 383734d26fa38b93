package dictexpand

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

// Expand returns what the templates come to: one cron, or one for each
// compatible architecture, and the references that lead from a DataSource
// without an architecture to one with; rules 1 to 34.
func Expand(templates []Template, o Options) (e Expansion) {
	if len(templates) > 0 {
		e.Outcomes = make([]Outcome, len(templates))
	}
	var x expander
	x.o = o
	x.names = x.o.detach(len(templates))
	x.index()
	x.drafts.reserve(len(templates))
	order := x.order(templates)
	for _, i := range order.all() {
		x.drafts.add(draft{template: &templates[i], outcome: &e.Outcomes[i]})
	}
	drafts := x.drafts.all()
	for i := range drafts {
		x.draft(&drafts[i])
	}
	x.claim()
	x.block()

	e.Crons, e.References = x.buildCrons(), x.buildReferences()
	sortProblems(x.problems)
	e.Problems = x.problems
	sortFindings(x.findings)
	e.Findings = x.findings
	e.Options = x.o
	return e
}

// An expander is one call of Expand.
type expander struct {
	o      Options
	drafts list[draft] // in the order of the templates' namespaces and names
	// own is Options.OwnImages, made Options.CallerDataSources by name, and callers
	// the names without an architecture of those by name with one.
	own     map[types.NamespacedName]bool
	made    map[string][]string
	callers map[string]string
	// What the drafts need, in ascending order of namespace and name.
	templateClaims   []claim
	cronClaims       list[claim]
	dataSourceClaims list[claim]
	references       int      // of the last
	names            []string // room for those of the templates of the references
	problems         field.ErrorList
	findings         []Finding
}

// order returns the places of the templates in ascending order of namespace and name.
// What is made of them in that order needs little sorting.
func (x *expander) order(templates []Template) (places list[int32]) {
	places.reserve(len(templates))
	for i := range templates {
		places.add(int32(i))
	}
	slices.SortFunc(places.all(), func(i, j int32) int {
		a, b := &templates[i], &templates[j]
		if c := strings.Compare(cmp.Or(a.Namespace, x.o.Namespace), cmp.Or(b.Namespace, x.o.Namespace)); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name) // those of one name are blocked alike
	})
	return places
}

// index makes the options quick to look up.
func (x *expander) index() {
	if len(x.o.OwnImages) > 0 {
		x.own = make(map[types.NamespacedName]bool, len(x.o.OwnImages))
	}
	for _, key := range x.o.OwnImages {
		x.own[key] = true
	}
	if len(x.o.CallerDataSources) > 0 {
		x.made, x.callers = make(map[string][]string, len(x.o.CallerDataSources)), map[string]string{}
	}
	for _, ds := range x.o.CallerDataSources {
		if _, twice := x.made[ds.Name]; !twice {
			x.made[ds.Name] = ds.Architectures
		}
		for _, a := range ds.Architectures {
			x.callers[ds.Name+"-"+a] = ds.Name
		}
	}
}

// A draft is what one template would come to if it stood alone.
type draft struct {
	template *Template
	outcome  *Outcome
	outputs  list[output]
	// images holds the architectures whose DataSource has an image, be it a cron's
	// or a user's own.
	images list[string]
	// skipped says that a user's own image kept a cron from being an output.
	skipped bool
	built   *metav1.ObjectMeta // of the first cron
}

// An output is a cron before it is built.
type output struct {
	name         string
	dataSource   string
	architecture string // "" for a cron as written
}

func (x *expander) draft(d *draft) {
	t, outcome := d.template, d.outcome
	outcome.Template, outcome.DataSource, outcome.Namespace = t.Name, t.Spec.ManagedDataSource, cmp.Or(t.Namespace, x.o.Namespace)
	problems := len(x.problems)
	switch asWritten := x.architectures(d); {
	case asWritten:
		x.output(d, output{t.Name, t.Spec.ManagedDataSource, ""})
	case outcome.Reason == ReasonPerArchitecture:
		x.outputs(d)
	default:
		for _, a := range d.images.all() {
			x.output(d, output{t.Name, t.Spec.ManagedDataSource + "-" + a, a})
		}
	}
	x.validate(d)
	switch {
	case len(x.problems) > problems:
		d.outcome.Blocked, d.outcome.Reason = true, ReasonInvalid
	case d.outcome.Reason == ReasonNoCompatibleArchitecture:
		d.outcome.Blocked = true
	case d.skipped && len(d.outputs.all()) == 0:
		d.outcome.Reason = ReasonAutoUpdateOff
	}
}

// outputs adds an output for each architecture. Both names with the first architecture
// behind them, then with the next one, and so on, are one text: that is one allocation.
func (x *expander) outputs(d *draft) {
	name, dataSource, architectures := d.template.Name, d.template.Spec.ManagedDataSource, d.images.all()
	n := len(architectures) * (len(name) + len(dataSource) + 2*len("-"))
	for _, a := range architectures {
		n += 2 * len(a)
	}
	var b strings.Builder
	b.Grow(n)
	for _, a := range architectures {
		for _, s := range [...]string{name, dataSource} {
			b.WriteString(s)
			b.WriteByte('-')
			b.WriteString(a)
		}
	}
	text := b.String()
	cut := func(n int) (s string) {
		s, text = text[:n], text[n:]
		return s
	}
	d.outputs.reserve(len(architectures))
	for _, a := range architectures {
		x.output(d, output{cut(len(name) + len("-") + len(a)), cut(len(dataSource) + len("-") + len(a)), a})
	}
}

// output adds the output, unless it would manage a user's own image.
func (x *expander) output(d *draft, out output) {
	if !x.isOwnImage(d.outcome.Namespace, out.dataSource) {
		d.outputs.add(out)
		return
	}
	d.skipped = true
	x.note(FindingAutoUpdateOff, d.template, out.architecture, path(d.template).Child("spec", "managedDataSource"),
		"the DataSource %s points to a user's own image, so no cron updates it", quote.Quote(out.dataSource))
}

func (x *expander) isOwnImage(namespace, name string) bool {
	return len(x.own) > 0 && x.own[types.NamespacedName{Namespace: namespace, Name: name}]
}

func (x *expander) problem(err *field.Error) { x.problems = append(x.problems, err) }

func (x *expander) note(code FindingCode, t *Template, architecture string, at *field.Path, format string, args ...any) {
	x.findings = append(x.findings, Finding{code, t.Name, architecture, at.String(), fmt.Sprintf(format, args...)})
}
