package dictexpand_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/internal/zerotest"
)

func TestZeroValues(t *testing.T) {
	o := twoArchitectures()
	o.Owner = owner()
	o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "p", Architectures: []string{"amd64"}}}
	o.OwnImages = []types.NamespacedName{key(goldenImages, "m-arm64")}
	x := full()
	x.Annotations[dictexpand.AnnotationArchitectures] += ",ppc64le"
	e := dictexpand.Expand([]dictexpand.Template{x, template("typo", "n", ",")}, o)
	if len(e.Crons) == 0 || len(e.References) == 0 || len(e.Problems) == 0 || len(e.Findings) == 0 {
		t.Fatalf("the filled expansion is not: %s", text(e))
	}
	m := newModel()
	first := dictexpand.Plan(e, m.existing())
	m.apply(t, first.Steps)
	m.Run()
	zerotest.Check(t,
		dictexpand.Template{}, x,
		dictexpand.Options{}, o,
		dictexpand.CallerDataSource{}, o.CallerDataSources[0],
		dictexpand.Owner{}, o.Owner,
		dictexpand.Expansion{}, e,
		dictexpand.Cron{}, e.Crons[0],
		dictexpand.Reference{}, e.References[0],
		dictexpand.Outcome{}, e.Outcomes[0],
		dictexpand.OutcomeReason(""), dictexpand.ReasonPerArchitecture,
		dictexpand.ReferenceReason(""), dictexpand.ReasonFirstWithImage,
		dictexpand.Finding{}, e.Findings[0],
		dictexpand.FindingCode(""), dictexpand.FindingAlias,
		dictexpand.Existing{}, m.existing(),
		dictexpand.DryRun{}, dictexpand.DryRunOf(first.Steps[1], errors.New("refused")),
		dictexpand.DryRunAnswer(""), dictexpand.DryRunAccepted,
		dictexpand.BootSources{}, first, dictexpand.Plan(e, m.existing()),
		dictexpand.Step{}, first.Steps[0],
		dictexpand.StepReason(""), dictexpand.ReasonMissing,
		dictexpand.Verb(""), dictexpand.VerbCreate,
		dictexpand.ImportedData(""), dictexpand.DataKept,
		field.ErrorList{}, e.Problems,
	)
}
