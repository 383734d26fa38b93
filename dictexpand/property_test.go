package dictexpand_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// bornOf is an annotation that templates of these tests carry and pass on: which
// template a cron was made of, whatever becomes of names.
const bornOf = "test/born-of"

// The names are few and alike, so that collisions, renamings and takeovers come
// up often.
func genTemplate() *rapid.Generator[dictexpand.Template] {
	return rapid.Custom(func(t *rapid.T) dictexpand.Template {
		name := rapid.SampledFrom([]string{"x", "y", "z", "x-amd64", "y-arm64", strings.Repeat("l", 57), ""}).Draw(t, "name")
		x := template(
			name,
			rapid.SampledFrom([]string{"m", "n", "o", "m-amd64", "n-arm64", "p"}).Draw(t, "managedDataSource"),
			strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"amd64", "arm64", "s390x", "ppc64le", "x86_64", " ", "adm64"}), 0, 4).Draw(t, "listed"), ","),
		)
		x.Namespace = rapid.SampledFrom([]string{"", "", "", goldenImages, "custom"}).Draw(t, "namespace")
		x.Spec.Schedule = rapid.SampledFrom([]string{"0 */12 * * *", "0 0 * * *"}).Draw(t, "schedule")
		x.Labels = rapid.SampledFrom([]map[string]string{nil, nil, {"l": "1"}, {"l": "2"}}).Draw(t, "labels")
		metav1.SetMetaDataAnnotation(&x.ObjectMeta, bornOf, "name "+name)
		x.Spec.RetentionPolicy = rapid.SampledFrom([]*cdiv1beta1.DataImportCronRetentionPolicy{
			nil, nil, ptr(cdiv1beta1.DataImportCronRetainAll), ptr(cdiv1beta1.DataImportCronRetainNone),
		}).Draw(t, "retentionPolicy")
		if rapid.IntRange(0, 9).Draw(t, "no registry") == 0 {
			x.Spec.Template.Spec.Source = nil
		}
		if rapid.IntRange(0, 9).Draw(t, "platform") == 0 && x.Spec.Template.Spec.Source != nil {
			x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "amd64"}
		}
		x.Spec.Template.Labels = map[string]string{"pruned": "yes"}
		return x
	})
}

func genTemplates() *rapid.Generator[[]dictexpand.Template] {
	return rapid.SliceOfN(genTemplate(), 0, 5)
}

func genOptions() *rapid.Generator[dictexpand.Options] {
	return rapid.Custom(func(t *rapid.T) dictexpand.Options {
		archs := rapid.Permutation([]string{"amd64", "arm64", "s390x", "ppc64le"})
		some := func(label string) []string {
			return archs.Draw(t, label)[:rapid.IntRange(0, 4).Draw(t, label+" number")]
		}
		o := dictexpand.Options{
			MultiArch: rapid.IntRange(0, 3).Draw(t, "multi") > 0,
			Namespace: goldenImages, Owner: owner(),
			Architectures:           some("architectures"),
			WorkloadArchitectures:   some("workload"),
			Supported:               some("supported"),
			ArchitecturesIncomplete: rapid.IntRange(0, 4).Draw(t, "incomplete") == 0,
			NoWorkloadNodes:         rapid.IntRange(0, 4).Draw(t, "no workload") == 0,
			HeldArchitectures:       some("held"),
		}
		if rapid.Bool().Draw(t, "made per architecture") {
			o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "p", Architectures: some("made")}}
		}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"m", "n-amd64", "o-arm64", "p-amd64"}), 0, 1).Draw(t, "own images") {
			o.OwnImages = append(o.OwnImages, key(goldenImages, name))
		}
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
