package dictexpand_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestOrder(t *testing.T) {
	testPlan(t, []planRow{
		{
			name: "109,110: two crons exchange their DataSources, and CDI leaves no way but through the deletion",
			want: `Delete DataImportCron x: SpecChanged data Kept
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Create DataImportCron y: SpecChanged
Wait DataSource m: ReplacementAwaited
Wait DataSource n: ReplacementAwaited
`,
		},
	})
}

// A step tells which object it was planned for.
func TestDeletesAreConditional(t *testing.T) {
	t.Run("113: the step names the object it was planned for", func(t *testing.T) {
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

func TestOrderOfSteps(t *testing.T) {
	t.Run("107,108,109,110,111,112: dry runs, DataSources, deletions, other writes, the rest, each by kind and name", func(t *testing.T) {
		w := newWorld(
			template("a", "m", "amd64,arm64"), template("b", "n", "amd64"), template("c", "o", ""), template("d", "p", ""), template("g", "r", ""),
			inNamespace("custom", template("a", "m", "amd64,arm64")), inNamespace("custom", template("e", "o", "")),
		)
		w.settle(t)
		w.templates = []dictexpand.Template{
			template("a", "m", "arm64"), template("c", "o", "arm64"), template("d", "p", ""), template("z", "q", "amd64"), template("g", "r", ""),
			inNamespace("custom", template("a", "m", "arm64")), inNamespace("custom", template("f", "s", "amd64")),
		}
		w.templates[2].Labels = map[string]string{"new": "label"}
		w.templates[4].Spec.Schedule = "0 0 * * *"
		w.dryRuns = nil
		var got []string
		for _, s := range dictexpand.Plan(dictexpand.Expand(w.templates, w.o), w.existing()).Steps {
			got = append(got, fmt.Sprintf("%s %s %s/%s", s.Verb, s.Kind, s.Namespace, s.Name))
		}
		const images = goldenImages
		want := []string{
			"DryRun DataImportCron " + images + "/g",
			"Update DataSource custom/m",
			"Create DataSource custom/s",
			"Update DataSource " + images + "/m",
			"Delete DataSource " + images + "/n",
			"Create DataSource " + images + "/q",
			"Delete DataImportCron custom/e",
			"Delete DataImportCron " + images + "/b-amd64",
			"Create DataImportCron custom/f-amd64",
			"Create DataImportCron " + images + "/c-arm64",
			"Relabel DataImportCron " + images + "/d",
			"Create DataImportCron " + images + "/z-amd64",
			"Wait DataImportCron custom/a-amd64",
			"Keep DataImportCron custom/a-arm64",
			"Wait DataImportCron " + images + "/a-amd64",
			"Keep DataImportCron " + images + "/a-arm64",
			"Wait DataImportCron " + images + "/c",
			"Wait DataSource " + images + "/o",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
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
