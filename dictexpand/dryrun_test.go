package dictexpand_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// What the error says is in the cases of package dictexpandtest.
func TestDryRunOf(t *testing.T) {
	for _, tc := range dictexpandtest.DryRunCases() {
		t.Run(tc.Name, func(t *testing.T) {
			c := cdiv1beta1.DataImportCron{Spec: rhel10().Spec}
			s := dictexpand.Step{Verb: dictexpand.VerbDryRun, Namespace: "ns", Name: "x", Cron: &c}
			got := dictexpand.DryRunOf(s, tc.Err)
			want := dictexpand.DryRun{Namespace: "ns", Name: "x", Spec: c.Spec, Answer: got.Answer}
			if got.Answer != dictexpand.DryRunAccepted {
				want.Message = tc.Err.Error()
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	long := dictexpand.DryRunOf(dictexpand.Step{}, errors.New(strings.Repeat("x", 1000)))
	if len(long.Message) > 200 || !strings.Contains(long.Message, "128 of 1000") {
		t.Errorf("the message is not cut: %d bytes", len(long.Message))
	}
}

// refuseSchedule refuses a schedule that nobody but the API server can judge.
func refuseSchedule(schedule string) func(cdiv1beta1.DataImportCron) string {
	return func(c cdiv1beta1.DataImportCron) string {
		if c.Spec.Schedule == schedule {
			return "Illegal cron schedule"
		}
		return ""
	}
}

func TestPlanDryRuns(t *testing.T) {
	const other = "0 0 * * *"
	changed := func(w *world) { w.templates[0].Spec.Schedule = other }
	raw := func(w *world) dictexpand.BootSources {
		return dictexpand.Plan(dictexpand.Expand(w.templates, w.o), w.existing())
	}
	settled := func(t *testing.T) *world {
		w := newWorld(retainNone(template("x", "m", "amd64")), template("y", "n", ""))
		w.settle(t)
		w.dryRuns = nil
		return w
	}

	t.Run("54,107: a deletion that makes room asks for a dry run first", func(t *testing.T) {
		w := settled(t)
		changed(w)
		want := `DryRun DataImportCron x-amd64: SpecChanged
Keep DataImportCron y: UpToDate
Keep DataSource m: UpToDate
`
		if diff := cmp.Diff(want, all(raw(w).Steps)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("57: accepted, the old cron is deleted and the new one created", func(t *testing.T) {
		w := settled(t)
		changed(w)
		want := `Delete DataImportCron x-amd64: SpecChanged data Deleted
Create DataImportCron x-amd64: SpecChanged
`
		if diff := cmp.Diff(want, writes(w.plan())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("55: refused, the old cron stays, others go on, and there is a problem", func(t *testing.T) {
		w := settled(t)
		changed(w)
		w.templates[1].Spec.Schedule = "1 1 * * *"
		w.Refuses = refuseSchedule(other)
		b := w.model.plan(dictexpand.Expand(w.templates, w.o))
		want := `Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron y: SpecChanged
LeaveAlone DataImportCron x-amd64: DryRunRefused
Keep DataSource m: UpToDate
`
		if diff := cmp.Diff(want, all(b.Steps)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if len(b.Problems) != 1 || b.Problems[0].Field != "dataImportCronTemplates[x].spec" ||
			!strings.Contains(b.Problems[0].Error(), "Illegal cron schedule") {
			t.Errorf("problems %v", b.Problems)
		}
	})
	t.Run("71: what was refused for another spec says nothing about this one", func(t *testing.T) {
		w := settled(t)
		changed(w)
		w.Refuses = refuseSchedule(other)
		w.plan()
		w.templates[0].Spec.Schedule = "1 1 * * *"
		if got := writes(raw(w).DryRuns()); got != "" {
			t.Errorf("dry runs count as writes: %s", got)
		}
		if got := raw(w).DryRuns(); len(got) != 1 || got[0].Cron.Spec.Schedule != "1 1 * * *" {
			t.Errorf("dry runs %+v", got)
		}
	})
	t.Run("67: without an answer nothing is deleted or redirected at all", func(t *testing.T) {
		w := settled(t)
		changed(w)
		w.templates = w.templates[:1]
		have := w.existing()
		for _, s := range raw(w).DryRuns() {
			have.DryRuns = append(have.DryRuns, dictexpand.DryRunOf(s, errors.New("connection refused")))
		}
		want := `LeaveAlone DataImportCron x-amd64: DryRunUnknown
LeaveAlone DataImportCron y: DryRunUnknown
Keep DataSource m: UpToDate
`
		if diff := cmp.Diff(want, all(dictexpand.Plan(dictexpand.Expand(w.templates, w.o), have).Steps)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("71: the last answer of several counts", func(t *testing.T) {
		w := settled(t)
		changed(w)
		have := w.existing()
		for _, s := range raw(w).DryRuns() {
			have.DryRuns = append(have.DryRuns, dictexpand.DryRunOf(s, errors.New("connection refused")), dictexpand.DryRunOf(s, nil))
		}
		if got := writes(dictexpand.Plan(dictexpand.Expand(w.templates, w.o), have).Steps); !strings.Contains(got, "Delete") {
			t.Errorf("got:\n%s", got)
		}
	})
}
