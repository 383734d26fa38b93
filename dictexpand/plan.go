package dictexpand

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Existing is what there is: the crons and DataSources of every namespace that
// templates name or ever named, whoever they belong to.
type Existing struct {
	Crons       []cdiv1beta1.DataImportCron
	DataSources []cdiv1beta1.DataSource
}

// Plan returns the steps that lead from what exists to the expansion. It has a
// step for every cron that exists or should, for every reference that exists or
// should, and for DataSources that change hands between the two. Options must be
// those that Expand was given.
//
// Steps are to be taken in their order: writes of DataSources, deletions of
// crons, other writes of crons, and then those that ask for nothing, each part
// by kind, namespace and name. When all are taken, a new plan writes nothing,
// unless something was waited for.
//
// Nothing is deleted, and no reference changed, that may belong to a blocked
// template or while Options.ArchitecturesIncomplete is set.
func Plan(want Expansion, have Existing, o Options) []Step {
	p := planner{
		want: want, o: o,
		crons:       make(map[types.NamespacedName]*cdiv1beta1.DataImportCron, len(have.Crons)),
		dataSources: make(map[types.NamespacedName]*cdiv1beta1.DataSource, len(have.DataSources)),
		cleanup:     map[types.NamespacedName]bool{},
		wanted:      make(map[types.NamespacedName]*Cron, len(want.Crons)),
		replaced:    map[types.NamespacedName]*cdiv1beta1.DataImportCron{},
		holders:     map[types.NamespacedName]*cdiv1beta1.DataImportCron{},
		names:       make(map[string]*Outcome, len(want.Outcomes)),
		blocked:     map[string]string{},
		steps:       make([]Step, 0, max(len(have.Crons), len(want.Crons))+len(want.References)),
	}
	for i := range have.Crons {
		p.crons[keyOf(&have.Crons[i].ObjectMeta)] = &have.Crons[i]
	}
	for i := range have.DataSources {
		ds := &have.DataSources[i]
		p.dataSources[keyOf(&ds.ObjectMeta)] = ds
		if cron := ds.Labels[DataImportCronLabel]; cron != "" && ds.Labels[DataImportCronCleanupLabel] == "true" {
			p.cleanup[types.NamespacedName{Namespace: ds.Namespace, Name: cron}] = true
		}
	}
	for i := range want.Crons {
		p.wanted[keyOf(&want.Crons[i].Object.ObjectMeta)] = &want.Crons[i]
	}
	for i := range want.Outcomes {
		out := &want.Outcomes[i]
		if prev := p.names[out.Template]; prev == nil || !prev.Blocked {
			p.names[out.Template] = out
		}
		if out.Blocked && out.DataSource != "" {
			p.blocked[out.DataSource] = out.Template
		}
	}
	p.planCrons()
	p.planDataSources()
	sortSteps(p.steps)
	return p.steps
}

// A planner is one call of Plan.
type planner struct {
	want Expansion
	o    Options
	// What exists.
	crons       map[types.NamespacedName]*cdiv1beta1.DataImportCron
	dataSources map[types.NamespacedName]*cdiv1beta1.DataSource
	// cleanup holds the crons whose deletion deletes what CDI made when their
	// retentionPolicy was None, whatever it is now.
	cleanup map[types.NamespacedName]bool
	// What should exist.
	wanted map[types.NamespacedName]*Cron
	// replaced holds the crons that are to be deleted and created, by the
	// DataSource that they are to manage then.
	replaced map[types.NamespacedName]*cdiv1beta1.DataImportCron
	// holders holds the crons that stay although they should not, by the
	// DataSource that they manage: CDI lets no other cron manage it.
	holders map[types.NamespacedName]*cdiv1beta1.DataImportCron
	names   map[string]*Outcome // by template
	blocked map[string]string   // templates by managedDataSource
	steps   []Step
}

func (p *planner) planCrons() {
	steps := make([]Step, 0, len(p.crons))
	for _, key := range sortedKeys(p.crons) {
		live := p.crons[key]
		if s := p.judge(key, live); s.Verb != "" {
			steps = append(steps, s)
		} else {
			p.replaced[managed(&p.wanted[key].Object)] = live
		}
	}
	// Whether a cron can be replaced shows when it is known which ones stay.
	for _, s := range steps {
		if s.Verb == LeaveAlone || s.Verb == Wait {
			p.hold(p.crons[types.NamespacedName{Namespace: s.Namespace, Name: s.Name}])
		}
		p.step(s)
	}
	for _, live := range p.replaced {
		p.step(p.deletion(live, ReasonSpecChanged))
		p.create(p.wanted[keyOf(&live.ObjectMeta)], ReasonSpecChanged)
	}
	for i := range p.want.Crons {
		c := &p.want.Crons[i]
		key := keyOf(&c.Object.ObjectMeta)
		if p.crons[key] != nil {
			continue
		}
		if holder := p.holders[managed(&c.Object)]; holder != nil {
			p.step(taken(holder, Step{Kind: KindDataImportCron, Namespace: key.Namespace, Name: key.Name}))
			continue
		}
		p.create(c, ReasonMissing)
	}
}

