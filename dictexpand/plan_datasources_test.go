package dictexpand_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestPlanDataSources(t *testing.T) {
	testPlan(t, []planRow{
		{
			name:   "61,73,89: switched on, the DataSource becomes a reference",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "amd64,arm64")}
			},
			want: `Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
Wait DataImportCron x: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "61,74,75,100: switched off, the DataSource is the cron's again",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.o.MultiArch = false },
			want: `Update DataSource m: BackToCron
Create DataImportCron x: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataImportCron x-arm64: ReplacementAwaited
`,
		},
		{
			name:   "57,89: switched on with a DataSource of the caller, the cron is replaced under its name",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"amd64"}}}
			},
			want: `Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "81: a reference is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.deleting("m") },
			want: `Keep DataImportCron x-amd64: UpToDate
Wait DataSource m: BeingDeleted
`,
		},
		{
			name:   "101: a reference that nothing needs is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates = nil; w.deleting("m") },
			want: `Delete DataImportCron x-amd64: TemplateRemoved data Kept
Wait DataSource m: BeingDeleted
`,
		},
		{
			name:   "95: a DataSource that was a reference is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.o.MultiArch = false; w.deleting("m") },
			want: `Create DataImportCron x: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataSource m: BeingDeleted
`,
		},
		{
			name:   "43,75,94: switched off, and somebody else's cron has the name",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.o.MultiArch = false
				stranger := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "x"}}
				stranger.Spec.ManagedDataSource = "other"
				w.addCron(stranger)
			},
			want: `LeaveAlone DataImportCron x: NotOwned
Wait DataImportCron x-amd64: ReplacementAwaited
`,
		},
		{
			name:   "75,98: switched off, and somebody else's cron manages the DataSource",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.o.MultiArch = false
				stranger := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "stranger"}}
				stranger.Spec.ManagedDataSource = "m"
				w.addCron(stranger)
			},
			want: `LeaveAlone DataImportCron stranger: NotOwned
LeaveAlone DataImportCron x: DataSourceTaken
Wait DataImportCron x-amd64: ReplacementAwaited
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name:   "82: somebody else's DataSource, without a cron",
			before: nil,
			change: func(w *world) {
				w.addDataSource(cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "m"}})
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "82: the DataSource of somebody else's cron",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.foreign("x")
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCron, "x")
				})
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: NotOwned
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "106: somebody else's reference that nothing needs",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.foreign("m"); w.templates = nil },
			want:   "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n",
		},
		{
			name:   "106: references that the caller makes for DataSources without a template",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.templates = nil
				w.o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"amd64"}}}
			},
			want: "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n",
		},
		{
			name:   "89,92: the cron of the DataSource is gone",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				delete(w.crons, key(goldenImages, "x"))
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "89,92: the cron of the DataSource is gone and had the name of no template",
			before: []dictexpand.Template{template("other", "m", "")},
			change: func(w *world) {
				delete(w.crons, key(goldenImages, "other"))
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "91: somebody redirected the reference",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					ds.Spec.Source.DataSource = &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: "elsewhere", Name: "m"}
				})
			},
			want: `Update DataSource m: Redirected
Keep DataImportCron x-amd64: UpToDate
`,
		},
		{
			name:   "90: somebody put the label of a cron on the reference",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCron, "x")
				})
			},
			want: `Update DataSource m: BecomesReference
Keep DataImportCron x-amd64: UpToDate
`,
		},
		{
			name:   "73,90: switched on, off and on again, nothing is left over",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) {
				w.o.MultiArch = false
				w.apply(noFatal{}, w.plan())
				w.runCDI()
				w.o.MultiArch = true
			},
			want: `Update DataSource m: BecomesReference
Wait DataImportCron x: ReplacementAwaited
Keep DataImportCron x-amd64: UpToDate
Keep DataImportCron x-arm64: UpToDate
`,
		},
	})
}

// Switching on, the reference must survive the deletion of the cron whose data
// goes with it.
func TestCleanupLabelGoes(t *testing.T) {
	t.Run("90,92,108: the reference survives the deletion of the cron whose data goes", func(t *testing.T) {
		w := newWorld(retainNone(template("x", "m", "")))
		w.settle(t)
		if w.dataSources[key(goldenImages, "m")].Labels[dictexpand.LabelDataImportCronCleanup] != "true" {
			t.Fatal("the model does not do what CDI does")
		}
		w.templates = []dictexpand.Template{template("x", "m", "amd64")}
		w.settle(t)
		if len(w.crons) != 1 || !w.boots(key(goldenImages, "m")) {
			t.Fatalf("crons %v", w.crons)
		}
		ds, ok := w.dataSources[key(goldenImages, "m")]
		if !ok {
			t.Fatal("the reference went with the cron")
		}
		if len(ds.Labels) != 1 || ds.Spec.Source.DataSource == nil || ds.Spec.Source.PVC != nil {
			t.Errorf("reference with labels %v and source %+v", ds.Labels, ds.Spec.Source)
		}
	})
}
