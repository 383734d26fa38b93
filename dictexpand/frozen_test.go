package dictexpand_test

import (
	"strings"
	"testing"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// Which dry runs without an answer freeze the plan, so that the cron y, whose template is
// gone, stays.
func TestDryRunsThatCount(t *testing.T) {
	const other = "0 0 * * *"
	changed := func(w *world) { w.templates[0].Spec.Schedule = other }
	for _, tt := range []struct {
		name   string
		change func(*world)
		answer dictexpand.DryRunAnswer
		frozen bool
	}{
		{"67: no answer", changed, dictexpand.DryRunUnknown, true},
		{"67: an answer that this version does not know", changed, "Maybe", true},
		{"67: accepted", changed, dictexpand.DryRunAccepted, false},
		{"67: refused", changed, dictexpand.DryRunRefused, false},
		{"67: no answer, and the cron has that spec already", func(w *world) {
			changed(w)
			w.editCron("x", func(c *cdiv1beta1.DataImportCron) { c.Spec.Schedule = other })
		}, dictexpand.DryRunUnknown, false},
		{"67: no answer, and the cron is gone", func(w *world) { changed(w); delete(w.Crons, key(goldenImages, "x")) }, dictexpand.DryRunUnknown, false},
		{"67: no answer, and the cron is somebody else's", func(w *world) { changed(w); w.foreign("x") }, dictexpand.DryRunUnknown, false},
		{"67: no answer about another cron's spec", func(w *world) { w.templates[0].Spec.Schedule = "1 1 * * *" }, dictexpand.DryRunUnknown, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(template("x", "m", ""), template("y", "n", ""))
			w.settle(t)
			tt.change(w)
			spec := template("x", "m", "").Spec
			spec.Schedule = other
			have := w.existing()
			have.DryRuns = []dictexpand.DryRun{{Namespace: goldenImages, Name: "x", Spec: spec, Answer: tt.answer}}
			got := all(dictexpand.Plan(dictexpand.Expand(w.templates[:1], w.o), have).Steps)
			if frozen := strings.Contains(got, "LeaveAlone DataImportCron y: DryRunUnknown"); frozen != tt.frozen || !frozen && !strings.Contains(got, "Delete DataImportCron y") {
				t.Errorf("steps:\n%s", got)
			}
		})
	}
}
