package dictexpand_test

import (
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestPlanDataSources(t *testing.T) {
	testPlan(t, []planRow{
		{
			name: "61,73,89: switched on, the DataSource becomes a reference",
			want: `Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
Wait DataImportCron x: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name: "61,74,75,100: switched off, the DataSource is the cron's again",
			want: `Update DataSource m: BackToCron
Create DataImportCron x: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataImportCron x-arm64: ReplacementAwaited
`,
		},
		{
			name: "57,89: the replacement has the name of the old cron",
			want: `Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name: "81: a reference is being deleted",
			want: `Keep DataImportCron x-amd64: UpToDate
Wait DataSource m: BeingDeleted
`,
		},
		{
			name: "101: a reference that nothing needs is being deleted",
			want: `Delete DataImportCron x-amd64: TemplateRemoved data Kept
Wait DataSource m: BeingDeleted
`,
		},
		{
			name: "95: a DataSource that was a reference is being deleted",
			want: `Create DataImportCron x: Missing
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataSource m: BeingDeleted
`,
		},
		{
			name: "43,75,94: switched off, and somebody else's cron has the name",
			want: `LeaveAlone DataImportCron x: NotOwned
Wait DataImportCron x-amd64: ReplacementAwaited
`,
		},
		{
			name: "75,98: switched off, and somebody else's cron manages the DataSource",
			want: `LeaveAlone DataImportCron stranger: NotOwned
LeaveAlone DataImportCron x: DataSourceTaken
Wait DataImportCron x-amd64: ReplacementAwaited
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "82: somebody else's DataSource, without a cron",
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name: "82: the DataSource of somebody else's cron",
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: NotOwned
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name: "106: somebody else's reference that nothing needs",
			want: "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n",
		},
		{
			name: "106: references that the caller makes for DataSources without a template",
			want: "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n",
		},
		{
			name: "89,92: the cron of the DataSource is gone",
			want: `Create DataImportCron x-amd64: Missing
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name: "89,92: the cron of the DataSource is gone and had the name of no template",
			want: `Create DataImportCron x-amd64: Missing
Wait DataSource m: ReplacementAwaited
`,
		},
		{
			name: "91: somebody redirected the reference",
			want: `Update DataSource m: Redirected
Keep DataImportCron x-amd64: UpToDate
`,
		},
		{
			name: "90: somebody put the label of a cron on the reference",
			want: `Update DataSource m: BecomesReference
Keep DataImportCron x-amd64: UpToDate
`,
		},
		{
			name: "73,90: switched on, off and on again, nothing is left over",
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
		if w.DataSources[key(goldenImages, "m")].Labels[dictexpand.LabelDataImportCronCleanup] != "true" {
			t.Fatal("the model does not do what CDI does")
		}
		w.templates = []dictexpand.Template{template("x", "m", "amd64")}
		w.settle(t)
		if len(w.Crons) != 1 || !w.Boots(key(goldenImages, "m")) {
			t.Fatalf("crons %v", w.Crons)
		}
		ds, ok := w.DataSources[key(goldenImages, "m")]
		if !ok {
			t.Fatal("the reference went with the cron")
		}
		if len(ds.Labels) != 1 || ds.Spec.Source.DataSource == nil || ds.Spec.Source.PVC != nil {
			t.Errorf("reference with labels %v and source %+v", ds.Labels, ds.Spec.Source)
		}
	})
}
