package dictexpand_test

import (
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

// When the DataSource m gets the label of the cron x.
func TestCronLabels(t *testing.T) {
	before := []dictexpand.Template{template("x", "m", ""), template("y", "n", "")}
	const keep = "Keep DataImportCron x: UpToDate\nKeep DataImportCron y: UpToDate\n"
	testPlan(t, []planRow{
		{
			name: "100: it has none, and the cron runs", before: before,
			change: func(w *world) { w.setLabel("m", "") },
			want:   "Update DataSource m: CronLabel\n" + keep,
		},
		{
			name: "100: it has that of a cron that is gone", before: before,
			change: func(w *world) { w.setLabel("m", "gone") },
			want:   "Update DataSource m: CronLabel\n" + keep,
		},
		{
			name: "95: it has none, and is being deleted", before: before,
			change: func(w *world) { w.setLabel("m", ""); w.deleting("m") },
			want:   keep + "Wait DataSource m: BeingDeleted\n",
		},
		{
			name: "52,100: the cron stays as it is, and holds it itself", before: before,
			change: func(w *world) {
				w.setLabel("m", "")
				w.templates[0].Spec.Schedule = "0 0 * * *"
				w.o.ArchitecturesIncomplete = true
			},
			want: "Update DataSource m: CronLabel\nLeaveAlone DataImportCron x: ArchitecturesIncomplete\nKeep DataImportCron y: UpToDate\n",
		},
		{
			name: "99: it has none, and the cron is being deleted", before: before,
			change: func(w *world) { w.setLabel("m", ""); w.deleting("x") },
			want:   "Wait DataImportCron x: BeingDeleted\nKeep DataImportCron y: UpToDate\nWait DataSource m: ReplacementAwaited\n",
		},
		{
			name: "94: it has that of the cron, which is being deleted", before: before,
			change: func(w *world) { w.deleting("x") },
			want:   "Wait DataImportCron x: BeingDeleted\nKeep DataImportCron y: UpToDate\n",
		},
		{
			name: "94: it has none, and somebody else's cron has the name", before: before,
			change: func(w *world) { w.setLabel("m", ""); w.foreign("x") },
			want:   "LeaveAlone DataImportCron x: NotOwned\nKeep DataImportCron y: UpToDate\n",
		},
		{
			name: "61,100: it has that of a cron of another DataSource, and its own is gone", before: before,
			change: func(w *world) { w.setLabel("m", "y"); delete(w.Crons, key(goldenImages, "x")) },
			want:   "Update DataSource m: CronLabel\nCreate DataImportCron x: Missing\nKeep DataImportCron y: UpToDate\n",
		},
		{
			name: "98: it has none, and another cron holds it while its own is gone", before: before,
			change: func(w *world) {
				w.setLabel("m", "")
				delete(w.Crons, key(goldenImages, "x"))
				w.addStranger("s", "m")
			},
			want: "LeaveAlone DataImportCron s: NotOwned\nLeaveAlone DataImportCron x: DataSourceTaken\nKeep DataImportCron y: UpToDate\nLeaveAlone DataSource m: DataSourceTaken\n",
		},
	})
}
