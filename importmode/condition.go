package importmode

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

const reasonSeparator = "::"

// Evaluation says whether a cluster uses the override, so that the fleet can be
// asked before the override is ever taken away. In the zero value, nothing was
// detected.
type Evaluation struct {
	Detected bool
	Reason   EvaluationReason
	// Message is one line that names the object, the field, its value and the remedy;
	// it is empty if nothing was detected.
	Message string
}

// Evaluate looks at spec.imageStreamImportMode of the image config, by rules 8 and
// 9. Any value is detected, also one that is no mode: the field is what the fleet is
// asked about, and it is set.
func Evaluate(spec configv1.ImportModeType) Evaluation {
	if spec == "" {
		return Evaluation{Reason: ReasonAsExpected}
	}
	effect := " and overrides the mode that follows from the release payload"
	if !known(spec) {
		effect = ", which is no import mode, and keeps the current mode as it is"
	}
	return Evaluation{
		Detected: true,
		Reason:   ReasonEvaluationConditionDetected,
		Message: imageConfig + ": " + specField + " is " + quote.Quote(string(spec)) + effect +
			"; remove the field to let the payload decide, and set importPolicy.importMode in the image streams that need another mode",
	}
}

// ClusterOperatorConditions returns existing with the evaluation joined into the
// condition of that type by rules 8 to 12, and whether that changed anything. If a
// type is there twice, against the rules of the list, the first is used. A new
// condition is appended. The result never shares memory with existing.
//
// It fits an operator that writes the ClusterOperator itself and leaves alone the
// condition types that it does not know. The image registry operator is one: its
// generator joins conditions of its own into Available, Progressing and Degraded
// (generatorClusterOperator.syncConditions in pkg/resource/clusteroperator.go) and
// touches no other type. The type is configv1.EvaluationConditionsDetected there. In
// an operator on library-go, whose status controller writes that condition anew at
// every sync, use OperatorConditions.
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
// It fits an operator on library-go. The status controller there (UnionCondition in
// pkg/operator/status/condition.go) joins all operator conditions whose type ends with that of a condition of the
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
// While c is True, the reasons (separated by "::") and the lines of others are kept as
// they are and in their order. Rule 11 says which are ours. c stays True while a
// reason of another remains.
//
// Where c is False or Unknown, it holds no detection: joining ours replaces its
// reason and message, and without ours to take out it is left as it is.
func (ev Evaluation) join(c shared) shared {
	const ours = string(ReasonEvaluationConditionDetected)
	var (
		reasons    = splitReasons(c.reason)
		isOurs     = slices.Contains(reasons, ours)
		others     = slices.ContainsFunc(reasons, func(r string) bool { return r != ours })
		alone      = shared{statusTrue, ours, ev.Message}
		asExpected = shared{status: statusFalse, reason: string(ReasonAsExpected)}
	)
	switch {
	case c == shared{} && !ev.Detected:
		return asExpected
	case !ev.Detected && !isOurs:
		return c
	case c.status != statusTrue || !others:
		if ev.Detected {
			return alone
		}
		return asExpected
	}

	var lines []string
	if c.message != "" {
		lines = strings.Split(c.message, "\n")
	}
	inPlace := len(lines) == len(reasons)
	lineIsOurs := func(i int) bool {
		return inPlace && reasons[i] == ours || !inPlace && strings.Contains(lines[i], modeKey)
	}
	reasonIsOurs := func(i int) bool { return reasons[i] == ours }
	return shared{
		status:  statusTrue,
		reason:  strings.Join(ev.place(ours, reasons, reasonIsOurs), reasonSeparator),
		message: strings.Join(ev.place(ev.Message, lines, lineIsOurs), "\n"),
	}
}

// place returns items without those that are ours, and with ours where the first of
// them was, or at the end, if there is something detected to say.
func (ev Evaluation) place(ours string, items []string, isOurs func(int) bool) []string {
	var kept []string
	placed := !ev.Detected
	for i, item := range items {
		if !isOurs(i) {
			kept = append(kept, item)
		} else if !placed {
			kept, placed = append(kept, ours), true
		}
	}
	if !placed {
		kept = append(kept, ours)
	}
	return kept
}

// splitReasons returns the reasons that a shared reason is made of. AsExpected is
// none: it says that nothing was detected.
func splitReasons(joined string) []string {
	all := strings.Split(joined, reasonSeparator)
	return slices.DeleteFunc(all, func(r string) bool { return r == "" || r == string(ReasonAsExpected) })
}
