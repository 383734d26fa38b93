package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Existing is what exists in every namespace that templates name or ever named,
// whoever it belongs to.
type Existing struct {
	Crons       []cdiv1beta1.DataImportCron
	DataSources []cdiv1beta1.DataSource
	// Claims and Snapshots are the metadata of the PersistentVolumeClaims and
	// VolumeSnapshots that the DataSources name. Only OwnImages reads them.
	Claims    []metav1.ObjectMeta
	Snapshots []metav1.ObjectMeta
}

// BootSources is what to do about the crons of an expansion and the DataSources
// that machines boot from.
type BootSources struct {
	// Steps are to be taken in their order; rules 72 to 76. There is one for every
	// cron that exists or should, for every reference that exists or should, and
	// for every DataSource that changes hands between the two.
	Steps []Step
}

// Plan returns what leads from what exists to the expansion; rules 30 to 77. When
// all steps are taken, a new plan writes nothing, unless something was waited
// for.
func Plan(want Expansion, have Existing) BootSources {
	f := factsOf(&want, &have)
	steps, holders := f.planCrons()
	steps = append(steps, f.planDataSources(holders)...)
	sortSteps(steps)
	return BootSources{Steps: steps}
}

// facts is what a plan is made from.
type facts struct {
	*Expansion
	owner     Owner
	templates templates
	// What should exist.
	wanted map[types.NamespacedName]*Cron
	// What exists.
	crons       map[types.NamespacedName]*cdiv1beta1.DataImportCron
	dataSources map[types.NamespacedName]*cdiv1beta1.DataSource
	// cleanup holds the crons whose deletion deletes what CDI made when their
	// retentionPolicy was None, whatever it is now.
	cleanup map[types.NamespacedName]bool
}

func factsOf(want *Expansion, have *Existing) facts {
	f := facts{
		Expansion: want, owner: want.Options.Owner, templates: want.templates(), wanted: want.wanted(),
		crons:       make(map[types.NamespacedName]*cdiv1beta1.DataImportCron, len(have.Crons)),
		dataSources: make(map[types.NamespacedName]*cdiv1beta1.DataSource, len(have.DataSources)),
		cleanup:     map[types.NamespacedName]bool{},
	}
	for i := range have.Crons {
		f.crons[keyOf(&have.Crons[i].ObjectMeta)] = &have.Crons[i]
	}
	for i := range have.DataSources {
		ds := &have.DataSources[i]
		f.dataSources[keyOf(&ds.ObjectMeta)] = ds
		if cron := ds.Labels[LabelDataImportCron]; cron != "" && ds.Labels[LabelDataImportCronCleanup] == "true" {
			f.cleanup[types.NamespacedName{Namespace: ds.Namespace, Name: cron}] = true
		}
	}
	return f
}

// wanted returns the crons by their keys.
func (e *Expansion) wanted() map[types.NamespacedName]*Cron {
	m := make(map[types.NamespacedName]*Cron, len(e.Crons))
	for i := range e.Crons {
		m[keyOf(&e.Crons[i].Object.ObjectMeta)] = &e.Crons[i]
	}
	return m
}

// holders are the crons that stay although the expansion does not hold them as
// they are, by the DataSource that they manage: CDI lets no other cron manage it.
type holders map[types.NamespacedName]*cdiv1beta1.DataImportCron

// taken makes s wait for the holder, or leaves its object alone if the holder
// does not go; rule 48.
func taken(holder *cdiv1beta1.DataImportCron, s Step) Step {
	s.Verb = VerbLeaveAlone
	if holder.DeletionTimestamp != nil {
		s.Verb = VerbWait
	}
	s.Reason = ReasonDataSourceTaken
	s.Detail = "the cron " + quoted([]string{holder.Name}) + " manages the DataSource " + quoted([]string{holder.Spec.ManagedDataSource})
	return s
}

func keyOf(m *metav1.ObjectMeta) types.NamespacedName {
	return types.NamespacedName{Namespace: m.Namespace, Name: m.Name}
}

// managed returns the DataSource that the cron manages.
func managed(c *cdiv1beta1.DataImportCron) types.NamespacedName {
	return types.NamespacedName{Namespace: c.Namespace, Name: c.Spec.ManagedDataSource}
}