// judge decides about a cron that exists. The step has no verb if the cron is to
// be replaced.
func (p *planner) judge(key types.NamespacedName, live *cdiv1beta1.DataImportCron) Step {
	c := p.wanted[key]
	switch {
	case !p.o.Owner.owns(&live.ObjectMeta):
		return cronStep(LeaveAlone, live, ReasonNotOwned)
	case live.DeletionTimestamp != nil:
		return cronStep(Wait, live, ReasonBeingDeleted)
	case c == nil:
		return p.unwanted(live)
	case !sameSpec(&live.Spec, &c.Object.Spec):
		if p.o.ArchitecturesIncomplete {
			return cronStep(LeaveAlone, live, ReasonArchitecturesIncomplete)
		}
		return Step{}
	case p.o.Owner.marked(&live.ObjectMeta, &c.Object.ObjectMeta):
		return cronStep(Keep, live, ReasonUpToDate)
	}
	s := cronStep(Relabel, live, ReasonMetadataChanged)
	s.Cron = live.DeepCopy()
	p.o.Owner.mark(&s.Cron.ObjectMeta, &c.Object.ObjectMeta)
	return s
}

// unwanted decides about a cron of the caller that should not exist.
func (p *planner) unwanted(live *cdiv1beta1.DataImportCron) Step {
	if t, ok := p.blockedTemplate(live); ok {
		s := cronStep(LeaveAlone, live, ReasonTemplateBlocked)
		s.Detail = "may belong to the template " + quoted([]string{t})
		return s
	}
	if p.o.ArchitecturesIncomplete {
		return cronStep(LeaveAlone, live, ReasonArchitecturesIncomplete)
	}
	return p.deletion(live, p.whyUnwanted(live))
}

func (p *planner) deletion(live *cdiv1beta1.DataImportCron, reason Reason) Step {
	s := cronStep(Delete, live, reason)
	s.Data = p.importedData(live)
	return s
}

// hold notes that the cron stays and goes on managing its DataSource. A cron
// that was to be replaced by one that manages that DataSource then stays too.
func (p *planner) hold(live *cdiv1beta1.DataImportCron) {
	for live != nil {
		key := managed(live)
		p.holders[key] = live
		next := p.replaced[key]
		if next != nil {
			delete(p.replaced, key)
			p.step(taken(live, cronStep(LeaveAlone, next, "")))
		}
		live = next
	}
}

// taken makes s wait for the holder, or leaves its object alone if the holder
// does not go.
func taken(holder *cdiv1beta1.DataImportCron, s Step) Step {
	s.Verb = LeaveAlone
	if holder.DeletionTimestamp != nil {
		s.Verb = Wait
	}
	s.Reason = ReasonDataSourceTaken
	s.Detail = "the cron " + quoted([]string{holder.Name}) + " manages the DataSource " + quoted([]string{holder.Spec.ManagedDataSource})
	return s
}

func (p *planner) create(c *Cron, reason Reason) {
	obj := c.Object.DeepCopy()
	p.o.Owner.mark(&obj.ObjectMeta, &c.Object.ObjectMeta)
	p.step(Step{Verb: Create, Kind: KindDataImportCron, Namespace: obj.Namespace, Name: obj.Name, Reason: reason, Cron: obj})
}

func (p *planner) step(s Step) { p.steps = append(p.steps, s) }

func cronStep(verb Verb, live *cdiv1beta1.DataImportCron, reason Reason) Step {
	return Step{
		Verb: verb, Kind: KindDataImportCron, Namespace: live.Namespace, Name: live.Name, Reason: reason,
		UID: live.UID, ResourceVersion: live.ResourceVersion,
	}
}

// importedData returns what CDI does with the imported data of a deleted cron.
func (p *planner) importedData(live *cdiv1beta1.DataImportCron) ImportedData {
	none := live.Spec.RetentionPolicy != nil && *live.Spec.RetentionPolicy == cdiv1beta1.DataImportCronRetainNone
	if none || p.cleanup[keyOf(&live.ObjectMeta)] {
		return DataDeleted
	}
	return DataKept
}

// sameSpec compares as CDI's webhook does, but for the metadata of the
// DataVolume, which the CRD prunes.
func sameSpec(a, b *cdiv1beta1.DataImportCronSpec) bool {
	x, y := *a, *b
	x.Template.ObjectMeta, y.Template.ObjectMeta = metav1.ObjectMeta{}, metav1.ObjectMeta{}
	return equality.Semantic.DeepEqual(x, y)
}

func keyOf(m *metav1.ObjectMeta) types.NamespacedName {
	return types.NamespacedName{Namespace: m.Namespace, Name: m.Name}
}

func managed(c *cdiv1beta1.DataImportCron) types.NamespacedName {
	return types.NamespacedName{Namespace: c.Namespace, Name: c.Spec.ManagedDataSource}
}

func sortedKeys[V any](m map[types.NamespacedName]V) []types.NamespacedName {
	return slices.SortedFunc(maps.Keys(m), func(a, b types.NamespacedName) int {
		if c := strings.Compare(a.Namespace, b.Namespace); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
}
