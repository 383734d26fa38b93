package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestHeldArchitectures(t *testing.T) {
	held := func(o *dictexpand.Options) {
		o.Architectures, o.WorkloadArchitectures, o.HeldArchitectures = []string{"arm64"}, []string{"arm64"}, []string{"amd64", "arm64"}
	}
	testExpand(t, []expandRow{
		{
			name:      "33: an architecture that left the cluster gets a finding and nothing new",
			templates: one("x", "m", "amd64,arm64"),
			options:   held,
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureHeld at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "33: nothing else is left",
			templates: one("x", "m", "amd64"),
			options:   held,
			want: `blocked x: NoCompatibleArchitecture
finding ArchitectureHeld at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
	})
	lost := func(w *world) { held(&w.o) }
	testPlan(t, []planRow{
		{
			name:   "47,87: a node set scaled to zero deletes and redirects nothing",
			before: []dictexpand.Template{retainNone(template("x", "m", "amd64,arm64"))},
			change: lost,
			want: `LeaveAlone DataImportCron x-amd64: ArchitectureHeld
Keep DataImportCron x-arm64: UpToDate
LeaveAlone DataSource m: ArchitectureHeld
`,
		},
		{
			name:   "47: the architecture left the annotation too, and that was meant",
			before: []dictexpand.Template{template("x", "m", "arm64"), template("y", "n", "arm64,amd64")},
			change: func(w *world) { w.templates[1] = template("y", "n", "arm64"); lost(w) },
			want: `Update DataSource n: Redirected
Keep DataImportCron x-arm64: UpToDate
Wait DataImportCron y-amd64: ReplacementAwaited
Keep DataImportCron y-arm64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "34,47: a typo in one of several architectures",
			before: []dictexpand.Template{retainNone(template("x", "m", "amd64,arm64"))},
			change: func(w *world) { w.templates = []dictexpand.Template{retainNone(template("x", "m", "amd64,amr64"))} },
			want: `Keep DataImportCron x-amd64: UpToDate
LeaveAlone DataImportCron x-arm64: TemplateUnclear
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "34,47: an alias instead of one of several architectures",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates[0].Annotations[dictexpand.AnnotationArchitectures] = "x86_64,arm64" },
			want: `Update DataSource m: Redirected
LeaveAlone DataImportCron x-amd64: TemplateUnclear
Keep DataImportCron x-arm64: UpToDate
`,
		},
		{
			name:   "34,51: an architecture that is known, and that the caller does not support",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates[0].Annotations[dictexpand.AnnotationArchitectures] = "amd64,ppc64le" },
			want: `Delete DataImportCron x-arm64: ArchitectureRemoved data Kept
Keep DataImportCron x-amd64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "53: no other spec for a held architecture",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { lost(w); w.templates[0].Spec.Schedule = "0 0 * * *" },
			want: `Delete DataImportCron x-arm64: SpecChanged data Kept
Create DataImportCron x-arm64: SpecChanged
LeaveAlone DataImportCron x-amd64: ArchitectureHeld
LeaveAlone DataSource m: ArchitectureHeld
`,
		},
	})
	t.Run("53,87: the cron for the default architecture stays for the one that left", func(t *testing.T) {
		w := newWorld(template("x", "m", ""))
		w.o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"amd64", "arm64"}}}
		w.settle(t)
		lost(w)
		want := `LeaveAlone DataImportCron x: ArchitectureHeld
LeaveAlone DataSource m: ArchitectureHeld
`
		if diff := cmp.Diff(want, all(w.plan())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("47: what the caller drops is deleted", func(t *testing.T) {
		w := newWorld(template("x", "m", "amd64,arm64"))
		w.settle(t)
		lost(w)
		w.o.HeldArchitectures = []string{"arm64"}
		want := `Update DataSource m: Redirected
Wait DataImportCron x-amd64: ReplacementAwaited
Keep DataImportCron x-arm64: UpToDate
`
		if diff := cmp.Diff(want, all(w.plan())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		w.apply(t, w.plan())
		want = `Delete DataImportCron x-amd64: ArchitectureRemoved data Kept
Keep DataImportCron x-arm64: UpToDate
Keep DataSource m: UpToDate
`
		if diff := cmp.Diff(want, all(w.plan())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
