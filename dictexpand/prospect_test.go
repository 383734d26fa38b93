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
	testPlan(t, []planRow{
		{
			name: "73,88: somebody else's cron has the name of the architecture's",
			want: `Wait DataImportCron x: ReplacementAwaited
LeaveAlone DataImportCron x-amd64: NotOwned
LeaveAlone DataSource m: TargetMissing
`,
		},
		{
			name: "78: nothing exists, and nothing will",
			want: `LeaveAlone DataImportCron x-amd64: NotOwned
LeaveAlone DataSource m: TargetMissing
`,
		},
		{
			name: "79: the cron of the target is still being deleted",
			want: `Wait DataImportCron x-amd64: BeingDeleted
Wait DataSource m: ReplacementAwaited
Wait DataSource n: DataSourceTaken
`,
		},
		{
			name: "89,93: what the reference leads to works, and the other has no image yet",
			want: `Create DataImportCron x-arm64: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name: "89: a reference that cannot go back to a cron still leads to the DataSource",
			want: `LeaveAlone DataImportCron s: NotOwned
LeaveAlone DataImportCron x: DataSourceTaken
Keep DataImportCron y-arm64: UpToDate
LeaveAlone DataSource m: DataSourceTaken
Wait DataSource m-amd64: ReplacementAwaited
`,
		},
		{
			name: "73: the reference is to lead to a user's own image",
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
			name: "74: the reference is to lead from one architecture to a user's own image",
			want: `Update DataSource m: Redirected
Wait DataImportCron x-amd64: ReplacementAwaited
`,
		},
		{
			name: "91,93: what the reference leads to does not exist",
			want: `Update DataSource m: Redirected
Create DataImportCron x-arm64: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
`,
		},
		{
			name: "85: a blocked template shares a reference that dangles",
			want: `Update DataSource m: Redirected
Keep DataImportCron a-arm64: UpToDate
LeaveAlone DataImportCron i-amd64: TemplateBlocked
`,
		},
		{
			name: "96: somebody else made the DataSource a reference",
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "97: somebody put an image of their own there since the expansion",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.Claims[key(goldenImages, "mine")] = metav1.ObjectMeta{Namespace: goldenImages, Name: "mine"}
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
			name: "100: the label names a cron that manages something else",
			want: `Update DataSource m: CronLabel
Keep DataImportCron x: UpToDate
Keep DataImportCron y: UpToDate
`,
		},
		{
			name: "100: somebody else's cron manages it too, and the label is nobody's",
			want: `Update DataSource m: CronLabel
LeaveAlone DataImportCron s: NotOwned
Keep DataImportCron x: UpToDate
`,
		},
		{
			name: "66,98: the label is that of somebody else's cron",
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
		w.addStranger("s", "m")
		if b := w.model.plan(dictexpand.Expand(w.templates, w.o)); b.Problems != nil {
			t.Errorf("CDI takes the other one for the second, and yet %v", b.Problems)
		}
		w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels[dictexpand.LabelDataImportCron] = "s" })
		if got := problems(w); !strings.HasPrefix(got, "dataImportCronTemplates[x].spec.managedDataSource") || !strings.Contains(got, `"s"`) {
			t.Error(got)
		}
		w = newWorld()
		w.addStranger("s", "m")
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
