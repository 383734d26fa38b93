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

// Evaluation says whether a cluster uses the override, so that the fleet can be
// asked before the override is ever taken away. In the zero value, nothing was
// detected.
type Evaluation struct {
	Detected bool
	Reason   EvaluationReason
	// Message is one line that names the field, its value and the remedy; it is
	// empty if nothing was detected.
	Message string
}

// Evaluate looks at spec.imageStreamImportMode of the image config, by rules 7 and
// 8. Any value at all is an override, also one that is no mode.
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
// condition of that type by rules 7 to 10, and whether that changed anything. If a
// type is there twice, against the rules of the list, the first is used. A new
// condition is appended. The result never shares memory with existing.
//
// It fits an operator that writes the ClusterOperator itself and leaves alone the
// condition types that it does not know, as the image registry operator does. The
// type is configv1.EvaluationConditionsDetected there. In an operator on
// library-go, whose status controller writes that condition anew at every sync,
// use OperatorConditions.
func ClusterOperatorConditions(existing []configv1.ClusterOperatorStatusCondition, conditionType configv1.ClusterStatusConditionType, ev Evaluation, now metav1.Time) ([]configv1.ClusterOperatorStatusCondition, bool) {
	type condition = configv1.ClusterOperatorStatusCondition
	return update(existing, condition{Type: conditionType},
		func(c condition) bool { return c.Type == conditionType },
		func(c *condition) fields[configv1.ConditionStatus] {
			return fields[configv1.ConditionStatus]{&c.Status, &c.Reason, &c.Message, &c.LastTransitionTime}
		}, ev, now)
}

// OperatorConditions is ClusterOperatorConditions for the conditions of an
// operator's own resource.
//
// It fits an operator on library-go. The status controller there joins all
// operator conditions whose type ends with that of a condition of the
// ClusterOperator. It puts the rest of the type and an underscore before the
// reason, and the whole type before each line of the message. So give the
// condition a prefix of its own, as in
// ImageStreamImportModeEvaluationConditionsDetected: without one, the reason
// would become "_OperatorEvaluationConditionDetected".
func OperatorConditions(existing []operatorv1.OperatorCondition, conditionType string, ev Evaluation, now metav1.Time) ([]operatorv1.OperatorCondition, bool) {
	type condition = operatorv1.OperatorCondition
	return update(existing, condition{Type: conditionType},
		func(c condition) bool { return c.Type == conditionType },
		func(c *condition) fields[operatorv1.ConditionStatus] {
			return fields[operatorv1.ConditionStatus]{&c.Status, &c.Reason, &c.Message, &c.LastTransitionTime}
		}, ev, now)
}

// fields points to what the two types of conditions have in common.
type fields[S ~string] struct {
	status          *S
	reason, message *string
	since           *metav1.Time
}

// update joins the evaluation into the condition that is ours, or else into
// added, whose only field is its type.
func update[C any, S ~string](existing []C, added C, ours func(C) bool, of func(*C) fields[S], ev Evaluation, now metav1.Time) ([]C, bool) {
	conditions := slices.Clone(existing)
	i := slices.IndexFunc(conditions, ours)
	if i < 0 {
		i, conditions = len(conditions), append(conditions, added)
	}
	c := of(&conditions[i])
	before := shared{string(*c.status), *c.reason, *c.message}
	after := ev.join(before)
	if after.status != before.status {
		*c.since = now
	}
	*c.status, *c.reason, *c.message = S(after.status), after.reason, after.message
	return conditions, after != before
}

// shared is the part of a condition that its owners share. The zero value is a
// condition that is not there.
type shared struct{ status, reason, message string }

const (
	statusTrue  = string(configv1.ConditionTrue)
	statusFalse = string(configv1.ConditionFalse)
)

// join returns c with our part joined in, or taken out where nothing is detected.
//
// While c is True, its reasons (separated by "::") and the lines of its message
// are kept as they are and in their order. Only our own reason and our own line,
// which are known by their text, are touched. It is True while any reason or line
// remains. A line that remains without a reason of its own keeps ours: two owners
// may use the same one.
//
// Where c is False or Unknown, it holds no detection: joining ours replaces its
// reason and message, and without ours to take out it is left as it is.
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
