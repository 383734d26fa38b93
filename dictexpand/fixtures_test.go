package dictexpand_test

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

const goldenImages = dictexpandtest.GoldenImages

func ptr[T any](v T) *T { return &v }

// rhel10 is the template of the story: CNV-61574.
func rhel10() dictexpand.Template { return dictexpand.Template(dictexpandtest.StoryTemplate()) }

// full has something in every place that could get lost.
func full() dictexpand.Template { return dictexpand.Template(dictexpandtest.FullTemplate()) }

// template returns one as small as can be. No annotation is set if archs is "".
func template(name, managed, archs string) dictexpand.Template {
	return dictexpand.Template(dictexpandtest.TemplateOf(name, managed, archs))
}

func retainNone(t dictexpand.Template) dictexpand.Template {
	return dictexpand.Template(dictexpandtest.RetainNone(dictexpandtest.Template(t)))
}

func key(namespace, name string) types.NamespacedName { return dictexpandtest.Key(namespace, name) }

func twoArchitectures() dictexpand.Options {
	o := ours.Options(dictexpandtest.TwoArchitectures())
	o.Owner = dictexpand.Owner{}
	return o
}

func fourArchitectures() dictexpand.Options {
	return dictexpand.Options{
		MultiArch: true, Namespace: goldenImages,
		Architectures: []string{"amd64", "arm64", "ppc64le", "s390x"},
	}
}

func owner() dictexpand.Owner { return ours.Options(dictexpandtest.TwoArchitectures()).Owner }

// A model is a cluster whose plans are carried out.
type model struct {
	*dictexpandtest.CDI
	dryRuns []dictexpand.DryRun
}

func newModel() *model { return &model{CDI: dictexpandtest.NewCDI()} }

// existing lists in map order on purpose: a plan must not depend on it.
func (m *model) existing() dictexpand.Existing {
	e := dictexpand.Existing{DryRuns: m.dryRuns}
	for _, c := range m.Crons {
		e.Crons = append(e.Crons, *c.DeepCopy())
	}
	for _, ds := range m.DataSources {
		e.DataSources = append(e.DataSources, *ds.DeepCopy())
	}
	for _, claim := range m.Claims {
		e.Claims = append(e.Claims, *claim.DeepCopy())
	}
	for _, volume := range m.Volumes {
		e.DataVolumes = append(e.DataVolumes, *volume.DeepCopy())
	}
	return e
}

// plan plans, answers the dry runs that the plan asks for, and plans again.
func (m *model) plan(e dictexpand.Expansion) dictexpand.BootSources {
	m.dryRuns = nil
	b := dictexpand.Plan(e, m.existing())
	for _, s := range b.DryRuns() {
		m.dryRuns = append(m.dryRuns, dictexpand.DryRunOf(s, m.CreateCron(*s.Cron, true)))
	}
	if m.dryRuns != nil {
		b = dictexpand.Plan(e, m.existing())
	}
	return b
}

// fataler is what *testing.T, *testing.B and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// apply takes the steps in their order and fails the test on whatever an API
// server or CDI would refuse, but for crons that CDI does not want: the next plan
// tries again.
func (m *model) apply(t fataler, steps []dictexpand.Step) {
	t.Helper()
	for _, s := range steps {
		k := key(s.Namespace, s.Name)
		switch {
		case s.Verb == dictexpand.VerbDryRun:
			if s.Cron == nil || s.Cron.UID != "" || s.UID == "" {
				t.Fatalf("dry run of %v without a new object, or without the old one: %+v", k, s)
			}
		case !s.Writes():
			if s.Cron != nil || s.DataSource != nil {
				t.Fatalf("step %s of %v asks for nothing but carries an object", s.Verb, k)
			}
		case s.Kind == dictexpand.KindDataImportCron:
			m.applyCron(t, k, s)
		case s.Kind == dictexpand.KindDataSource:
			m.applyDataSource(t, k, s)
		default:
			t.Fatalf("step of kind %q", s.Kind)
		}
	}
}

