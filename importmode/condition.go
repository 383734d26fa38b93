package importmode

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"
)

const (
	reasonSeparator = "::"
	// messagePrefix marks the line of a shared message that is ours.
	messagePrefix = imageConfig + ": " + specField + " is "
)

// Evaluation says whether a cluster makes use of the override, so that the fleet
// can be asked before the override is ever taken away. The zero value is an
// evaluation in which nothing was detected.
type Evaluation struct {
	Detected bool
	// Reason is OperatorEvaluationConditionDetected or AsExpected.
	Reason Reason
	// Message is one line that names the field, its value and the remedy; it is
	// empty if nothing was detected.
	Message string
}

// Evaluate looks at spec.imageStreamImportMode of the image config. Any value at
// all is an override, also one that is no mode.
func Evaluate(spec configv1.ImportModeType) Evaluation {
	if spec == "" {
		return Evaluation{Reason: ReasonAsExpected}
	}
	return Evaluation{
		Detected: true,
		Reason:   ReasonEvaluationConditionDetected,
		Message: messagePrefix + strconv.Quote(string(spec)) +
			" and overrides the mode that follows from the release payload; remove the field to let the payload decide",
	}
}

// ClusterOperatorConditions returns existing with the evaluation joined into the
// condition EvaluationConditionsDetected, and whether that changed anything. The
// condition is shared with other owners:
//
//   - While it is True, its reasons (separated by "::") and the lines of its
//     message are kept as they are and in their order; only our own reason and
//     our own line, which are known by their text, are joined or taken out.
//   - It is True while any reason or line remains, else False with the reason
//     AsExpected. A line that remains without a reason of its own keeps ours:
//     two owners may use the same one.
//   - A False or Unknown condition holds no detection: joining ours replaces its
//     reason and message; without ours to take out, it is left as it is.
//   - The transition time becomes now when the status changes or the condition
//     is new, and stays otherwise.
//
// If a type is there twice, against the rules of the list, the first is used. A
// new condition is appended. The result never shares memory with existing.
func ClusterOperatorConditions(existing []configv1.ClusterOperatorStatusCondition, ev Evaluation, now metav1.Time) ([]configv1.ClusterOperatorStatusCondition, bool) {
	conditions := slices.Clone(existing)
	i := slices.IndexFunc(conditions, func(c configv1.ClusterOperatorStatusCondition) bool {
		return c.Type == configv1.EvaluationConditionsDetected
	})
	if i < 0 {
		joined := ev.join(shared{})
		return append(conditions, configv1.ClusterOperatorStatusCondition{
			Type:               configv1.EvaluationConditionsDetected,
			Status:             configv1.ConditionStatus(joined.status),
			LastTransitionTime: now,
			Reason:             joined.reason,
			Message:            joined.message,
		}), true
	}
	c := &conditions[i]
	before := shared{string(c.Status), c.Reason, c.Message}
	after := ev.join(before)
	if after.status != before.status {
		c.LastTransitionTime = now
	}
	c.Status, c.Reason, c.Message = configv1.ConditionStatus(after.status), after.reason, after.message
	return conditions, after != before
}

// OperatorConditions is ClusterOperatorConditions for the conditions of an
// operator's own resource.
func OperatorConditions(existing []operatorv1.OperatorCondition, ev Evaluation, now metav1.Time) ([]operatorv1.OperatorCondition, bool) {
	conditions := slices.Clone(existing)
	i := slices.IndexFunc(conditions, func(c operatorv1.OperatorCondition) bool {
		return c.Type == string(configv1.EvaluationConditionsDetected)
	})
	if i < 0 {
		joined := ev.join(shared{})
		return append(conditions, operatorv1.OperatorCondition{
			Type:               string(configv1.EvaluationConditionsDetected),
			Status:             operatorv1.ConditionStatus(joined.status),
			LastTransitionTime: now,
			Reason:             joined.reason,
			Message:            joined.message,
		}), true
	}
	c := &conditions[i]
	before := shared{string(c.Status), c.Reason, c.Message}
	after := ev.join(before)
	if after.status != before.status {
		c.LastTransitionTime = now
	}
	c.Status, c.Reason, c.Message = operatorv1.ConditionStatus(after.status), after.reason, after.message
	return conditions, after != before
}

// shared is what the two condition types have in common. The zero value is a
// condition that is not there.
type shared struct{ status, reason, message string }

const (
	statusTrue  = string(configv1.ConditionTrue)
	statusFalse = string(configv1.ConditionFalse)
)

func (ev Evaluation) join(c shared) shared {
	asExpected := shared{status: statusFalse, reason: string(ReasonAsExpected)}
	ours := string(ReasonEvaluationConditionDetected)
	if c.status != statusTrue {
		switch {
		case ev.Detected:
			return shared{statusTrue, ours, ev.Message}
		case c == shared{} || hasOurs(c):
			return asExpected
		}
		return c
	}
	if !ev.Detected && !hasOurs(c) {
		return c
	}

	var reasons []string
	for reason := range strings.SplitSeq(c.reason, reasonSeparator) {
		switch reason {
		case "", string(ReasonAsExpected):
		case ours:
			if ev.Detected && !slices.Contains(reasons, ours) {
				reasons = append(reasons, ours)
			}
		default:
			reasons = append(reasons, reason)
		}
	}
	var lines []string
	placed := false
	if c.message != "" {
		for line := range strings.SplitSeq(c.message, "\n") {
			if !strings.HasPrefix(line, messagePrefix) {
				lines = append(lines, line)
			} else if ev.Detected && !placed {
				lines, placed = append(lines, ev.Message), true
			}
		}
	}
	if ev.Detected {
		if !slices.Contains(reasons, ours) {
			reasons = append(reasons, ours)
		}
		if !placed && ev.Message != "" {
			lines = append(lines, ev.Message)
		}
	} else if len(reasons) == 0 {
		if len(lines) == 0 {
			return asExpected
		}
		reasons = []string{ours}
	}
	return shared{statusTrue, strings.Join(reasons, reasonSeparator), strings.Join(lines, "\n")}
}

// hasOurs reports whether c carries our line, or our reason with nothing beside
// it that could be another owner's: a lone reason without our line and with a
// message belongs to somebody else who uses the same reason.
func hasOurs(c shared) bool {
	for line := range strings.SplitSeq(c.message, "\n") {
		if strings.HasPrefix(line, messagePrefix) {
			return true
		}
	}
	return c.message == "" && slices.Contains(strings.Split(c.reason, reasonSeparator), string(ReasonEvaluationConditionDetected))
}
