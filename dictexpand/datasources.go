package dictexpand

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// planDataSources decides about the references that should exist, about those
// that are to be a cron's again, and about those that nothing needs any more. It
// comes after planCrons, which says which DataSources have a holder.
func (p *planner) planDataSources() {
	settled := make(map[types.NamespacedName]bool, len(p.dataSources))
	for i := range p.want.References {
		ref := &p.want.References[i]
		key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
		settled[key] = true
		p.planReference(key, ref, p.dataSources[key])
	}
	for i := range p.want.Crons {
		c := &p.want.Crons[i].Object
		key := managed(c)
		if live := p.dataSources[key]; live != nil {
			settled[key] = true
			p.planManaged(key, c, live)
		}
	}
	callers := p.callers()
	for key, live := range p.dataSources {
		if !settled[key] && !callers[key] && isReference(live) && p.o.Owner.owns(&live.ObjectMeta) {
			p.planUnused(key, live)
		}
	}
}

// planReference decides about the DataSource that should be a reference. live is
// nil if there is none.
func (p *planner) planReference(key types.NamespacedName, ref *Reference, live *cdiv1beta1.DataSource) {
	want := ref.DataSource()
	if live == nil {
		s := Step{Verb: Create, Kind: KindDataSource, Namespace: key.Namespace, Name: key.Name, Reason: ReasonMissing}
		if holder := p.holders[key]; holder != nil {
			p.step(taken(holder, s))
			return
		}
		p.o.Owner.mark(&want.ObjectMeta, &metav1.ObjectMeta{})
		s.DataSource = &want
		p.step(s)
		return
	}

	s := dataSourceStep(live)
	t, blocked := p.blocked[key.Name]
	reason := whyReference(&live.Spec.Source, &want.Spec.Source, live.Labels)
	switch holder := p.holders[key]; {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = Wait, ReasonBeingDeleted
	case !p.mayTake(live, ref):
		s.Verb, s.Reason = LeaveAlone, ReasonNotOwned
	case reason == "" && p.o.Owner.marked(&live.ObjectMeta, &want.ObjectMeta):
		s.Verb, s.Reason = Keep, ReasonUpToDate
	case holder != nil:
		s = taken(holder, s)
	case reason != "" && blocked:
		s.Verb, s.Reason = LeaveAlone, ReasonTemplateBlocked
		s.Detail = "is also of the template " + quoted([]string{t})
	case reason != "" && p.o.ArchitecturesIncomplete:
		s.Verb, s.Reason = LeaveAlone, ReasonArchitecturesIncomplete
	default:
		s.Verb, s.Reason = Update, reason
		if reason == "" {
			s.Verb, s.Reason = Relabel, ReasonMetadataChanged
		}
		s.DataSource = live.DeepCopy()
		s.DataSource.Spec.Source = want.Spec.Source
		// With the cleanup label left on it, the deletion of a later cron would take
		// the DataSource along.
		delete(s.DataSource.Labels, DataImportCronLabel)
		delete(s.DataSource.Labels, DataImportCronCleanupLabel)
		p.o.Owner.mark(&s.DataSource.ObjectMeta, &want.ObjectMeta)
	}
	p.step(s)
}

// whyReference returns why the DataSource has to be updated to be the reference
// that is wanted, or "".
func whyReference(live, want *cdiv1beta1.DataSourceSource, labels map[string]string) Reason {
	_, managed := labels[DataImportCronLabel]
	_, cleanup := labels[DataImportCronCleanupLabel]
	switch {
	case live.DataSource == nil, live.PVC != nil, live.Snapshot != nil, managed, cleanup:
		return ReasonBecomesReference
	case *live.DataSource != *want.DataSource:
		return ReasonRedirected
	}
	return ""
}

// mayTake reports whether the DataSource is the caller's, or one that CDI made
// for a cron of the caller. A cron that is gone was the caller's if its name is
// that of a template of the reference.
func (p *planner) mayTake(live *cdiv1beta1.DataSource, ref *Reference) bool {
	if p.o.Owner.owns(&live.ObjectMeta) {
		return true
	}
	name := live.Labels[DataImportCronLabel]
	if name == "" {
		return false
	}
	if cron := p.crons[types.NamespacedName{Namespace: live.Namespace, Name: name}]; cron != nil {
		return p.o.Owner.owns(&cron.ObjectMeta)
	}
	return slices.Contains(ref.Templates, name)
}

// planManaged decides about a DataSource that a cron should manage. It was a
// reference until now if it is the caller's: CDI manages it again once it has its
// label back. Until the first import it leads where it led.
func (p *planner) planManaged(key types.NamespacedName, c *cdiv1beta1.DataImportCron, live *cdiv1beta1.DataSource) {
	if !isReference(live) || !p.o.Owner.owns(&live.ObjectMeta) || live.Labels[DataImportCronLabel] == c.Name {
		return
	}
	if cron := p.crons[keyOf(&c.ObjectMeta)]; cron != nil && !p.o.Owner.owns(&cron.ObjectMeta) {
		return // the cron of that name is somebody else's
	}
	s := dataSourceStep(live)
	switch holder := p.holders[key]; {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = Wait, ReasonBeingDeleted
	case holder != nil:
		s = taken(holder, s)
	default:
		s.Verb, s.Reason = Update, ReasonBackToCron
		s.DataSource = live.DeepCopy()
		metav1.SetMetaDataLabel(&s.DataSource.ObjectMeta, DataImportCronLabel, c.Name)
	}
	p.step(s)
}

// planUnused decides about a reference of the caller that should not exist.
func (p *planner) planUnused(key types.NamespacedName, live *cdiv1beta1.DataSource) {
	s := dataSourceStep(live)
	t, blocked := p.blocked[key.Name]
	holder := p.holders[key]
	if holder == nil {
		// It may be of a blocked template that named another DataSource before.
		holder = p.holders[types.NamespacedName{Namespace: key.Namespace, Name: live.Spec.Source.DataSource.Name}]
	}
	switch {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = Wait, ReasonBeingDeleted
	case blocked:
		s.Verb, s.Reason = LeaveAlone, ReasonTemplateBlocked
		s.Detail = "may belong to the template " + quoted([]string{t})
	case p.o.ArchitecturesIncomplete:
		s.Verb, s.Reason = LeaveAlone, ReasonArchitecturesIncomplete
	case holder != nil:
		s = taken(holder, s)
	default:
		s.Verb, s.Reason = Delete, ReasonUnused
	}
	p.step(s)
}

// callers returns the DataSources that are the caller's own business.
func (p *planner) callers() map[types.NamespacedName]bool {
	m := map[types.NamespacedName]bool{}
	for _, ds := range p.o.DataSources {
		m[types.NamespacedName{Namespace: p.o.Namespace, Name: ds.Name}] = true
		for _, a := range ds.Architectures {
			m[types.NamespacedName{Namespace: p.o.Namespace, Name: ds.Name + "-" + a}] = true
		}
	}
	for _, key := range p.o.OwnImages {
		m[key] = true
	}
	return m
}

func isReference(ds *cdiv1beta1.DataSource) bool { return ds.Spec.Source.DataSource != nil }

func dataSourceStep(live *cdiv1beta1.DataSource) Step {
	return Step{
		Kind: KindDataSource, Namespace: live.Namespace, Name: live.Name,
		UID: live.UID, ResourceVersion: live.ResourceVersion,
	}
}