func (m *model) applyCron(t fataler, k types.NamespacedName, s dictexpand.Step) {
	t.Helper()
	live, exists := m.Crons[k]
	switch s.Verb {
	case dictexpand.VerbCreate:
		if exists && live.DeletionTimestamp == nil {
			t.Fatalf("creates the cron %v, which exists", k)
		}
		// What CDI refuses, and what is still being deleted, is for the next plan.
		if err := m.CreateCron(*s.Cron, false); err != nil && !apierrors.IsInvalid(err) && !apierrors.IsAlreadyExists(err) {
			t.Fatalf("creates the cron %v: %v", k, err)
		}
	case dictexpand.VerbRelabel:
		if err := m.UpdateCron(*s.Cron); err != nil {
			t.Fatalf("updates the cron %v: %v", k, err)
		}
	case dictexpand.VerbDelete:
		if goes := m.goesWith(k); goes != "" && s.Data != dictexpand.DataDeleted {
			t.Fatalf("deletion of %v deletes %s, the step says %q", k, goes, s.Data)
		}
		if s.UID == "" {
			t.Fatalf("deletes the cron %v on no condition", k)
		}
		if err := m.DeleteCron(k, s.UID); err != nil {
			t.Fatalf("deletes the cron %v: %v", k, err)
		}
	default:
		t.Fatalf("step %s of a cron", s.Verb)
	}
}

// goesWith returns something that CDI deletes with the cron.
func (m *model) goesWith(k types.NamespacedName) string {
	for dk, ds := range m.DataSources {
		if dk.Namespace == k.Namespace && ds.Labels[dictexpand.LabelDataImportCron] == k.Name && ds.Labels[dictexpand.LabelDataImportCronCleanup] == "true" {
			return "the DataSource " + dk.Name
		}
	}
	for ck, claim := range m.Claims {
		if ck.Namespace == k.Namespace && claim.Labels[dictexpand.LabelDataImportCron] == k.Name && claim.Labels[dictexpand.LabelDataImportCronCleanup] == "true" {
			return "the claim " + ck.Name
		}
	}
	for vk, volume := range m.Volumes {
		if vk.Namespace == k.Namespace && volume.Labels[dictexpand.LabelDataImportCron] == k.Name && volume.Labels[dictexpand.LabelDataImportCronCleanup] == "true" {
			return "the DataVolume " + vk.Name
		}
	}
	return ""
}

func (m *model) applyDataSource(t fataler, k types.NamespacedName, s dictexpand.Step) {
	t.Helper()
	live, exists := m.DataSources[k]
	switch s.Verb {
	case dictexpand.VerbCreate:
		if exists {
			t.Fatalf("creates the DataSource %v, which exists", k)
		}
		m.AddDataSource(*s.DataSource.DeepCopy())
	case dictexpand.VerbUpdate:
		if !exists || s.DataSource.UID != live.UID {
			t.Fatalf("updates the DataSource %v, which does not exist", k)
		}
		m.DataSources[k] = *s.DataSource.DeepCopy()
	case dictexpand.VerbDelete:
		if !exists || s.UID != live.UID {
			t.Fatalf("deletes the DataSource %v, which does not exist", k)
		}
		if live.Spec.Source.DataSource == nil {
			t.Fatalf("deletes the DataSource %v, which is no reference", k)
		}
		delete(m.DataSources, k)
	default:
		t.Fatalf("step %s of a DataSource", s.Verb)
	}
}

// writes formats the steps that write, one a line.
func writes(steps []dictexpand.Step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.Writes() {
			b.WriteString(format(s))
		}
	}
	return b.String()
}

// all formats every step.
func all(steps []dictexpand.Step) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteString(format(s))
	}
	return b.String()
}

func format(s dictexpand.Step) string {
	data := ""
	if s.Data != "" {
		data = " data " + string(s.Data)
	}
	return fmt.Sprintf("%s %s %s: %s%s\n", s.Verb, s.Kind, s.Name, s.Reason, data)
}
