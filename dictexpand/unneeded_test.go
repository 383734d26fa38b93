package dictexpand_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// What becomes of crons and DataSources that nothing needs, and of those of others.
func TestUnneeded(t *testing.T) {
	x, xAMD64 := []dictexpand.Template{template("x", "m", "")}, []dictexpand.Template{template("x", "m", "amd64")}
	gone := func(w *world) { w.templates = nil }
	source := func(cron string, source *cdiv1beta1.DataVolumeSource) func(*world) {
		return func(w *world) {
			gone(w)
			w.editCron(cron, func(c *cdiv1beta1.DataImportCron) { c.Spec.Template.Spec.Source = source })
		}
	}
	policy := func(p cdiv1beta1.DataImportCronRetentionPolicy) []dictexpand.Template {
		x := template("x", "m", "")
		x.Spec.RetentionPolicy = &p
		return []dictexpand.Template{x}
	}
	testPlan(t, []planRow{
		{
			name: "50: a cron without a source", before: x, change: source("x", nil),
			want: "Delete DataImportCron x: TemplateRemoved data Kept\n",
		},
		{
			name: "50: a cron whose source is no registry", before: x,
			change: source("x", &cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "p"}}),
			want:   "Delete DataImportCron x: TemplateRemoved data Kept\n",
		},
		{
			name: "50: a cron whose source names no platform", before: x,
			change: source("x", &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{}}),
			want:   "Delete DataImportCron x: TemplateRemoved data Kept\n",
		},
		{
			name: "41: a cron that carries the annotations of the caller alone", before: x,
			change: func(w *world) { gone(w); w.editCron("x", func(c *cdiv1beta1.DataImportCron) { c.Labels = nil }) },
			want:   "LeaveAlone DataImportCron x: NotOwned\n",
		},
		{
			name: "65: retentionPolicy All", before: policy(cdiv1beta1.DataImportCronRetainAll), change: gone,
			want: "Delete DataImportCron x: TemplateRemoved data Kept\n",
		},
		{
			name: "65: the DataSource alone tells that its images go with the cron", before: x,
			change: func(w *world) {
				gone(w)
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCronCleanup, "true")
				})
			},
			want: "Delete DataImportCron x: TemplateRemoved data Deleted\n",
		},
		{
			name: "78: somebody else's cron manages what it should lead to", before: xAMD64,
			change: func(w *world) { w.foreign("x-amd64"); delete(w.DataSources, key(goldenImages, "m")) },
			want:   "LeaveAlone DataImportCron x-amd64: NotOwned\nLeaveAlone DataSource m: TargetMissing\n",
		},
		{
			name: "104: a cron of somebody else manages it", before: xAMD64,
			change: func(w *world) { gone(w); w.addStranger("s", "m") },
			want: `Delete DataImportCron x-amd64: TemplateRemoved data Kept
LeaveAlone DataImportCron s: NotOwned
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "106: a DataSource with the caller's marks that is no reference", before: x,
			change: func(w *world) {
				w.leadTo("mine", "m")
				w.editDataSource("mine", func(ds *cdiv1beta1.DataSource) {
					ds.Spec.Source = cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "p"}}
				})
			},
			want: "Keep DataImportCron x: UpToDate\n",
		},
		{
			name:   "106: a reference that the caller makes for an architecture",
			before: x,
			change: func(w *world) {
				w.leadTo("o-amd64", "m")
				w.o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "o", Architectures: []string{"amd64"}}}
			},
			want: "Keep DataImportCron x: UpToDate\n",
		},
		{
			name: "106: a reference of which the caller says that it is a user's own image", before: xAMD64,
			change: func(w *world) { w.o.OwnImages = []types.NamespacedName{key(goldenImages, "m")} },
			want:   "Keep DataImportCron x-amd64: UpToDate\n",
		},
	})
}

// A plan before its dry runs are answered.
func TestPlanBeforeAnswers(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after []dictexpand.Template
		want          string
	}{
		{
			"54,60,63: a cron that is to change holds its DataSource", []dictexpand.Template{template("x", "m", "")},
			[]dictexpand.Template{template("x", "n", ""), template("a", "m", "")},
			`DryRun DataImportCron x: SpecChanged
LeaveAlone DataImportCron a: DataSourceTaken
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			"54,79,104: the target of a reference waits for it", []dictexpand.Template{template("x", "m", "amd64")},
			[]dictexpand.Template{template("x", "o", "amd64")},
			`DryRun DataImportCron x-amd64: SpecChanged
LeaveAlone DataSource m: DataSourceTaken
Wait DataSource o: ReplacementAwaited
`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(tt.before...)
			w.settle(t)
			w.dryRuns, w.templates = nil, tt.after
			got := dictexpand.Plan(dictexpand.Expand(w.templates, w.o), w.existing())
			if diff := cmp.Diff(tt.want, all(got.Steps)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A step says why it does nothing, and the problems of a plan are in order.
func TestPlanTexts(t *testing.T) {
	w := newWorld(template("z", "o", ""))
	w.settle(t)
	w.addStranger("x-amd64", "other")
	w.addStranger("s", "n")
	w.templates = []dictexpand.Template{template("a", "n", ""), template("x", "m", "amd64"), template("z", "o", "")}
	w.templates[2].Spec.Schedule = "0 0 * * *"
	w.Refuses = func(cdiv1beta1.DataImportCron) string { return "no" }
	b := w.model.plan(dictexpand.Expand(w.templates, w.o))
	for _, s := range b.Steps {
		if s.Reason == dictexpand.ReasonTargetMissing && !strings.Contains(s.Detail, `"m-amd64"`) {
			t.Errorf("78: step %+v", s)
		}
	}
	var fields []string
	for _, p := range b.Problems {
		fields = append(fields, p.Field)
	}
	want := []string{"dataImportCronTemplates[a].spec.managedDataSource", "dataImportCronTemplates[z].spec"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("55,66: (-want +got):\n%s", diff)
	}
}
