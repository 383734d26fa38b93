package dictexpand_test

import (
	"strconv"
	"testing"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	o := twoArchitectures()
	o.Owner = owner()
	templates := []dictexpand.Template{full(), template("a", "taken", "amd64"), template("b", "taken", "amd64")}
	want := dictexpand.Expand(templates, o)
	if len(want.Crons) == 0 || len(want.References) == 0 || len(want.Problems) == 0 {
		t.Fatalf("%d crons, %d references, %v", len(want.Crons), len(want.References), want.Problems)
	}
	live := want.Crons[0].Object.DeepCopy()
	live.Spec.Schedule = "1 1 * * *"
	reference := want.References[0].DataSource()
	have := dictexpand.Existing{
		Crons:       []cdiv1beta1.DataImportCron{*live},
		DataSources: []cdiv1beta1.DataSource{reference},
	}
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			dictexpand.Expand(templates, o)
			dictexpand.OwnImages(have)
			dictexpand.Plan(want, have).DryRuns()
			want.Blocked()
			want.BlockedCrons(have.Crons)
		})
	}
}
