package payloadarch

import (
	"fmt"
	"strconv"

	configv1 "github.com/openshift/api/config/v1"
)

// Change is what a Transition does to the kind of the payload. The zero value
// is NoChange.
type Change uint8

const (
	// NoChange: the kind stays, or one of the two is not known.
	NoChange Change = iota
	// SingleToMulti is a migration to the multi payload.
	SingleToMulti
	// MultiToSingle is the way back.
	MultiToSingle
)

// String returns the name of the constant, and "Change(n)" for a value that is
// none of them.
func (c Change) String() string {
	switch c {
	case NoChange:
		return "NoChange"
	case SingleToMulti:
		return "SingleToMulti"
	case MultiToSingle:
		return "MultiToSingle"
	}
	return "Change(" + strconv.Itoa(int(c)) + ")"
}

// A Transition says how the payload's kind changes and how far that is. The zero
// value is no change.
type Transition struct {
	Change Change
	// InProgress is true while the update that brings the change is not
	// complete. It is false where there is no change.
	InProgress bool
	Reason     Reason
	// Field is the path in the ClusterVersion of the fact that decided
	// InProgress, "" where there is no change.
	Field string
}

// TransitionOf compares the kind that the caller saw before with the current
// verdict. History is status.history of the ClusterVersion, newest first: the
// change is in progress while its first entry is Partial, else complete.
//
// The previous kind is an argument because nothing in the cluster keeps it:
// history holds no architecture, and "the same version, another image" may as
// well be a re-spin.
func TransitionOf(previous Kind, current Verdict, history []configv1.UpdateHistory) Transition {
	var t Transition
	switch {
	case previous == Single && current.Kind == Multi:
		t.Change = SingleToMulti
	case previous == Multi && current.Kind == Single:
		t.Change = MultiToSingle
	case previous == current.Kind && previous != Unknown:
		return Transition{Reason: ReasonKindUnchanged}
	default:
		return Transition{Reason: ReasonKindUnknown}
	}
	t.Reason = ReasonKindChanged
	t.Field = "status.history"
	if len(history) > 0 {
		t.Field = "status.history[0].state"
		t.InProgress = history[0].State == configv1.PartialUpdate
	}
	return t
}

// CheckDesiredUpdate looks at an edit of spec.desiredUpdate of a ClusterVersion
// before it is stored. Stored is what it replaces; either may be nil. An edit
// that asks for the multi payload on a cluster whose payload is Multi is a
// finding: it is no migration, and the cluster version operator does not refuse
// it. An edit that keeps a request for Multi from before is none.
func CheckDesiredUpdate(stored, proposed *configv1.Update, current Kind) []Finding {
	const multi = configv1.ClusterVersionArchitectureMulti
	if current != Multi || proposed == nil || proposed.Architecture != multi ||
		stored != nil && stored.Architecture == multi {
		return nil
	}
	return []Finding{{FindingAlreadyMulti, "spec.desiredUpdate.architecture",
		fmt.Sprintf("%q asks for a migration, and the payload is multi already; leave it empty to update to another version", multi)}}
}
