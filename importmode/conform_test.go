package importmode_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
	"github.com/polyarch/polyarch/importmode/internal/ours"
)

func TestConformance(t *testing.T) {
	report := importmodetest.Conform(t, func(testing.TB) importmodetest.Impl { return ours.Impl() }, importmodetest.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if !report.Partial && rule.State != "pass" {
			t.Errorf("%s: %s", rule.Rule.ID, rule.State)
		}
	}
}

// The condition of an operator's own resource is joined by the same rules.
func TestOperatorConditionConforms(t *testing.T) {
	importmodetest.Conform(t, func(testing.TB) importmodetest.Impl {
		return importmodetest.Impl{Condition: func(existing []configv1.ClusterOperatorStatusCondition, spec configv1.ImportModeType, now metav1.Time) []configv1.ClusterOperatorStatusCondition {
			var own []operatorv1.OperatorCondition
			for _, c := range existing {
				own = append(own, operatorv1.OperatorCondition{Type: string(c.Type), Status: operatorv1.ConditionStatus(c.Status),
					Reason: c.Reason, Message: c.Message, LastTransitionTime: c.LastTransitionTime})
			}
			own, _ = importmode.OperatorConditions(own, string(detected), importmode.Evaluate(spec), now)
			var all []configv1.ClusterOperatorStatusCondition
			for _, c := range own {
				all = append(all, configv1.ClusterOperatorStatusCondition{Type: configv1.ClusterStatusConditionType(c.Type), Status: configv1.ConditionStatus(c.Status),
					Reason: c.Reason, Message: c.Message, LastTransitionTime: c.LastTransitionTime})
			}
			return all
		}}
	}, importmodetest.Options{RuleSet: "v1"})
}
