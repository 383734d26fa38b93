package dictexpand

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/arch"
)

// Blocked returns the names of the blocked templates in ascending order, each
// once.
func (e Expansion) Blocked() []string {
	var names []string
	for _, o := range e.Outcomes {
		if o.Blocked {
			names = append(names, o.Template)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// BlockedCrons returns which of the live crons may belong to a blocked template,
// in ascending order of namespace and name: crons of the caller that the
// expansion does not hold; rule 42. Plan leaves them alone.
func (e Expansion) BlockedCrons(live []cdiv1beta1.DataImportCron) []types.NamespacedName {
	wanted, templates := e.wanted(), e.templates()
	var blocked []types.NamespacedName
	for i := range live {
		if _, ok := templates.blocks(&live[i], wanted); ok {
			blocked = append(blocked, keyOf(&live[i].ObjectMeta))
		}
	}
	slices.SortFunc(blocked, compareKeys)
	return slices.Compact(blocked)
}

// templates is which template a live cron may have been made of.
type templates struct {
	options *Options
	byKey   map[types.NamespacedName]*Outcome
	byName  map[string]*Outcome // of several of one name, a blocked one, else the first by namespace
	blocked map[string]string   // names of the blocked ones by managedDataSource
}

func (e *Expansion) templates() templates {
	n := len(e.Outcomes)
	t := templates{&e.Options, make(map[types.NamespacedName]*Outcome, n), make(map[string]*Outcome, n), map[string]string{}}
	for i := range e.Outcomes {
		out := &e.Outcomes[i]
		t.byKey[types.NamespacedName{Namespace: out.Namespace, Name: out.Template}] = out
		if prev := t.byName[out.Template]; prev == nil || !prev.Blocked && (out.Blocked || out.Namespace < prev.Namespace) {
			t.byName[out.Template] = out
		}
		if prev, ok := t.blocked[out.DataSource]; out.Blocked && out.DataSource != "" && (!ok || out.Template < prev) {
			t.blocked[out.DataSource] = out.Template
		}
	}
	return t
}

// blocks returns the blocked template that the live cron may belong to.
func (t templates) blocks(live *cdiv1beta1.DataImportCron, wanted map[types.NamespacedName]*Cron) (string, bool) {
	if wanted[keyOf(&live.ObjectMeta)] != nil || !t.options.Owner.owns(&live.ObjectMeta) {
		return "", false
	}
	a := live.Labels[LabelArchitecture]
	for _, name := range []string{live.Name, t.base(a, live.Name)} {
		if out := t.byName[name]; out != nil && out.Blocked {
			return name, true
		}
	}
	for _, name := range []string{live.Spec.ManagedDataSource, t.base(a, live.Spec.ManagedDataSource)} {
		if blocked, ok := t.blocked[name]; ok {
			return blocked, true
		}
	}
	return "", false
}

// of returns the template that the live cron may be of, or nil.
func (t templates) of(live *cdiv1beta1.DataImportCron) *Outcome {
	return t.named(live.Namespace, live.Name, t.base(live.Labels[LabelArchitecture], live.Name))
}

// named returns a template of one of the names, or nil: one of the namespace before
// one that is elsewhere now.
func (t templates) named(namespace string, names ...string) *Outcome {
	for _, name := range names {
		if out := t.byKey[types.NamespacedName{Namespace: namespace, Name: name}]; out != nil {
			return out
		}
	}
	for _, name := range names {
		if out := t.byName[name]; out != nil {
			return out
		}
	}
	return nil
}

// holds reports whether the template of the live cron has its architecture, and
// that one is held.
func (t templates) holds(live *cdiv1beta1.DataImportCron) bool {
	a := architectureOf(live)
	out := t.named(live.Namespace, t.base(a, live.Name))
	return out != nil && slices.Contains(out.Held, a)
}

// whyUnwanted returns why the expansion does not hold the cron.
func (t templates) whyUnwanted(live *cdiv1beta1.DataImportCron) StepReason {
	if slices.Contains(t.options.OwnImages, managed(live)) {
		return ReasonOwnImage
	}
	out := t.of(live)
	switch {
	case out == nil:
		return ReasonTemplateRemoved
	case out.Template == live.Name:
		return ReasonMultiArchSwitched
	}
	switch out.Reason {
	case ReasonMultiArchOff, ReasonNoAnnotation, ReasonDefaultArchitecture:
		return ReasonMultiArchSwitched
	}
	return ReasonArchitectureRemoved
}

// base returns the name without the architecture it ends in. The label of the
// cron tells the architecture, but somebody may have removed it.
func (t templates) base(label, name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return name
	}
	if a := name[i+1:]; a == label || arch.InPayload(a) ||
		slices.Contains(t.options.Architectures, a) || slices.Contains(t.options.Supported, a) ||
		slices.Contains(t.options.HeldArchitectures, a) {
		return name[:i]
	}
	return name
}
