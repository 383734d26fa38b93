package importmodetest

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// OurLine stands in the wants of conditions for the line that names the field and
// its value, whose wording is free.
const OurLine = "(the line about imageStreamImportMode)"

const (
	// oldLine is our line as another release wrote it.
	oldLine  = "an older text"
	detected = "OperatorEvaluationConditionDetected"
)

// Condition is one condition without its type. A zero Status says that there is none.
type Condition struct {
	Status          configv1.ConditionStatus
	Reason, Message string
}

// A ConditionCase is a row of EvaluationConditionsDetected.
type ConditionCase struct {
	Rule, Name string
	Existing   Condition
	Spec       configv1.ImportModeType
	Want       Condition
	// Moved says that the transition time is now. Only rows of condition-time look.
	Moved bool
}

// fieldLine is our line, of a spec, in what exists.
func fieldLine(spec configv1.ImportModeType) string {
	return "image.config.openshift.io/cluster: spec.imageStreamImportMode is " + string(spec)
}

// ConditionCases returns the rows of EvaluationConditionsDetected.
func ConditionCases() []ConditionCase {
	const other = "SomethingElseDetected"
	line := fieldLine(configPreserve)
	alone := Condition{"True", detected, OurLine}
	none := Condition{"False", "AsExpected", ""}
	return []ConditionCase{
		{Rule: "override-detected", Name: "new", Spec: configPreserve, Want: alone},
		{Rule: "override-detected", Name: "a value that is no mode is detected too", Spec: "Whole", Want: alone},
		{Rule: "override-detected", Name: "from AsExpected", Existing: Condition{"False", "AsExpected", "All is well"}, Spec: configPreserve, Want: alone},
		{Rule: "override-detected", Name: "from Unknown", Existing: Condition{"Unknown", "NoData", "no data"}, Spec: configPreserve, Want: alone},
		{Rule: "override-detected", Name: "another value", Existing: Condition{"True", detected, line}, Spec: configLegacy, Want: alone},
		{Rule: "nothing-detected", Name: "new", Want: none},
		{Rule: "nothing-detected", Name: "from detected", Existing: Condition{"True", detected, line}, Want: none},
		{Rule: "nothing-detected", Name: "settled", Existing: none, Want: none},
		{Rule: "nothing-detected", Name: "somebody's own words stay", Existing: Condition{"False", "AsExpected", "All is well"}, Want: Condition{"False", "AsExpected", "All is well"}},
		{Rule: "nothing-detected", Name: "somebody's Unknown stays", Existing: Condition{"Unknown", "NoData", "no data"}, Want: Condition{"Unknown", "NoData", "no data"}},
		{Rule: "nothing-detected", Name: "our words under False are cleared", Existing: Condition{"False", detected, line}, Want: none},
		{Rule: "condition-shared", Name: "joined behind another owner's", Existing: Condition{"True", other, "one\n\ntwo"}, Spec: configPreserve,
			Want: Condition{"True", other + "::" + detected, "one\n\ntwo\n" + OurLine}},
		{Rule: "condition-shared", Name: "joined to a reason without a message", Existing: Condition{"True", other, ""}, Spec: configPreserve,
			Want: Condition{"True", other + "::" + detected, OurLine}},
		{Rule: "condition-shared", Name: "taken out from between others'", Existing: Condition{"True", "A::" + detected + "::B", "of A\n" + line + "\nof B"},
			Want: Condition{"True", "A::B", "of A\nof B"}},
		{Rule: "condition-shared", Name: "taken out where the other has no message", Existing: Condition{"True", other + "::" + detected, line},
			Want: Condition{"True", other, ""}},
		{Rule: "condition-shared", Name: "updated in its place", Existing: Condition{"True", detected + "::B", line + "\nof B"}, Spec: configLegacy,
			Want: Condition{"True", detected + "::B", OurLine + "\nof B"}},
		{Rule: "condition-shared", Name: "another owner's alone stays as it is", Existing: Condition{"True", other, "one"}, Want: Condition{"True", other, "one"}},
		{Rule: "condition-shared", Name: "AsExpected is no detection", Existing: Condition{"True", "AsExpected::" + detected, line}, Want: none},
		{Rule: "condition-ours-by-reason", Name: "cleared", Existing: Condition{"True", detected, oldLine + "\nof two lines"}, Want: none},
		{Rule: "condition-ours-by-reason", Name: "replaced", Existing: Condition{"True", detected, oldLine}, Spec: configPreserve, Want: alone},
		{Rule: "condition-ours-by-reason", Name: "cleared between others'", Existing: Condition{"True", "A::" + detected + "::B", "of A\n" + oldLine + "\nof B"},
			Want: Condition{"True", "A::B", "of A\nof B"}},
		{Rule: "condition-ours-by-reason", Name: "replaced between others'", Existing: Condition{"True", "A::" + detected + "::B", "of A\n" + oldLine + "\nof B"}, Spec: configLegacy,
			Want: Condition{"True", "A::" + detected + "::B", "of A\n" + OurLine + "\nof B"}},
		{Rule: "condition-ours-by-reason", Name: "where others have several lines, ours names the field",
			Existing: Condition{"True", "A::" + detected, "of A\nmore of A\nimageStreamImportMode is set, says an older release"},
			Want:     Condition{"True", "A", "of A\nmore of A"}},
		{Rule: "condition-ours-by-reason", Name: "a line that cannot be told from others' stays",
			Existing: Condition{"True", "A::" + detected, "of A\nmore of A\n" + oldLine},
			Want:     Condition{"True", "A", "of A\nmore of A\n" + oldLine}},
		{Rule: "condition-ours-by-reason", Name: "our words under another reason are not ours", Existing: Condition{"True", other, line}, Want: Condition{"True", other, OurLine}},
		{Rule: "condition-ours-by-reason", Name: "a message without a reason", Existing: Condition{"True", "", "one"}, Spec: configPreserve, Want: alone},
		{Rule: "condition-ours-by-reason", Name: "a line of several that names the field, before our reason is there",
			Existing: Condition{"True", other, "one\nimageStreamImportMode is odd"}, Spec: configPreserve,
			Want: Condition{"True", other + "::" + detected, "one\n" + OurLine}},
		{Rule: "condition-ours-by-reason", Name: "another's line that names the field is not ours beside ours",
			Existing: Condition{"True", other + "::" + detected, "imageStreamImportMode is odd\n" + line},
			Want:     Condition{"True", other, "imageStreamImportMode is odd"}},
		{Rule: "condition-ours-by-reason", Name: "under False", Existing: Condition{"False", detected, oldLine}, Want: none},
		{Rule: "condition-ours-by-reason", Name: "our reason twice is joined once", Existing: Condition{"True", detected + "::" + detected, line + "\n" + line}, Spec: configPreserve, Want: alone},
		{Rule: "condition-ours-by-reason", Name: "without a message", Existing: Condition{"True", detected, ""}, Want: none},
		{Rule: "condition-time", Name: "moves with the status", Existing: Condition{"False", "AsExpected", ""}, Spec: configPreserve, Want: alone, Moved: true},
		{Rule: "condition-time", Name: "stays where another value is set", Existing: Condition{"True", detected, line}, Spec: configLegacy, Want: alone},
		{Rule: "condition-time", Name: "stays where another owner remains", Existing: Condition{"True", other + "::" + detected, "one\n" + line}, Want: Condition{"True", other, "one"}},
	}
}

