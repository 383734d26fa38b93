package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/quote"
)

// Existing is what exists in every namespace that templates name or ever named,
// whoever it belongs to.
type Existing struct {
	Crons       []cdiv1beta1.DataImportCron
	DataSources []cdiv1beta1.DataSource
	// Claims and Snapshots are the metadata of the PersistentVolumeClaims and
	// VolumeSnapshots that the DataSources name: with them OwnImages tells users'
	// own images, and Plan which images go with a cron.
	Claims    []metav1.ObjectMeta
	Snapshots []metav1.ObjectMeta
	// DataVolumes are the metadata of those that own the Claims. A claim that one cron
	// takes over from another goes with the other one's DataVolume. Without them Plan
	// goes by what the crons say of their imports, and by which is older.
	DataVolumes []metav1.ObjectMeta
	// DryRuns holds what came of the dry runs that a plan asked for. At first there
	// are none. Of several for one cron and spec the last counts.
	DryRuns []DryRun
}

// BootSources is what to do about the crons of an expansion and the DataSources
// that machines boot from.
type BootSources struct {
	// Steps are to be taken in their order; rules 107 to 112. There is one for every
	// cron that exists or should, for every reference that exists or should, and
	// for every DataSource that changes hands between the two.
	//
	// While there are steps with VerbDryRun, they come first, and nothing else needs
	// to be done: take them, add the answers to Existing.DryRuns, and plan again.
	// The other steps are right all the same, but a replacement is not among them.
	Steps []Step
	// Problems is what somebody must mend before the crons can be as the templates
	// want them: what CDI refused in a dry run. They are in the order of field and
	// value, and beside those of the expansion.
	Problems field.ErrorList
}

// DryRuns returns the steps with VerbDryRun, in their order.
func (b BootSources) DryRuns() []Step {
	n := 0
	for n < len(b.Steps) && b.Steps[n].Verb == VerbDryRun {
		n++
	}
	return b.Steps[:n:n]
}

// Plan returns what leads from what exists to the expansion; rules 41 to 113. When
// all steps are taken, a new plan writes nothing, unless something was waited
// for.
func Plan(want Expansion, have Existing) BootSources {
	f := factsOf(&want, &have)
	steps, holders := f.planCrons()
	steps = append(steps, f.planDataSources(steps, holders)...)
	sortSteps(steps)
	sortProblems(f.problems)
	return BootSources{Steps: steps, Problems: f.problems}
}

// facts is what a plan is made from.
type facts struct {
	*Expansion
	owner     Owner
	templates templates
	// What should exist.
	wanted map[types.NamespacedName]*Cron
	// managers holds the same crons by the DataSource that they manage, references
	// the references by their keys.
	managers   map[types.NamespacedName]*Cron
	references map[types.NamespacedName]*Reference
	// What exists.
	crons       map[types.NamespacedName]*cdiv1beta1.DataImportCron
	dataSources map[types.NamespacedName]*cdiv1beta1.DataSource
	images      images
	// leading, imported and ofTemplate are made when the first cron is to go: see
	// succession.go.
	leading    map[types.NamespacedName][]types.NamespacedName
	imported   map[types.NamespacedName][]types.NamespacedName
	ofTemplate map[types.NamespacedName][]*Cron
	// cleanup holds the crons whose deletion deletes what CDI made when their
	// retentionPolicy was None, whatever it is now.
	cleanup map[types.NamespacedName]bool
	dryRuns map[types.NamespacedName][]*DryRun
	// frozen is why nothing may be deleted or redirected, or "".
	frozen StepReason
	// held holds the DataSources of architectures that are held.
	held map[types.NamespacedName]bool
	// problems gathers what somebody must mend.
	problems field.ErrorList
}

