package dictexpand

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// planDataSources decides about the references that should exist, about those
// that are to be a cron's again, and about those that nothing needs any more;
// rules 51 to 71.
func (f *facts) planDataSources(holders holders) []Step {
	var steps []Step
	settled := f.callers()
	for i := range f.References {
		ref := &f.References[i]
		key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
		settled[key] = true
		steps = append(steps, f.planReference(ref, f.dataSources[key], holders[key]))
	}
	for i := range f.Crons {
		c := &f.Crons[i].Object
		key := managed(c)
		live := f.dataSources[key]
		if live == nil {
			continue
		}
		settled[key] = true
		if f.goesBack(live, c) {
			steps = append(steps, backToCron(c.Name, live, holders[key]))
		}
	}
	for key, live := range f.dataSources {
		if !settled[key] && isReference(live) && f.owner.owns(&live.ObjectMeta) {
			steps = append(steps, f.planUnused(live, holders))
		}
	}
	return steps
}

// planReference decides about the DataSource that should be a reference; rules 51
// to 61. live is nil if it does not exist.
func (f *facts) planReference(ref *Reference, live *cdiv1beta1.DataSource, holder *cdiv1beta1.DataImportCron) Step {
	want := ref.DataSource()
	if live == nil {
		s := Step{Kind: KindDataSource, Namespace: ref.Namespace, Name: ref.Name}
		if holder != nil {
			return taken(holder, s)
		}
		f.owner.mark(&want.ObjectMeta, &metav1.ObjectMeta{})
		s.Verb, s.Reason, s.DataSource = VerbCreate, ReasonMissing, &want
		return s
	}

	s := dataSourceStep(live)
	t, blocked := f.templates.blocked[ref.Name]
	reason := whyReference(&live.Spec.Source, &want.Spec.Source, live.Labels)
	switch {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = VerbWait, ReasonBeingDeleted
	case !f.mayTake(live, ref):
		s.Verb, s.Reason = VerbLeaveAlone, ReasonNotOwned
	case reason == "":
		s.Verb, s.Reason = VerbKeep, ReasonUpToDate
	case holder != nil:
		s = taken(holder, s)
	case blocked:
		s.Verb, s.Reason = VerbLeaveAlone, ReasonTemplateBlocked
		s.Detail = "belongs to the template " + quoted([]string{t}) + " too"
	case f.frozen != "":
		s.Verb, s.Reason = VerbLeaveAlone, f.frozen
	case isReference(live) && f.held[types.NamespacedName{Namespace: ref.Namespace, Name: live.Spec.Source.DataSource.Name}]:
		s.Verb, s.Reason = VerbLeaveAlone, ReasonArchitectureHeld
	default:
		s.Verb, s.Reason = VerbUpdate, reason
		s.DataSource = live.DeepCopy()
		s.DataSource.Spec.Source = want.Spec.Source
		// With the cleanup label left on it, the deletion of a later cron would take
		// the DataSource along.
		delete(s.DataSource.Labels, LabelDataImportCron)
		delete(s.DataSource.Labels, LabelDataImportCronCleanup)
		f.owner.mark(&s.DataSource.ObjectMeta, &want.ObjectMeta)
	}
	return s
}

// whyReference returns why the DataSource has to be updated to be the reference
// that is wanted, or "".
func whyReference(live, want *cdiv1beta1.DataSourceSource, labels map[string]string) StepReason {
	_, managed := labels[LabelDataImportCron]
	_, cleanup := labels[LabelDataImportCronCleanup]
	switch {
	case live.DataSource == nil, live.PVC != nil, live.Snapshot != nil, managed, cleanup:
		return ReasonBecomesReference
	case *live.DataSource != *want.DataSource:
		return ReasonRedirected
	}
	return ""
}

// mayTake reports whether the DataSource may become the caller's reference; rules
// 54 and 61.
func (f *facts) mayTake(live *cdiv1beta1.DataSource, ref *Reference) bool {
	if f.owner.owns(&live.ObjectMeta) {
		return true
	}
	name := live.Labels[LabelDataImportCron]
	if name == "" {
		return false
	}
	if cron := f.crons[types.NamespacedName{Namespace: live.Namespace, Name: name}]; cron != nil {
		return f.owner.owns(&cron.ObjectMeta)
	}
	return slices.Contains(ref.Templates, name)
}

// goesBack reports whether the DataSource was a reference of the caller and is to
// be managed by the wanted cron; rules 62 and 65.
func (f *facts) goesBack(live *cdiv1beta1.DataSource, c *cdiv1beta1.DataImportCron) bool {
	if !isReference(live) || !f.owner.owns(&live.ObjectMeta) || live.Labels[LabelDataImportCron] == c.Name {
		return false
	}
	cron := f.crons[keyOf(&c.ObjectMeta)]
	return cron == nil || f.owner.owns(&cron.ObjectMeta)
}

// backToCron decides about a reference that goes back to a cron; rules 63 to 65.
func backToCron(cron string, live *cdiv1beta1.DataSource, holder *cdiv1beta1.DataImportCron) Step {
	s := dataSourceStep(live)
	switch {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = VerbWait, ReasonBeingDeleted
	case holder != nil:
		s = taken(holder, s)
	default:
		s.Verb, s.Reason = VerbUpdate, ReasonBackToCron
		s.DataSource = live.DeepCopy()
		metav1.SetMetaDataLabel(&s.DataSource.ObjectMeta, LabelDataImportCron, cron)
	}
	return s
}

// planUnused decides about a reference of the caller that should not exist; rules
// 66 to 70.
func (f *facts) planUnused(live *cdiv1beta1.DataSource, holders holders) Step {
	s := dataSourceStep(live)
	t, blocked := f.templates.blocked[live.Name]
	holder := holders[keyOf(&live.ObjectMeta)]
	if holder == nil {
		// It may be of a blocked template that named another DataSource before.
		holder = holders[types.NamespacedName{Namespace: live.Namespace, Name: live.Spec.Source.DataSource.Name}]
	}
	switch {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = VerbWait, ReasonBeingDeleted
	case blocked:
		s.Verb, s.Reason = VerbLeaveAlone, ReasonTemplateBlocked
		s.Detail = "may belong to the template " + quoted([]string{t})
	case f.frozen != "":
		s.Verb, s.Reason = VerbLeaveAlone, f.frozen
	case holder != nil:
		s = taken(holder, s)
	default:
		s.Verb, s.Reason = VerbDelete, ReasonUnused
	}
	return s
}

// callers returns the DataSources that are no business of the plan unless a
// reference or a cron needs them; rule 71.
func (f *facts) callers() map[types.NamespacedName]bool {
	m := map[types.NamespacedName]bool{}
	for _, ds := range f.Options.CallerDataSources {
		m[types.NamespacedName{Namespace: f.Options.Namespace, Name: ds.Name}] = true
		for _, a := range ds.Architectures {
			m[types.NamespacedName{Namespace: f.Options.Namespace, Name: ds.Name + "-" + a}] = true
		}
	}
	for _, key := range f.Options.OwnImages {
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
