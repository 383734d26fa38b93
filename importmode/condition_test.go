package importmode_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// The types of the shared condition of a ClusterOperator, and of one that an
// operator on library-go has of its own.
const (
	detected    = configv1.EvaluationConditionsDetected
	ownDetected = "ImageStreamImportModeEvaluationConditionsDetected"
)

var (
	before = metav1.NewTime(time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC))
	now    = metav1.NewTime(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
)

func TestEvaluate(t *testing.T) {
	for _, tt := range []struct {
		name     string
		spec     configv1.ImportModeType
		detected bool
		reason   string
	}{
		{"8: Legacy", configLegacy, true, "OperatorEvaluationConditionDetected"},
		{"8: PreserveOriginal", configPreserve, true, "OperatorEvaluationConditionDetected"},
		{"8: a value that is no mode is detected too", "Whole\nhouse", true, "OperatorEvaluationConditionDetected"},
		{"9: empty", "", false, "AsExpected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := importmode.Evaluate(tt.spec)
			if ev.Detected != tt.detected || string(ev.Reason) != tt.reason {
				t.Errorf("Evaluate(%q) = %+v", tt.spec, ev)
			}
			if !tt.detected {
				if ev.Message != "" {
					t.Errorf("message %q with nothing detected", ev.Message)
				}
				return
			}
			value, _, _ := strings.Cut(string(tt.spec), "\n")
			for _, part := range []string{"image.config.openshift.io/cluster: spec.imageStreamImportMode", value,
				"remove the field", "set importPolicy.importMode in the image streams that need another mode"} {
				if !strings.Contains(ev.Message, part) {
					t.Errorf("message %q does not hold %q", ev.Message, part)
				}
			}
			if isMode := tt.spec == configLegacy || tt.spec == configPreserve; strings.Contains(ev.Message, "overrides") != isMode {
				t.Errorf("message %q of a mode: %t", ev.Message, isMode)
			}
			if strings.Contains(ev.Message, "\n") {
				t.Errorf("message %q is not one line", ev.Message)
			}
		})
	}
}

// What is said to have changed did, and joining once more changes nothing.
func TestConditionChanged(t *testing.T) {
	for _, tt := range importmodetest.ConditionCases() {
		t.Run(tt.Rule+": "+tt.Name, func(t *testing.T) {
			ev := importmode.Evaluate(tt.Spec)
			var cluster []configv1.ClusterOperatorStatusCondition
			var operator []operatorv1.OperatorCondition
			if e := tt.Existing; e.Status != "" {
				cluster = append(cluster, configv1.ClusterOperatorStatusCondition{Type: detected, Status: e.Status, Reason: e.Reason, Message: e.Message, LastTransitionTime: before})
				operator = append(operator, operatorv1.OperatorCondition{Type: ownDetected, Status: operatorv1.ConditionStatus(e.Status), Reason: e.Reason, Message: e.Message, LastTransitionTime: before})
			}
			gotCluster, changedCluster := importmode.ClusterOperatorConditions(cluster, detected, ev, now)
			gotOperator, changedOperator := importmode.OperatorConditions(operator, ownDetected, ev, now)
			if changedCluster == cmp.Equal(cluster, gotCluster) || changedOperator == cmp.Equal(operator, gotOperator) {
				t.Errorf("changed = %t and %t\n%s%s", changedCluster, changedOperator, cmp.Diff(cluster, gotCluster), cmp.Diff(operator, gotOperator))
			}
			again, changed := importmode.ClusterOperatorConditions(gotCluster, detected, ev, metav1.NewTime(now.Add(time.Hour)))
			if diff := cmp.Diff(gotCluster, again); diff != "" || changed {
				t.Errorf("joined once more (changed %t, -once +twice):\n%s", changed, diff)
			}
		})
	}
}

func TestConditionType(t *testing.T) {
	ev := importmode.Evaluate(configLegacy)
	t.Run("10: a condition of another type is left alone", func(t *testing.T) {
		existing := []operatorv1.OperatorCondition{
			{Type: "EvaluationConditionsDetected", Status: operatorv1.ConditionTrue, Reason: "Other"},
			{Type: "Other" + ownDetected, Status: operatorv1.ConditionFalse, Reason: "AsExpected"},
		}
		got, changed := importmode.OperatorConditions(existing, ownDetected, ev, now)
		want := append(existing[:2:2], operatorv1.OperatorCondition{
			Type: ownDetected, Status: operatorv1.ConditionTrue, LastTransitionTime: now,
			Reason: "OperatorEvaluationConditionDetected", Message: ev.Message,
		})
		if diff := cmp.Diff(want, got); diff != "" || !changed {
			t.Errorf("changed %t (-want +got):\n%s", changed, diff)
		}
	})
}

func TestZeroEvaluation(t *testing.T) {
	got, changed := importmode.OperatorConditions(nil, ownDetected, importmode.Evaluation{}, now)
	if len(got) != 1 || got[0].Status != operatorv1.ConditionFalse || got[0].Reason != "AsExpected" || !changed {
		t.Errorf("got %+v, %t", got, changed)
	}
}
