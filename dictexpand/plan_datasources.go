package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/quote"
)

// planDataSources decides about the references that should exist, about the
// DataSources that crons are to manage, and about references that nothing needs
// any more. It is given the steps about crons.
func (f *facts) planDataSources(crons []Step, holders holders) []Step {
	made := map[types.NamespacedName]Verb{} // of crons that are not as they should be, by their keys
	for _, s := range crons {
		if s.Verb == VerbKeep {
			continue
		}
		if key := (types.NamespacedName{Namespace: s.Namespace, Name: s.Name}); made[key] != VerbCreate {
			made[key] = s.Verb
		}
	}
	var steps []Step
	settled := f.callers()
	for i := range f.References {
		ref := &f.References[i]
		key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
		settled[key] = true
		steps = append(steps, f.planReference(ref, f.dataSources[key], holders[key], f.prospect(ref, made)))
	}
	for i := range f.Crons {
		c := &f.Crons[i]
		key := managed(&c.Object)
		live := f.dataSources[key]
		if live == nil {
			continue
		}
		settled[key] = true
		if s := f.planManaged(c, live, holders[key], made[keyOf(&c.Object.ObjectMeta)]); s.Verb != "" {
			steps = append(steps, s)
		}
	}
	for key, live := range f.dataSources {
		if !settled[key] && isReference(live) && f.owner.owns(&live.ObjectMeta) {
			steps = append(steps, f.planUnused(live, holders))
		}
	}
	return steps
}

