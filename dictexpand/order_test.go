package dictexpand_test

import (
	"testing"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestOrder(t *testing.T) {
	testPlan(t, []planRow{
		{
			name:   "73,74: two crons exchange their DataSources",
			before: []dictexpand.Template{template("x", "m", ""), template("y", "n", "")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "n", ""), template("y", "m", "")}
			},
			want: `Delete DataImportCron x: SpecChanged data Kept
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Create DataImportCron y: SpecChanged
`,
		},
	})
}

// A step tells which object it was planned for.
func TestDeletesAreConditional(t *testing.T) {
	t.Run("77: the step names the object it was planned for", func(t *testing.T) {
		w := newWorld(template("x", "m", "amd64"))
		w.settle(t)
		w.editCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { c.ResourceVersion = "42" })
		w.templates = nil
		s := w.plan()[1]
		if s.Kind != dictexpand.KindDataImportCron || s.Verb != dictexpand.VerbDelete || s.UID == "" || s.ResourceVersion != "42" {
			t.Errorf("step %+v", s)
		}
	})
}

func TestWrites(t *testing.T) {
	for verb, want := range map[dictexpand.Verb]bool{
		dictexpand.VerbCreate: true, dictexpand.VerbRelabel: true, dictexpand.VerbUpdate: true, dictexpand.VerbDelete: true,
		dictexpand.VerbKeep: false, dictexpand.VerbWait: false, dictexpand.VerbLeaveAlone: false, "": false,
	} {
		if got := (dictexpand.Step{Verb: verb}).Writes(); got != want {
			t.Errorf("Step{Verb: %q}.Writes() = %v", verb, got)
		}
	}
}
