package dictexpand

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/quote"
)

// planCrons decides about every cron that exists or should. It returns the
// holders too, on which the DataSources depend.
func (f *facts) planCrons() ([]Step, holders) {
	steps := make([]Step, 0, max(len(f.crons), len(f.wanted))+len(f.References))
	var staying []*cdiv1beta1.DataImportCron
	// replaced holds the crons that should be deleted and created, by the
	// DataSource that they are to manage then.
	replaced := map[types.NamespacedName]*cdiv1beta1.DataImportCron{}
	for _, key := range slices.SortedFunc(maps.Keys(f.crons), compareKeys) {
		live := f.crons[key]
		s := f.judge(key, live)
		switch s.Verb {
		case "":
			replaced[managed(&f.wanted[key].Object)] = live
			continue
		case VerbLeaveAlone, VerbWait, VerbDryRun:
			staying = append(staying, live)
		case VerbDelete:
			if why := f.awaited(live); why != "" {
				s = await(cronStep("", live, ""), why)
			}
		}
		steps = append(steps, s)
	}

	holders := hold(staying, replaced)
	for next, live := range replaced {
		if holder := holders[next]; holder != nil {
			steps = append(steps, taken(holder, cronStep("", live, "")))
		} else if why := f.awaited(live); why != "" {
			steps = append(steps, await(cronStep("", live, ""), why))
		} else {
			steps = append(steps, f.deletion(live, ReasonSpecChanged), f.creation(f.wanted[keyOf(&live.ObjectMeta)], ReasonSpecChanged))
		}
	}
	for i := range f.Crons {
		c := &f.Crons[i]
		key := keyOf(&c.Object.ObjectMeta)
		holder := holders[managed(&c.Object)]
		f.noteStranger(c, holder)
		switch {
		case f.crons[key] != nil:
		case holder != nil:
			steps = append(steps, taken(holder, Step{Kind: KindDataImportCron, Namespace: key.Namespace, Name: key.Name}))
		default:
			steps = append(steps, f.creation(c, ReasonMissing))
		}
	}
	return steps, holders
}

// judge decides about a cron that exists. The step has no verb if the cron may be
// replaced, which depends on who holds the DataSource.
func (f *facts) judge(key types.NamespacedName, live *cdiv1beta1.DataImportCron) Step {
	c := f.wanted[key]
	switch {
	case !f.owner.owns(&live.ObjectMeta):
		return cronStep(VerbLeaveAlone, live, ReasonNotOwned)
	case live.DeletionTimestamp != nil:
		return cronStep(VerbWait, live, ReasonBeingDeleted)
	case c == nil:
		return f.unwanted(live)
	case !sameSpec(&live.Spec, &c.Object.Spec):
		if f.frozen != "" {
			return cronStep(VerbLeaveAlone, live, f.frozen)
		}
		if slices.Contains(f.templates.named(c.Object.Namespace, c.Template).Held, architectureOf(live)) {
			return cronStep(VerbLeaveAlone, live, ReasonArchitectureHeld)
		}
		return f.replace(live, c)
	case f.owner.marked(&live.ObjectMeta, &c.Object.ObjectMeta):
		return cronStep(VerbKeep, live, ReasonUpToDate)
	}
	s := cronStep(VerbRelabel, live, ReasonMetadataChanged)
	s.Cron = live.DeepCopy()
	f.owner.mark(&s.Cron.ObjectMeta, &c.Object.ObjectMeta)
	return s
}

// unwanted decides about a cron of the caller that should not exist.
func (f *facts) unwanted(live *cdiv1beta1.DataImportCron) Step {
	if t, ok := f.templates.blocks(live, f.wanted); ok {
		s := cronStep(VerbLeaveAlone, live, ReasonTemplateBlocked)
		s.Detail = "may belong to the template " + quote.Quote(t)
		return s
	}
	if f.frozen != "" {
		return cronStep(VerbLeaveAlone, live, f.frozen)
	}
	if f.templates.holds(live) {
		return cronStep(VerbLeaveAlone, live, ReasonArchitectureHeld)
	}
	reason := f.templates.whyUnwanted(live)
	if reason == ReasonArchitectureRemoved && f.templates.of(live).Unclear {
		return cronStep(VerbLeaveAlone, live, ReasonTemplateUnclear)
	}
	return f.deletion(live, reason)
}

