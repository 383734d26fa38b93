package dictexpand_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// bornOf is an annotation that templates of these tests carry and pass on: which
// template a cron was made of, whatever becomes of names.
const bornOf = "test/born-of"

// genTemplate draws a template that says where it comes from.
func genTemplate() *rapid.Generator[dictexpand.Template] {
	return rapid.Map(dictexpandtest.AnyTemplate(), func(x dictexpandtest.Template) dictexpand.Template {
		metav1.SetMetaDataAnnotation(&x.ObjectMeta, bornOf, "name "+x.Name)
		return dictexpand.Template(x)
	})
}

func genTemplates() *rapid.Generator[[]dictexpand.Template] {
	return rapid.SliceOfN(genTemplate(), 0, 5)
}

func genOptions() *rapid.Generator[dictexpand.Options] {
	return rapid.Custom(func(t *rapid.T) dictexpand.Options {
		o := ours.Options(dictexpandtest.AnyCluster().Draw(t, "cluster"))
		o.NoWorkloadNodes = rapid.IntRange(0, 4).Draw(t, "no workload") == 0
		return o
	})
}

func TestExpandProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		templates, o := genTemplates().Draw(t, "templates"), genOptions().Draw(t, "options")
		e := dictexpand.Expand(templates, o)

		// Names and DataSources are unique, or reported and not there.
		crons, dataSources := map[types.NamespacedName]bool{}, map[types.NamespacedName]bool{}
		for _, c := range e.Crons {
			k, ds := key(c.Object.Namespace, c.Object.Name), key(c.Object.Namespace, c.Object.Spec.ManagedDataSource)
			if crons[k] || dataSources[ds] {
				t.Fatalf("two crons %v or DataSources %v", k, ds)
			}
			crons[k], dataSources[ds] = true, true
		}
		targets := map[types.NamespacedName]bool{}
		for k := range dataSources {
			targets[k] = true
		}
		for _, k := range o.OwnImages {
			targets[k] = true
		}
		for _, r := range e.References {
			k := key(r.Namespace, r.Name)
			if dataSources[k] {
				t.Fatalf("the reference %v is another reference's or a cron's DataSource", k)
			}
			dataSources[k] = true
			if !targets[key(r.Namespace, r.Target)] {
				t.Fatalf("the reference %v dangles: %s", k, r.Target)
			}
		}

		// The number of crons is the number of compatible architectures, whose
		// DataSources are no user's.
		want := 0
		blocked := e.Blocked()
		for i, out := range e.Outcomes {
			if out.Template != templates[i].Name || out.Blocked != slices.Contains([]dictexpand.OutcomeReason{
				dictexpand.ReasonInvalid, dictexpand.ReasonConflict, dictexpand.ReasonNoCompatibleArchitecture}, out.Reason) {
				t.Fatalf("outcome %d is %+v", i, out)
			}
			if out.Blocked != slices.Contains(blocked, out.Template) && out.Blocked {
				t.Fatalf("%q is blocked and not in %q", out.Template, blocked)
			}
			if out.Blocked {
				continue
			}
			owned := func(name string) bool { return slices.Contains(o.OwnImages, key(out.Namespace, name)) }
			switch out.Reason {
			case dictexpand.ReasonPerArchitecture:
				for _, a := range dictexpand.ParseArchitectures(templates[i].Annotations[dictexpand.AnnotationArchitectures]) {
					if slices.Contains(o.Architectures, a) && (len(o.Supported) == 0 || slices.Contains(o.Supported, a)) && !owned(out.DataSource+"-"+a) {
						want++
					}
				}
			case dictexpand.ReasonAutoUpdateOff:
			default:
				want++
			}
		}
		if len(e.Crons) != want {
			t.Fatalf("%d crons, want %d", len(e.Crons), want)
		}
		if mistaken := slices.ContainsFunc(e.Outcomes, func(o dictexpand.Outcome) bool {
			return o.Reason == dictexpand.ReasonInvalid || o.Reason == dictexpand.ReasonConflict
		}); mistaken && len(e.Problems) == 0 || len(e.Problems) > 0 && len(blocked) == 0 {
			t.Fatalf("problems %v beside outcomes %+v", e.Problems, e.Outcomes)
		}

		// The order of the templates shows in the outcomes only.
		order := rapid.Permutation(indices(len(templates))).Draw(t, "order")
		var shuffled []dictexpand.Template
		var outcomes []dictexpand.Outcome
		for _, i := range order {
			shuffled = append(shuffled, templates[i])
			outcomes = append(outcomes, e.Outcomes[i])
		}
		again := e
		again.Outcomes = outcomes
		if diff := cmp.Diff(again, dictexpand.Expand(shuffled, o)); diff != "" {
			t.Fatalf("the order of the templates shows:\n%s", diff)
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