var (
	conditionBefore = metav1.NewTime(time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC))
	conditionNow    = metav1.NewTime(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
)

type conditionInput struct {
	Existing []configv1.ClusterOperatorStatusCondition
	Spec     configv1.ImportModeType
	Now      metav1.Time
}

// conditionsWith returns the conditions of an operator that is available, and c.
func conditionsWith(c Condition, since metav1.Time) []configv1.ClusterOperatorStatusCondition {
	all := []configv1.ClusterOperatorStatusCondition{{Type: configv1.OperatorAvailable, Status: configv1.ConditionTrue, LastTransitionTime: conditionBefore}}
	if c.Status != "" {
		all = append(all, configv1.ClusterOperatorStatusCondition{Type: configv1.EvaluationConditionsDetected,
			Status: c.Status, Reason: c.Reason, Message: c.Message, LastTransitionTime: since})
	}
	return all
}

// conditionView returns conditions with OurLine in place of the lines about the field, and
// without times unless they are wanted.
func conditionView(all []configv1.ClusterOperatorStatusCondition, spec configv1.ImportModeType, times bool) []configv1.ClusterOperatorStatusCondition {
	all = slices.Clone(all)
	for i := range all {
		c := &all[i]
		if !times {
			c.LastTransitionTime = metav1.Time{}
		}
		lines := strings.Split(c.Message, "\n")
		for j, line := range lines {
			if strings.Contains(line, "imageStreamImportMode") && strings.Contains(line, string(spec)) {
				lines[j] = OurLine
			}
		}
		c.Message = strings.Join(lines, "\n")
	}
	return all
}

func conditionRows() (rows []row) {
	for _, c := range ConditionCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasCondition, Call: func(i Impl) outcome {
			in := conditionInput{conditionsWith(c.Existing, conditionBefore), c.Spec, conditionNow}
			since := conditionBefore
			if c.Moved {
				since = conditionNow
			}
			times := c.Rule == "condition-time"
			return outcome{Input: in,
				Want: conditionView(conditionsWith(c.Want, since), c.Spec, times),
				Got:  conditionView(i.Condition(slices.Clone(in.Existing), in.Spec, in.Now), c.Spec, times)}
		}})
	}
	return append(rows,
		row{Rule: "override-detected", Name: "joined twice is joined once", Implemented: hasCondition, Call: func(i Impl) outcome {
			once := i.Condition(nil, configLegacy, conditionNow)
			later := metav1.NewTime(conditionNow.Add(time.Hour))
			return outcome{Input: conditionInput{once, configLegacy, later}, Want: once, Got: i.Condition(slices.Clone(once), configLegacy, later)}
		}},
		row{Rule: "condition-shared", Name: "the first of two of the type", Implemented: hasCondition, Call: func(i Impl) outcome {
			existing := conditionsWith(Condition{"False", "AsExpected", ""}, conditionBefore)
			second := conditionsWith(Condition{"True", "Other", ""}, conditionBefore)[1]
			want := append(conditionsWith(Condition{"True", detected, OurLine}, conditionNow), second)
			in := conditionInput{append(existing, second), configLegacy, conditionNow}
			return outcome{Input: in, Want: conditionView(want, in.Spec, false), Got: conditionView(i.Condition(slices.Clone(in.Existing), in.Spec, in.Now), in.Spec, false)}
		}})
}