// architectureOf returns the architecture that a cron imports, or "".
func architectureOf(live *cdiv1beta1.DataImportCron) string {
	source := live.Spec.Template.Spec.Source
	if source == nil || source.Registry == nil || source.Registry.Platform == nil {
		return ""
	}
	return source.Registry.Platform.Architecture
}

// noteStranger reports that somebody else's cron keeps the cron from managing its
// DataSource; rule 66.
func (f *facts) noteStranger(c *Cron, holder *cdiv1beta1.DataImportCron) {
	key := managed(&c.Object)
	switch {
	case holder == nil, holder.DeletionTimestamp != nil, f.owner.owns(&holder.ObjectMeta), holder.Name == c.Object.Name:
		return
	case f.runs(c) && (f.dataSources[key] == nil || f.dataSources[key].Labels[LabelDataImportCron] != holder.Name):
		return // CDI takes the other one for the second
	}
	err := field.Duplicate(pathOf(c.Template).Child("spec", "managedDataSource"), quote.Cut(key.Name))
	err.Detail = fmt.Sprintf("somebody else's cron %s manages this DataSource in namespace %s, and CDI runs no second one; delete that cron, or name another DataSource",
		quote.Quote(holder.Name), quote.Quote(key.Namespace))
	f.problems = append(f.problems, err)
}

// runs reports whether the wanted cron exists and manages its DataSource.
func (f *facts) runs(c *Cron) bool {
	live := f.crons[keyOf(&c.Object.ObjectMeta)]
	return live != nil && live.DeletionTimestamp == nil && f.owner.owns(&live.ObjectMeta) && managed(live) == managed(&c.Object)
}

// hold returns the crons that stay, by the DataSource that they manage. A cron
// that was to be replaced by one that manages such a DataSource stays too, and
// holds its own. Of several crons for one DataSource, one that is not being
// deleted is its holder.
func hold(staying []*cdiv1beta1.DataImportCron, replaced map[types.NamespacedName]*cdiv1beta1.DataImportCron) holders {
	h := holders{}
	for _, live := range staying {
		for live != nil {
			key := managed(live)
			next := replaced[key]
			if h[key] != nil {
				next = nil // it stays already
			}
			if h[key] == nil || h[key].DeletionTimestamp != nil {
				h[key] = live
			}
			live = next
		}
	}
	return h
}

func (f *facts) deletion(live *cdiv1beta1.DataImportCron, reason StepReason) Step {
	s := cronStep(VerbDelete, live, reason)
	s.Data = f.importedData(live)
	if reason == ReasonSpecChanged && s.Data == DataDeleted {
		s.Detail = "the images that it imported go with it, and the DataSource " + quote.Quote(live.Spec.ManagedDataSource) +
			" has none until the next import"
	}
	return s
}

func (f *facts) creation(c *Cron, reason StepReason) Step {
	obj := c.Object.DeepCopy()
	f.owner.mark(&obj.ObjectMeta, &c.Object.ObjectMeta)
	return Step{Verb: VerbCreate, Kind: KindDataImportCron, Namespace: obj.Namespace, Name: obj.Name, Reason: reason, Cron: obj}
}

func cronStep(verb Verb, live *cdiv1beta1.DataImportCron, reason StepReason) Step {
	return Step{
		Verb: verb, Kind: KindDataImportCron, Namespace: live.Namespace, Name: live.Name, Reason: reason,
		UID: live.UID, ResourceVersion: live.ResourceVersion,
	}
}

// importedData returns what CDI does with the imported data of a deleted cron;
// rule 65.
func (f *facts) importedData(live *cdiv1beta1.DataImportCron) ImportedData {
	if retainsNone(live) || f.cleanup[keyOf(&live.ObjectMeta)] {
		return DataDeleted
	}
	return DataKept
}

func retainsNone(c *cdiv1beta1.DataImportCron) bool {
	return c.Spec.RetentionPolicy != nil && *c.Spec.RetentionPolicy == cdiv1beta1.DataImportCronRetainNone
}

// sameSpec compares as rule 64 says.
func sameSpec(a, b *cdiv1beta1.DataImportCronSpec) bool {
	x, y := *a, *b
	x.Template.ObjectMeta, y.Template.ObjectMeta = metav1.ObjectMeta{}, metav1.ObjectMeta{}
	return equality.Semantic.DeepEqual(x, y)
}

func compareKeys(a, b types.NamespacedName) int {
	if c := strings.Compare(a.Namespace, b.Namespace); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}
