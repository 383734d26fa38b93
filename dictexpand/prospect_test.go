package dictexpand_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// Nothing that works is taken away for what cannot be made.
func TestWhatCannotBeMade(t *testing.T) {
	stranger := func(name, managed string) func(*world) {
		return func(w *world) {
			c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: name}}
			c.Spec.ManagedDataSource = managed
			w.addCron(c)
		}
	}
	mine := func(name string) func(*world) {
		return func(w *world) {
			w.claims[key(goldenImages, "mine")] = metav1.ObjectMeta{Namespace: goldenImages, Name: "mine"}
			w.addDataSource(cdiv1beta1.DataSource{
				ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: name},
				Spec:       cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "mine"}}},
			})
		}
	}
	testPlan(t, []planRow{
		{
			name:   "73,88: somebody else's cron has the name of the architecture's",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				stranger("x-amd64", "other")(w)
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Wait DataImportCron x: ReplacementAwaited
LeaveAlone DataImportCron x-amd64: NotOwned
LeaveAlone DataSource m: TargetMissing
`,
		},
		{
			name: "78: nothing exists, and nothing will",
			change: func(w *world) {
				stranger("x-amd64", "other")(w)
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `LeaveAlone DataImportCron x-amd64: NotOwned
LeaveAlone DataSource m: TargetMissing
`,
		},
		{
			name:   "79: the cron of the target is still being deleted",
			before: []dictexpand.Template{template("x", "n", "amd64")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
				w.deleting("x-amd64")
			},
			want: `Wait DataImportCron x-amd64: BeingDeleted
Wait DataSource m: ReplacementAwaited
Wait DataSource n: DataSourceTaken
`,
		},
		{
			name:   "89,93: what the reference leads to works, and the other has no image yet",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates = []dictexpand.Template{template("x", "m", "arm64")} },
			want: `Create DataImportCron x-arm64: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "89: a reference that cannot go back to a cron still leads to the DataSource",
			before: []dictexpand.Template{template("x", "m", "amd64"), template("y", "n", "arm64")},
			change: func(w *world) {
				stranger("s", "m")(w)
				delete(w.crons, key(goldenImages, "x-amd64"))
				w.templates = []dictexpand.Template{template("x", "m", ""), template("y", "m-amd64", "arm64")}
				w.apply(noFatal{}, w.plan())
				w.runCDI()
			},
			want: `LeaveAlone DataImportCron s: NotOwned
LeaveAlone DataImportCron x: DataSourceTaken
Keep DataImportCron y-arm64: UpToDate
LeaveAlone DataSource m: DataSourceTaken
Wait DataSource m-amd64: ReplacementAwaited
`,
		},
		{
			name:   "73: the reference is to lead to a user's own image",
			before: []dictexpand.Template{retainNone(template("x", "m", ""))},
			change: func(w *world) {
				w.templates = []dictexpand.Template{retainNone(template("x", "m", "amd64"))}
				w.o.OwnImages = []types.NamespacedName{key(goldenImages, "m-amd64")}
				mine("m-amd64")(w)
			},
			want: `Update DataSource m: BecomesReference
Wait DataImportCron x: ReplacementAwaited
`,
		},
		{
			name:   "73,89: a user's own image that the caller is about to make a DataSource for",
			before: []dictexpand.Template{retainNone(template("x", "m", ""))},
			change: func(w *world) {
				w.templates = []dictexpand.Template{retainNone(template("x", "m", "amd64"))}
				w.o.OwnImages = []types.NamespacedName{key(goldenImages, "m-amd64")}
			},
			want: `Wait DataImportCron x: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "74: the reference is to lead from one architecture to a user's own image",
			before: []dictexpand.Template{retainNone(template("x", "m", "amd64"))},
			change: func(w *world) {
				w.templates = []dictexpand.Template{retainNone(template("x", "m", "arm64"))}
				w.o.OwnImages = []types.NamespacedName{key(goldenImages, "m-arm64")}
				mine("m-arm64")(w)
			},
			want: `Update DataSource m: Redirected
Wait DataImportCron x-amd64: ReplacementAwaited
`,
		},
		{
			name:   "91,93: what the reference leads to does not exist",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "arm64")}
				delete(w.dataSources, key(goldenImages, "m-amd64"))
			},
			want: `Update DataSource m: Redirected
Create DataImportCron x-arm64: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
`,
		},
		{
			name:   "85: a blocked template shares a reference that dangles",
			before: []dictexpand.Template{template("a", "m", "arm64"), template("i", "m", "amd64")},
			change: func(w *world) {
				w.templates[1].Annotations[dictexpand.AnnotationArchitectures] = "?"
				delete(w.dataSources, key(goldenImages, "m-amd64"))
			},
			want: `Update DataSource m: Redirected
Keep DataImportCron a-arm64: UpToDate
LeaveAlone DataImportCron i-amd64: TemplateBlocked
`,
		},
		{
			name:   "96: somebody else made the DataSource a reference",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					ds.Labels = nil
					ds.Spec.Source = cdiv1beta1.DataSourceSource{DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: goldenImages, Name: "mine"}}
				})
			},
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "97: somebody put an image of their own there since the expansion",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.claims[key(goldenImages, "mine")] = metav1.ObjectMeta{Namespace: goldenImages, Name: "mine"}
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					ds.Labels = nil
					ds.Spec.Source = cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "mine"}}
				})
			},
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataSource m: OwnImage
`,
		},
		{
			name:   "99: the cron does not exist yet, and the old one still has the label",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.templates[0].Name = "a" },
			want: `Create DataImportCron a: Missing
Wait DataImportCron x: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name:   "100: the label names a cron that manages something else",
			before: []dictexpand.Template{template("x", "m", ""), template("y", "n", "")},
			change: func(w *world) {
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels[dictexpand.LabelDataImportCron] = "y" })
			},
			want: `Update DataSource m: CronLabel
Keep DataImportCron x: UpToDate
Keep DataImportCron y: UpToDate
`,
		},
		{
			name:   "100: somebody else's cron manages it too, and the label is nobody's",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				stranger("s", "m")(w)
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { delete(ds.Labels, dictexpand.LabelDataImportCron) })
			},
			want: `Update DataSource m: CronLabel
LeaveAlone DataImportCron s: NotOwned
Keep DataImportCron x: UpToDate
`,
		},
		{
			name:   "66,98: the label is that of somebody else's cron",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				stranger("s", "m")(w)
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels[dictexpand.LabelDataImportCron] = "s" })
			},
			want: `LeaveAlone DataImportCron s: NotOwned
Keep DataImportCron x: UpToDate
LeaveAlone DataSource m: DataSourceTaken
`,
		},
	})
	t.Run("66: somebody else's cron is a problem only where it is in the way", func(t *testing.T) {
		problems := func(w *world) string {
			return w.model.plan(dictexpand.Expand(w.templates, w.o)).Problems.ToAggregate().Error()
		}
		w := newWorld(template("x", "m", ""))
		w.settle(t)
		stranger("s", "m")(w)
		if b := w.model.plan(dictexpand.Expand(w.templates, w.o)); b.Problems != nil {
			t.Errorf("CDI takes the other one for the second, and yet %v", b.Problems)
		}
		w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels[dictexpand.LabelDataImportCron] = "s" })
		if got := problems(w); !strings.HasPrefix(got, "dataImportCronTemplates[x].spec.managedDataSource") || !strings.Contains(got, `"s"`) {
			t.Error(got)
		}
		w = newWorld()
		stranger("s", "m")(w)
		w.templates = []dictexpand.Template{template("x", "m", "")}
		if got := problems(w); !strings.HasPrefix(got, "dataImportCronTemplates[x].spec.managedDataSource") {
			t.Error(got)
		}
		w.deleting("s")
		if b := w.model.plan(dictexpand.Expand(w.templates, w.o)); b.Problems != nil {
			t.Errorf("it is going, and yet %v", b.Problems)
		}
	})
}
