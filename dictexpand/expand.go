package dictexpand

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/arch"
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
	x.o.detach()
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
	references       int // of the last
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
	images []string
	// skipped says that a user's own image kept a cron from being an output.
	skipped bool
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
	architectures := x.architectures(d)
	if asWritten := len(architectures) == 1 && architectures[0] == ""; !asWritten {
		d.images = architectures
	}
	d.outputs.reserve(len(architectures))
	text := ""
	if d.outcome.Reason == ReasonPerArchitecture {
		text = suffixed(t.Name, t.Spec.ManagedDataSource, architectures)
	}
	for _, a := range architectures {
		out := output{t.Name, t.Spec.ManagedDataSource, a}
		switch n := len("-") + len(a); {
		case text != "":
			out.name, text = text[:len(t.Name)+n], text[len(t.Name)+n:]
			out.dataSource, text = text[:len(t.Spec.ManagedDataSource)+n], text[len(t.Spec.ManagedDataSource)+n:]
		case a != "":
			out.dataSource += "-" + a
		}
		if x.isOwnImage(d.outcome.Namespace, out.dataSource) {
			d.skipped = true
			x.note(FindingAutoUpdateOff, t, a, path(t).Child("spec", "managedDataSource"),
				"the DataSource %s points to a user's own image, so no cron updates it", quote.Quote(out.dataSource))
			continue
		}
		d.outputs.add(out)
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

// suffixed returns both names with the first architecture behind them, then with the
// next one, and so on: one text, of which the names are parts, takes one allocation.
func suffixed(name, dataSource string, architectures []string) string {
	n := len(architectures) * (len(name) + len(dataSource) + 2*len("-"))
	for _, a := range architectures {
		n += 2 * len(a)
	}
	var text strings.Builder
	text.Grow(n)
	for _, a := range architectures {
		for _, s := range [...]string{name, dataSource} {
			text.WriteString(s)
			text.WriteByte('-')
			text.WriteString(a)
		}
	}
	return text.String()
}

// architectures returns those that the template gives a cron for, "" for a cron
// as written, and notes the reason.
func (x *expander) architectures(d *draft) []string {
	t := d.template
	value := t.Annotations[AnnotationArchitectures]
	at := func() *field.Path { return path(t).Child("metadata", "annotations").Key(AnnotationArchitectures) }

	if !x.o.MultiArch {
		d.outcome.Reason = ReasonMultiArchOff
		return []string{""}
	}
	if value == "" {
		made, perArchitecture := x.madePerArchitecture(d)
		if !perArchitecture {
			d.outcome.Reason = ReasonNoAnnotation
			return []string{""}
		}
		compatible := slices.DeleteFunc(slices.Clone(made), func(a string) bool {
			return !x.supported(a) || !slices.Contains(x.o.Architectures, a)
		})
		for _, a := range made {
			if x.supported(a) && x.held(a) && !slices.Contains(d.outcome.Held, a) {
				d.outcome.Held = append(d.outcome.Held, a)
				x.note(FindingArchitectureHeld, t, a, path(t).Child("spec", "managedDataSource"), heldDetail, quote.Quote(a))
			}
		}
		a, _ := x.preferred(compatible)
		if a == "" {
			d.outcome.Reason = ReasonNoCompatibleArchitecture
			x.note(FindingNoCompatibleArchitecture, t, "", path(t).Child("spec", "managedDataSource"),
				"the DataSource %s is made for %s, and the cluster has %s: no cron and no reference",
				quote.Quote(t.Spec.ManagedDataSource), quoted(made), quoted(x.o.Architectures))
			return nil
		}
		d.outcome.Reason = ReasonDefaultArchitecture
		x.noteWorkload(t, a, func() *field.Path { return path(t).Child("spec", "managedDataSource") })
		return []string{a}
	}

	d.outcome.Reason = ReasonPerArchitecture
	list := ParseArchitectures(value)
	if len(list) == 0 {
		x.problem(field.Invalid(at(), quote.Cut(value), "lists no architecture; remove it, or list some as in \"amd64,arm64\""))
		return nil
	}
	compatible := list[:0]
	for _, a := range list {
		d.outcome.Unclear = d.outcome.Unclear || !x.known(a)
		switch canonical, known := arch.Canonical(a); {
		case known && canonical != a:
			x.note(FindingAlias, t, a, at(), "%s is skipped; write %s", quote.Quote(a), quote.Quote(canonical))
		case !x.supported(a):
			x.note(FindingUnsupported, t, a, at(), "%s is skipped; the supported architectures are %s", quote.Quote(a), quoted(x.o.Supported))
		case x.held(a):
			d.outcome.Held = append(d.outcome.Held, a)
			x.note(FindingArchitectureHeld, t, a, at(), heldDetail, quote.Quote(a))
		case !slices.Contains(x.o.Architectures, a):
			x.note(FindingNotInCluster, t, a, at(), "%s is skipped; the cluster has %s", quote.Quote(a), quoted(x.o.Architectures))
		default:
			compatible = append(compatible, a)
			x.noteWorkload(t, a, at)
		}
	}
	if len(compatible) == 0 {
		d.outcome.Reason = ReasonNoCompatibleArchitecture
		x.note(FindingNoCompatibleArchitecture, t, "", at(), "nothing of %s can be used: no cron and no reference", quote.Quote(value))
	}
	return compatible
}

// madePerArchitecture returns the architectures for which the caller makes the
// draft's DataSource itself.
func (x *expander) madePerArchitecture(d *draft) ([]string, bool) {
	if d.outcome.Namespace != x.o.Namespace {
		return nil, false
	}
	made, ok := x.made[d.outcome.DataSource]
	return made, ok
}

func (x *expander) isOwnImage(namespace, name string) bool {
	return len(x.own) > 0 && x.own[types.NamespacedName{Namespace: namespace, Name: name}]
}

func (x *expander) supported(a string) bool {
	return len(x.o.Supported) == 0 || slices.Contains(x.o.Supported, a)
}

const heldDetail = "%s has left the cluster; what was made for it is held until its period of grace is over"

// held reports whether the architecture has left the cluster, and the caller
// holds what was made for it.
func (x *expander) held(a string) bool {
	return slices.Contains(x.o.HeldArchitectures, a) && !slices.Contains(x.o.Architectures, a)
}

// known reports whether the architecture is one that somebody knows by this name.
func (x *expander) known(a string) bool {
	return arch.InPayload(a) || slices.Contains(x.o.Architectures, a) || slices.Contains(x.o.Supported, a) ||
		slices.Contains(x.o.HeldArchitectures, a)
}

func (x *expander) hasWorkload(a string) bool {
	if len(x.o.WorkloadArchitectures) == 0 {
		return !x.o.NoWorkloadNodes
	}
	return slices.Contains(x.o.WorkloadArchitectures, a)
}

// preferred returns the first architecture in the order of preference that is
// one of the given and has nodes for workload, else the first that is one of
// the given, else "".
func (x *expander) preferred(given []string) (string, ReferenceReason) {
	first := ""
	for _, a := range x.o.Architectures {
		if !slices.Contains(given, a) {
			continue
		}
		if x.hasWorkload(a) {
			return a, ReasonFirstWithWorkload
		}
		first = cmp.Or(first, a)
	}
	return first, ReasonFirstWithImage
}

func (x *expander) noteWorkload(t *Template, a string, at func() *field.Path) {
	if !x.hasWorkload(a) {
		x.note(FindingNoWorkloadNodes, t, a, at(),
			"no node for workload is %s: CDI runs the pods of the import on that architecture only, and they may stay pending", quote.Quote(a))
	}
}

func (x *expander) problem(err *field.Error) { x.problems = append(x.problems, err) }

func (x *expander) note(code FindingCode, t *Template, architecture string, at *field.Path, format string, args ...any) {
	x.findings = append(x.findings, Finding{code, t.Name, architecture, at.String(), fmt.Sprintf(format, args...)})
}
