package payloadarch

import (
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

// String returns the name of the constant, and "Change(n)" for any other value.
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

// A Transition says how the payload's kind changes, how far that is, and when a
// caller that remembers the kind takes the new one. The zero value is no change.
type Transition struct {
	Change Change
	// InProgress is true while the update that brings the change is not
	// complete. It is false where there is no change.
	InProgress bool
	// StoreKind is true if the caller is to store the current kind as the one
	// that it brings next time. It is never true if that is Unknown or rests on
	// Installing, nor while the change is in progress, so that the change is told
	// until it is complete.
	StoreKind bool
	Reason    TransitionReason
	// Field is the path of the fact that decided InProgress, "" where there is no
	// change.
	Field string
}

// TransitionOf compares the kind that the caller stored with the current verdict,
// by rules 36 to 41 of the package. History is status.history of the
// ClusterVersion, newest first. The previous kind is Unknown for a caller that has
// stored none yet.
//
// The previous kind is an argument because nothing in the cluster keeps it:
// history holds no architecture, and "the same version, another image" may as
// well be a re-spin.
func TransitionOf(previous Kind, current Verdict, history []configv1.UpdateHistory) Transition {
	if current.Reason == ReasonInstalling {
		return Transition{Reason: ReasonKindUnknown}
	}
	var t Transition
	switch {
	case previous == Single && current.Kind == Multi:
		t.Change = SingleToMulti
	case previous == Multi && current.Kind == Single:
		t.Change = MultiToSingle
	case previous == current.Kind && previous != Unknown:
		return Transition{Reason: ReasonKindUnchanged}
	default:
		return Transition{Reason: ReasonKindUnknown, StoreKind: current.Kind == Single || current.Kind == Multi}
	}
	t.Reason = ReasonKindChanged
	t.Field = historyPath
	if len(history) > 0 {
		t.Field = newestStatePath
		t.InProgress = history[0].State == configv1.PartialUpdate
	}
	t.StoreKind = !t.InProgress
	return t
}