// planReference decides about the DataSource that should be a reference. live is
// nil if it does not exist.
func (f *facts) planReference(ref *Reference, live *cdiv1beta1.DataSource, holder *cdiv1beta1.DataImportCron, p prospect) Step {
	want := ref.DataSource()
	if live == nil {
		s := Step{Kind: KindDataSource, Namespace: ref.Namespace, Name: ref.Name}
		switch {
		case holder != nil:
			return taken(holder, s)
		case p < coming:
			return p.hold(s, ref)
		}
		f.owner.mark(&want.ObjectMeta, &metav1.ObjectMeta{})
		s.Verb, s.Reason, s.DataSource = VerbCreate, ReasonMissing, &want
		return s
	}

	s := dataSourceStep(live)
	t, blocked := f.templates.blocked[ref.Name]
	reason := whyReference(&live.Spec.Source, &want.Spec.Source, live.Labels)
	to := live.Spec.Source.DataSource
	same := !hasSource(live) && to != nil && *to == *want.Spec.Source.DataSource
	switch {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = VerbWait, ReasonBeingDeleted
	case !f.mayTake(live):
		s.Verb, s.Reason = VerbLeaveAlone, ReasonNotOwned
	case reason == "":
		s.Verb, s.Reason = VerbKeep, ReasonUpToDate
	case holder != nil:
		s = taken(holder, s)
	case blocked && f.mayHaveImage(live):
		s.Verb, s.Reason = VerbLeaveAlone, ReasonTemplateBlocked
		s.Detail = "belongs to the template " + quote.Quote(t) + " too"
	case f.frozen != "":
		s.Verb, s.Reason = VerbLeaveAlone, f.frozen
	case to != nil && f.held[types.NamespacedName{Namespace: ref.Namespace, Name: to.Name}]:
		s.Verb, s.Reason = VerbLeaveAlone, ReasonArchitectureHeld
	case !same && (p < coming || p == coming && f.mayHaveImage(live)):
		s = p.hold(s, ref)
	case hasSource(live) && f.ledFrom(keyOf(&live.ObjectMeta)) != "":
		s = await(s, "the DataSource "+quote.Quote(f.ledFrom(keyOf(&live.ObjectMeta)))+" still leads to its image")
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

// ledFrom returns a DataSource that should exist and leads to this one, or "".
// CDI follows one reference, not two.
func (f *facts) ledFrom(key types.NamespacedName) string {
	f.indexSuccessions()
	if from := f.leading[key]; len(from) > 0 {
		return from[0].Name
	}
	return ""
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

// mayTake reports whether the DataSource may become the caller's reference;
// rule 92.
func (f *facts) mayTake(live *cdiv1beta1.DataSource) bool {
	if f.owner.owns(&live.ObjectMeta) {
		return true
	}
	name := live.Labels[LabelDataImportCron]
	if name == "" {
		image := f.images.image(live)
		if image == nil || image.Labels[LabelDataImportCron] == "" {
			return false
		}
		name = image.Labels[LabelDataImportCron]
	}
	cron := f.crons[types.NamespacedName{Namespace: live.Namespace, Name: name}]
	return cron == nil || f.owner.owns(&cron.ObjectMeta)
}

// A prospect is what is to be expected of the target of a reference.
type prospect int

const (
	never  prospect = iota // nothing makes it
	later                  // something has to happen first
	coming                 // it exists without an image, or its cron is created now
	there                  // it has an image
)

// prospect returns what is to be expected of the target of the reference, given
// the verbs of the crons.
func (f *facts) prospect(ref *Reference, made map[types.NamespacedName]Verb) prospect {
	key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Target}
	c := f.managers[key]
	if c == nil || f.runs(c) { // a user's own image, or that of a cron
		if hasImage(f.dataSources[key]) {
			return there
		}
		return coming
	}
	switch made[keyOf(&c.Object.ObjectMeta)] {
	case VerbCreate:
		return coming // what it finds there may be about to go with a former cron
	case VerbWait, VerbDryRun:
		return later
	}
	return never
}

// hold leaves a DataSource as it is because of the prospect of its target.
func (p prospect) hold(s Step, ref *Reference) Step {
	if p == never {
		s.Verb, s.Reason = VerbLeaveAlone, ReasonTargetMissing
		s.Detail = "nothing makes the DataSource " + quote.Quote(ref.Target) + ", which it should lead to"
		return s
	}
	return await(s, "the DataSource "+quote.Quote(ref.Target)+", which it should lead to, has no image yet")
}

// planManaged decides about the DataSource of a cron that should exist, given the
// verb of the cron. The step has no verb if CDI needs no help.
func (f *facts) planManaged(c *Cron, live *cdiv1beta1.DataSource, holder *cdiv1beta1.DataImportCron, made Verb) Step {
	label := live.Labels[LabelDataImportCron]
	cron := f.crons[keyOf(&c.Object.ObjectMeta)]
	if label == c.Object.Name || cron != nil && !f.owner.owns(&cron.ObjectMeta) {
		return Step{}
	}
	runs := f.runs(c)
	other := f.crons[types.NamespacedName{Namespace: live.Namespace, Name: label}]
	if label == "" || other != nil && managed(other) != keyOf(&live.ObjectMeta) {
		other = nil
	}
	s := dataSourceStep(live)
	switch {
	case live.DeletionTimestamp != nil:
		s.Verb, s.Reason = VerbWait, ReasonBeingDeleted
	case isReference(live) && !f.owner.owns(&live.ObjectMeta):
		s.Verb, s.Reason = VerbLeaveAlone, ReasonNotOwned
	case f.images.isOwn(live):
		s.Verb, s.Reason = VerbLeaveAlone, ReasonOwnImage
	case holder != nil && holder != cron && (!runs || holder == other):
		s = taken(holder, s)
	case !runs && (other != nil || made != VerbCreate):
		s = await(s, f.missing(c))
	default:
		s.Verb, s.Reason = VerbUpdate, ReasonCronLabel
		if isReference(live) {
			s.Reason = ReasonBackToCron
		}
		s.DataSource = live.DeepCopy()
		metav1.SetMetaDataLabel(&s.DataSource.ObjectMeta, LabelDataImportCron, c.Object.Name)
		if !retainsNone(&c.Object) {
			// CDI sets it for this cron no more, but would go by it.
			delete(s.DataSource.Labels, LabelDataImportCronCleanup)
		}
	}
	return s
}

// planUnused decides about a reference of the caller that should not exist;
// rules 101 to 105.
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
		s.Detail = "may belong to the template " + quote.Quote(t)
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
// reference or a cron needs them; rule 106.
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

func dataSourceStep(live *cdiv1beta1.DataSource) Step {
	return Step{
		Kind: KindDataSource, Namespace: live.Namespace, Name: live.Name,
		UID: live.UID, ResourceVersion: live.ResourceVersion,
	}
}
