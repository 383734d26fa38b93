// Package report says what became of each step of a test plan, as text, as JSON
// and as JUnit XML.
package report

import (
	"fmt"
	"time"
)

// State is what became of a step, or of the steps of an item together.
type State string

const (
	// StatePass: the cluster does what the plan asks for.
	StatePass State = "pass"
	// StateFail: it does something else.
	StateFail State = "fail"
	// StateCouldNotJudge: what the step needs could not be read or done.
	StateCouldNotJudge State = "could not judge"
	// StateObserved: the step wrote down what there is, and holds it to nothing.
	StateObserved State = "observed"
	// StateNotRun: the step was not asked for, or does not apply.
	StateNotRun State = "not run"
)

// states lists them, the one that decides about an item first.
var states = []State{StateFail, StateCouldNotJudge, StatePass, StateObserved, StateNotRun}

// A Step is one observation or one act with what follows from it.
type Step struct {
	// ID is the item's id, a slash, and the step's own name. It never changes.
	ID    string `json:"id"`
	Title string `json:"title"`
	State State  `json:"state"`
	// Want and Got are there where something was compared.
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Detail says why the state is what it is.
	Detail  string  `json:"detail,omitempty"`
	Seconds float64 `json:"seconds"`
}

// An Item is an item of the plan.
type Item struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Steps []Step `json:"steps"`
}

// State is that of the steps together: a failure decides first, then what could
// not be judged. An item passes if something of it was judged and all of that
// passes.
func (i Item) State() State {
	for _, s := range states {
		for _, step := range i.Steps {
			if step.State == s {
				return s
			}
		}
	}
	return StateNotRun
}

// A Program is what wrote the report.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
}

// A Cluster is what was judged.
type Cluster struct {
	Kubernetes string `json:"kubernetes,omitempty"`
	// OpenShift is the version that the ClusterVersion desires.
	OpenShift string `json:"openshift,omitempty"`
	// Operators are the versions that the operators of the chain report.
	Operators map[string]string `json:"operators,omitempty"`
	// Reference says that it is the reference apiserver.
	Reference bool `json:"reference"`
}

// Kind and Format are what a reader of the JSON form looks at first.
const (
	Kind   = "ClusterConformanceReport"
	Format = "v1"
)

// A Report is what became of every step of the plan.
type Report struct {
	Kind          string            `json:"kind"`
	Format        string            `json:"format"`
	Plan          string            `json:"plan"`
	Run           string            `json:"run"`
	Program       Program           `json:"program"`
	Cluster       Cluster           `json:"cluster"`
	Configuration map[string]string `json:"configuration"`
	Started       time.Time         `json:"started"`
	Ended         time.Time         `json:"ended"`
	// Interrupted says that the run was told to end before it was through.
	Interrupted bool   `json:"interrupted"`
	Items       []Item `json:"items"`
	// Left is what the run could not restore or remove, or not write to its dump.
	Left []string `json:"left"`
}

// Count returns how many steps are in the state.
func (r Report) Count(s State) int {
	n := 0
	for _, item := range r.Items {
		for _, step := range item.Steps {
			if step.State == s {
				n++
			}
		}
	}
	return n
}

// Partial reports whether there are steps that were neither judged nor tried.
func (r Report) Partial() bool {
	return r.Interrupted || r.Count(StateObserved)+r.Count(StateNotRun) > 0
}

// Exit statuses, the strongest last.
const (
	ExitHolds         = 0   // nothing fails, and what was run could be judged
	ExitCouldNotJudge = 3   // nothing fails, and something could not be judged
	ExitFails         = 1   // a step fails
	ExitLeft          = 4   // something could not be restored, removed or dumped
	ExitInterrupted   = 130 // as a shell says it
)

// Exit returns the exit status of a program that ends with this report.
func (r Report) Exit() int {
	switch {
	case len(r.Left) > 0:
		return ExitLeft
	case r.Interrupted:
		return ExitInterrupted
	case r.Count(StateFail) > 0:
		return ExitFails
	case r.Count(StateCouldNotJudge) > 0:
		return ExitCouldNotJudge
	}
	return ExitHolds
}

// Summary counts the states in one line.
func (r Report) Summary() string {
	partial := ""
	if r.Partial() {
		partial = " (partial: not everything was judged)"
	}
	return fmt.Sprintf("run %s%s: %d pass, %d fail, %d could not be judged, %d observed, %d not run", r.Run, partial,
		r.Count(StatePass), r.Count(StateFail), r.Count(StateCouldNotJudge), r.Count(StateObserved), r.Count(StateNotRun))
}
