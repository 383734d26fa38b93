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

func TestJoinedCondition(t *testing.T) {
	const (
		ours  = "OperatorEvaluationConditionDetected"
		other = "SomethingElseDetected"
	)
	type condition struct {
		status, reason, message string
		moved                   bool // the transition time
	}
	line := importmode.Evaluate(configPreserve).Message
	legacyLine := importmode.Evaluate(configLegacy).Message
	for _, tt := range []struct {
		name     string
		existing *condition
		spec     configv1.ImportModeType
		want     condition
		same     bool
	}{{
		name: "8: new condition", spec: configPreserve,
		want: condition{"True", ours, line, true},
	}, {
		name: "9: new condition, nothing detected",
		want: condition{"False", "AsExpected", "", true},
	}, {
		name: "8: from AsExpected", existing: &condition{status: "False", reason: "AsExpected", message: "All is well"}, spec: configPreserve,
		want: condition{"True", ours, line, true},
	}, {
		name: "8: from Unknown", existing: &condition{status: "Unknown", reason: "NoData", message: "no data"}, spec: configPreserve,
		want: condition{"True", ours, line, true},
	}, {
		name: "8: the same again", existing: &condition{status: "True", reason: ours, message: line}, spec: configPreserve,
		want: condition{"True", ours, line, false}, same: true,
	}, {
		name: "12: another value moves no time", existing: &condition{status: "True", reason: ours, message: line}, spec: configLegacy,
		want: condition{"True", ours, legacyLine, false},
	}, {
		name: "9: from detected", existing: &condition{status: "True", reason: ours, message: line},
		want: condition{"False", "AsExpected", "", true},
	}, {
		name: "9: the same again", existing: &condition{status: "False", reason: "AsExpected"},
		want: condition{"False", "AsExpected", "", false}, same: true,
	}, {
		name: "9: somebody's own words for as expected stay", existing: &condition{status: "False", reason: "AsExpected", message: "All is well"},
		want: condition{"False", "AsExpected", "All is well", false}, same: true,
	}, {
		name: "9: somebody's Unknown stays", existing: &condition{status: "Unknown", reason: "NoData", message: "no data"},
		want: condition{"Unknown", "NoData", "no data", false}, same: true,
	}, {
		name: "9: our words under False are cleared", existing: &condition{status: "False", reason: ours, message: line},
		want: condition{"False", "AsExpected", "", false},
	}, {
		name: "10: joined behind another owner's", existing: &condition{status: "True", reason: other, message: "one\n\ntwo"}, spec: configPreserve,
		want: condition{"True", other + "::" + ours, "one\n\ntwo\n" + line, false},
	}, {
		name: "10: joined to a reason without a message", existing: &condition{status: "True", reason: other}, spec: configPreserve,
		want: condition{"True", other + "::" + ours, line, false},
	}, {
		name: "10: taken out from between others'", existing: &condition{status: "True", reason: "A::" + ours + "::B", message: "of A\n" + line + "\nof B"},
		want: condition{"True", "A::B", "of A\nof B", false},
	}, {
		name: "10: taken out where the other has no message", existing: &condition{status: "True", reason: other + "::" + ours, message: line},
		want: condition{"True", other, "", false},
	}, {
		name: "10: updated in its place", existing: &condition{status: "True", reason: ours + "::B", message: line + "\nof B"}, spec: configLegacy,
		want: condition{"True", ours + "::B", legacyLine + "\nof B", false},
	}, {
		name: "10: another owner's alone stays as it is", existing: &condition{status: "True", reason: other, message: "one"},
		want: condition{"True", other, "one", false}, same: true,
	}, {
		name: "11: the text of another release is cleared", existing: &condition{status: "True", reason: ours, message: "an older text\nof two lines"},
		want: condition{"False", "AsExpected", "", true},
	}, {
		name: "11: the text of another release is replaced", existing: &condition{status: "True", reason: ours, message: "an older text"}, spec: configPreserve,
		want: condition{"True", ours, line, false},
	}, {
		name: "11: the text of another release is cleared between others'", existing: &condition{status: "True", reason: "A::" + ours + "::B", message: "of A\nan older text\nof B"},
		want: condition{"True", "A::B", "of A\nof B", false},
	}, {
		name: "11: the text of another release is replaced between others'", spec: configLegacy,
		existing: &condition{status: "True", reason: "A::" + ours + "::B", message: "of A\nan older text\nof B"},
		want:     condition{"True", "A::" + ours + "::B", "of A\n" + legacyLine + "\nof B", false},
	}, {
		name:     "11: where others have several lines, ours names the field",
		existing: &condition{status: "True", reason: "A::" + ours, message: "of A\nmore of A\nimageStreamImportMode is set, says an older release"},
		want:     condition{"True", "A", "of A\nmore of A", false},
	}, {
		name:     "11: a line that cannot be told from others' stays",
		existing: &condition{status: "True", reason: "A::" + ours, message: "of A\nmore of A\nan older text"},
		want:     condition{"True", "A", "of A\nmore of A\nan older text", false},
	}, {
		name: "11: our words under another reason are not ours", existing: &condition{status: "True", reason: other, message: line},
		want: condition{"True", other, line, false}, same: true,
	}, {
		name: "11: the text of another release under False is cleared", existing: &condition{status: "False", reason: ours, message: "an older text"},
		want: condition{"False", "AsExpected", "", false},
	}, {
		name: "10: AsExpected is no detection", existing: &condition{status: "True", reason: "AsExpected::" + ours, message: line},
		want: condition{"False", "AsExpected", "", true},
	}, {
		name: "11: our reason twice is joined once", existing: &condition{status: "True", reason: ours + "::" + ours, message: line + "\n" + line}, spec: configPreserve,
		want: condition{"True", ours, line, false},
	}, {
		name: "11: our reason without a message is ours", existing: &condition{status: "True", reason: ours},
		want: condition{"False", "AsExpected", "", true},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			ev := importmode.Evaluate(tt.spec)
			cluster := []configv1.ClusterOperatorStatusCondition{{Type: configv1.OperatorAvailable, Status: configv1.ConditionTrue, LastTransitionTime: before}}
			operator := []operatorv1.OperatorCondition{{Type: operatorv1.OperatorStatusTypeAvailable, Status: operatorv1.ConditionTrue, LastTransitionTime: before}}
			wantCluster := append([]configv1.ClusterOperatorStatusCondition(nil), cluster...)
			wantOperator := append([]operatorv1.OperatorCondition(nil), operator...)
			if e := tt.existing; e != nil {
				cluster = append(cluster, configv1.ClusterOperatorStatusCondition{Type: detected,
					Status: configv1.ConditionStatus(e.status), Reason: e.reason, Message: e.message, LastTransitionTime: before})
				operator = append(operator, operatorv1.OperatorCondition{Type: ownDetected,
					Status: operatorv1.ConditionStatus(e.status), Reason: e.reason, Message: e.message, LastTransitionTime: before})
			}
			since := before
			if tt.want.moved {
				since = now
			}
			wantCluster = append(wantCluster, configv1.ClusterOperatorStatusCondition{Type: detected,
				Status: configv1.ConditionStatus(tt.want.status), Reason: tt.want.reason, Message: tt.want.message, LastTransitionTime: since})
			wantOperator = append(wantOperator, operatorv1.OperatorCondition{Type: ownDetected,
				Status: operatorv1.ConditionStatus(tt.want.status), Reason: tt.want.reason, Message: tt.want.message, LastTransitionTime: since})

			gotCluster, changedCluster := importmode.ClusterOperatorConditions(cluster, detected, ev, now)
			if diff := cmp.Diff(wantCluster, gotCluster); diff != "" {
				t.Errorf("cluster operator conditions (-want +got):\n%s", diff)
			}
			gotOperator, changedOperator := importmode.OperatorConditions(operator, ownDetected, ev, now)
			if diff := cmp.Diff(wantOperator, gotOperator); diff != "" {
				t.Errorf("operator conditions (-want +got):\n%s", diff)
			}
			if changedCluster == tt.same || changedOperator == tt.same {
				t.Errorf("changed = %t and %t, want %t", changedCluster, changedOperator, !tt.same)
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
	t.Run("10: the first of two of a type", func(t *testing.T) {
		existing := []configv1.ClusterOperatorStatusCondition{
			{Type: detected, Status: configv1.ConditionFalse, Reason: "AsExpected"},
			{Type: detected, Status: configv1.ConditionTrue, Reason: "Other"},
		}
		got, _ := importmode.ClusterOperatorConditions(existing, detected, ev, now)
		if len(got) != 2 || got[0].Status != configv1.ConditionTrue || got[1] != existing[1] {
			t.Errorf("got %+v", got)
		}
	})
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
