package dictexpand_test

import (
	"strconv"
	"testing"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

var (
	sinkExpansion dictexpand.Expansion
	sinkSteps     []dictexpand.Step
	sinkCron      *cdiv1beta1.DataImportCron
)

// The floor of an expansion to two architectures: two bare copies of the cron.
// Expand is held to 1.7 times that by internal/benchmarks (expand_2).
func BenchmarkFloorTwoDeepCopies(b *testing.B) {
	t := rhel10()
	cron := cdiv1beta1.DataImportCron{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
	b.ReportAllocs()
	for b.Loop() {
		sinkCron = cron.DeepCopy()
		sinkCron = cron.DeepCopy()
	}
}

func BenchmarkExpandTwoArchitectures(b *testing.B) {
	templates, o := []dictexpand.Template{rhel10()}, twoArchitectures()
	b.ReportAllocs()
	for b.Loop() {
		sinkExpansion = dictexpand.Expand(templates, o)
	}
}

// An expansion to two architectures needs no more pieces of memory than two bare copies.
func TestAllocations(t *testing.T) {
	templates, o := []dictexpand.Template{rhel10()}, twoArchitectures()
	cron := cdiv1beta1.DataImportCron{ObjectMeta: templates[0].ObjectMeta, Spec: templates[0].Spec}
	floor := testing.AllocsPerRun(100, func() { sinkCron, sinkCron = cron.DeepCopy(), cron.DeepCopy() })
	if n := testing.AllocsPerRun(100, func() { sinkExpansion = dictexpand.Expand(templates, o) }); n > floor {
		t.Errorf("%v allocations, two copies need %v", n, floor)
	}
}

// The floor of a thousand templates is ten times that of a hundred
// (expand_1000_growth, plan_growth).
func BenchmarkExpand(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			templates, o := manyTemplates(n), fourArchitectures()
			b.ReportAllocs()
			for b.Loop() {
				sinkExpansion = dictexpand.Expand(templates, o)
			}
		})
	}
}

func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			o := fourArchitectures()
			o.Owner = owner()
			want := dictexpand.Expand(manyTemplates(n), o)
			m := newModel()
			m.apply(b, m.plan(want).Steps)
			have := m.existing()
			b.ReportAllocs()
			for b.Loop() {
				sinkSteps = dictexpand.Plan(want, have).Steps
			}
		})
	}
}

func manyTemplates(n int) []dictexpand.Template {
	templates := make([]dictexpand.Template, n)
	for i := range templates {
		templates[i] = rhel10()
		templates[i].Name += strconv.Itoa(i)
		templates[i].Spec.ManagedDataSource += "-" + strconv.Itoa(i)
		templates[i].Annotations[dictexpand.AnnotationArchitectures] = "amd64,arm64,ppc64le,s390x"
	}
	return templates
}
