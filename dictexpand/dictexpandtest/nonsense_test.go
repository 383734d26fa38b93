package dictexpandtest_test

import (
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// notByNonsense are the rules that only code breaks under which something works for a
// while: TestDefects does.
var notByNonsense = []string{"history-asks-first", "history-keeps-images"}

// A rule that nothing can break holds nothing.
func TestEveryRuleCanFail(t *testing.T) {
	right := dictexpandtest.Oracle()
	nonsense := dictexpandtest.Impl{
		Architectures: func(string) []string { return []string{"?"} },
		Expand: func(templates []template, c cluster) made {
			// What should be there is not, and the other way round.
			e := right.Expand(templates, c)
			var other made
			for _, x := range templates {
				for _, a := range []string{"", "-arm64"} {
					o := cdiv1beta1.DataImportCron{ObjectMeta: *x.ObjectMeta.DeepCopy(), Spec: *x.Spec.DeepCopy()}
					o.Name += a
					o.Spec.ManagedDataSource += "?"
					if len(e.Crons) == 0 || a != "" {
						other.Crons = append(other.Crons, o)
					}
				}
			}
			if len(templates) > 1 {
				other.Crons = other.Crons[:1] // the order of the templates shows
			}
			if len(e.References) == 0 {
				other.References = []cdiv1beta1.DataSource{{ObjectMeta: metav1.ObjectMeta{Name: "?"}}}
			}
			return other
		},
		OwnImages: func(dataSources []cdiv1beta1.DataSource, claims, snapshots []metav1.ObjectMeta) []types.NamespacedName {
			var other []types.NamespacedName
			own := right.OwnImages(dataSources, claims, snapshots)
			for _, ds := range dataSources {
				if k := dictexpandtest.Key(ds.Namespace, ds.Name); len(own) == 0 {
					other = append(other, k)
				}
			}
			return other
		},
		DryRun: func(error) string { return "?" },
		Reconcile: func(client *dictexpandtest.Client, templates []template, _ cluster) error {
			// It deletes everything, whoever it belongs to, and makes something else.
			for _, c := range client.Crons() {
				if err := client.DeleteCron(c.Namespace, c.Name, c.UID); err != nil {
					return err
				}
			}
			for _, ds := range client.DataSources() {
				if err := client.DeleteDataSource(ds.Namespace, ds.Name, ds.UID); err != nil {
					return err
				}
			}
			for _, x := range templates {
				o := cdiv1beta1.DataImportCron{
					ObjectMeta: metav1.ObjectMeta{Namespace: dictexpandtest.GoldenImages, Name: x.Name}, Spec: dictexpandtest.TemplateOf("x", "nonsense", "").Spec,
				}
				if err := client.CreateCron(o); err != nil && !apierrors.IsAlreadyExists(err) && !apierrors.IsInvalid(err) {
					return err
				}
			}
			return nil
		},
	}
	report := conformance.Judge(t, dictexpandtest.Suite(), func(testing.TB) dictexpandtest.Impl { return nonsense }, conformance.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if rule.State != conformance.StateFail && !slices.Contains(notByNonsense, rule.Rule.ID) {
			t.Errorf("%s: %s", rule.Rule.ID, rule.State)
		}
	}
}