func factsOf(want *Expansion, have *Existing) *facts {
	f := &facts{
		Expansion: want, owner: want.Options.Owner, templates: want.templates(), wanted: want.wanted(),
		crons:       make(map[types.NamespacedName]*cdiv1beta1.DataImportCron, len(have.Crons)),
		dataSources: make(map[types.NamespacedName]*cdiv1beta1.DataSource, len(have.DataSources)),
		images:      imagesOf(have),
		managers:    make(map[types.NamespacedName]*Cron, len(want.Crons)),
		references:  make(map[types.NamespacedName]*Reference, len(want.References)),
		cleanup:     map[types.NamespacedName]bool{},
		dryRuns:     make(map[types.NamespacedName][]*DryRun, len(have.DryRuns)),
		held:        map[types.NamespacedName]bool{},
	}
	for i := range have.Crons {
		f.crons[keyOf(&have.Crons[i].ObjectMeta)] = &have.Crons[i]
	}
	for i := range have.DataSources {
		ds := &have.DataSources[i]
		f.dataSources[keyOf(&ds.ObjectMeta)] = ds
		f.noteCleanup(&ds.ObjectMeta)
	}
	for _, images := range [][]metav1.ObjectMeta{have.Claims, have.Snapshots, have.DataVolumes} {
		for i := range images {
			f.noteCleanup(&images[i])
		}
	}
	for i := range want.Crons {
		c := &want.Crons[i]
		f.managers[managed(&c.Object)] = c
	}
	for i := range want.References {
		ref := &want.References[i]
		f.references[types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}] = ref
	}
	for i := range have.DryRuns {
		d := &have.DryRuns[i]
		key := types.NamespacedName{Namespace: d.Namespace, Name: d.Name}
		f.dryRuns[key] = append(f.dryRuns[key], d)
	}
	for i := range want.Outcomes {
		out := &want.Outcomes[i]
		for _, a := range out.Held {
			f.held[types.NamespacedName{Namespace: out.Namespace, Name: out.DataSource + "-" + a}] = true
		}
	}
	if f.frozen = f.unanswered(); want.Options.ArchitecturesIncomplete {
		f.frozen = ReasonArchitecturesIncomplete
	}
	return f
}

// noteCleanup notes the cron whose deletion deletes the object.
func (f *facts) noteCleanup(m *metav1.ObjectMeta) {
	if cron := m.Labels[LabelDataImportCron]; cron != "" && m.Labels[LabelDataImportCronCleanup] == "true" {
		f.cleanup[types.NamespacedName{Namespace: m.Namespace, Name: cron}] = true
	}
}

// unanswered returns ReasonDryRunUnknown if a dry run that counts got no answer;
// rule 67.
func (f *facts) unanswered() StepReason {
	for i := range f.Crons {
		c := &f.Crons[i]
		live := f.crons[keyOf(&c.Object.ObjectMeta)]
		if live == nil || !f.owner.owns(&live.ObjectMeta) || sameSpec(&live.Spec, &c.Object.Spec) {
			continue
		}
		if d, ok := f.tried(c); ok && d.Answer != DryRunAccepted && d.Answer != DryRunRefused {
			return ReasonDryRunUnknown
		}
	}
	return ""
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
// does not go; rule 63.
func taken(holder *cdiv1beta1.DataImportCron, s Step) Step {
	s.Verb = VerbLeaveAlone
	if holder.DeletionTimestamp != nil {
		s.Verb = VerbWait
	}
	s.Reason = ReasonDataSourceTaken
	s.Detail = "the cron " + quote.Quote(holder.Name) + " manages the DataSource " + quote.Quote(holder.Spec.ManagedDataSource)
	return s
}

func keyOf(m *metav1.ObjectMeta) types.NamespacedName {
	return types.NamespacedName{Namespace: m.Namespace, Name: m.Name}
}

// managed returns the DataSource that the cron manages.
func managed(c *cdiv1beta1.DataImportCron) types.NamespacedName {
	return types.NamespacedName{Namespace: c.Namespace, Name: c.Spec.ManagedDataSource}
}
