package payloadarch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestTransitionOf(t *testing.T) {
	updating := []configv1.UpdateHistory{partial(v1, imageB), completed(v1, imageA)}
	done := []configv1.UpdateHistory{completed(v1, imageB), completed(v1, imageA)}
	changed := func(c payloadarch.Change, inProgress bool) payloadarch.Transition {
		return payloadarch.Transition{Change: c, InProgress: inProgress, StoreKind: !inProgress, Reason: payloadarch.ReasonKindChanged, Field: stateAt}
	}
	unknown := payloadarch.Transition{Reason: payloadarch.ReasonKindUnknown}
	first := payloadarch.Transition{Reason: payloadarch.ReasonKindUnknown, StoreKind: true}
	unchanged := payloadarch.Transition{Reason: payloadarch.ReasonKindUnchanged}
	for _, tc := range []struct {
		name              string
		previous, current payloadarch.Kind
		history           []configv1.UpdateHistory
		want              payloadarch.Transition
	}{
		{"36,41: both unknown", payloadarch.Unknown, payloadarch.Unknown, done, unknown},
		{"36,41: the first kind seen", payloadarch.Unknown, payloadarch.Multi, done, first},
		{"36,41: the first kind seen during an update", payloadarch.Unknown, payloadarch.Single, updating, first},
		{"36,41: not a kind", payloadarch.Single, payloadarch.Kind(7), done, unknown},
		{"36,41: not known now", payloadarch.Multi, payloadarch.Unknown, updating, unknown},
		{"37: the same version with another image is no evidence (a re-spin)", payloadarch.Single, payloadarch.Single, done, unchanged},
		{"37,41: the same kind during an update", payloadarch.Multi, payloadarch.Multi, updating, unchanged},
		{"38,40,41: in progress (OCPBUGS-10300)", payloadarch.Single, payloadarch.Multi, updating, changed(payloadarch.SingleToMulti, true)},
		{"38,40,41: complete", payloadarch.Single, payloadarch.Multi, done, changed(payloadarch.SingleToMulti, false)},
		{"39,40,41: in progress", payloadarch.Multi, payloadarch.Single, updating, changed(payloadarch.MultiToSingle, true)},
		{"39,40,41: complete", payloadarch.Multi, payloadarch.Single, done, changed(payloadarch.MultiToSingle, false)},
		{"40: no history", payloadarch.Single, payloadarch.Multi, nil,
			payloadarch.Transition{Change: payloadarch.SingleToMulti, StoreKind: true, Reason: payloadarch.ReasonKindChanged, Field: "clusterversions[version].status.history"}},
		{"40: only the newest entry counts", payloadarch.Single, payloadarch.Multi,
			[]configv1.UpdateHistory{completed(v1, imageB), partial(v1, imageA)}, changed(payloadarch.SingleToMulti, false)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := payloadarch.TransitionOf(tc.previous, payloadarch.Verdict{Kind: tc.current}, tc.history)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("transition differs (-want +got):\n%s", diff)
			}
		})
	}
}

// A multi payload that is being installed may look single before it is reported.
func TestTransitionWhileInstalling(t *testing.T) {
	installing := payloadarch.Verdict{Kind: payloadarch.Single, Reason: payloadarch.ReasonInstalling}
	for name, previous := range map[string]payloadarch.Kind{
		"36,41: nothing is stored while the cluster is being installed": payloadarch.Unknown,
		"36,41: a ClusterVersion made anew reverts nothing":             payloadarch.Multi,
		"36,41: a ClusterVersion made anew confirms nothing":            payloadarch.Single,
	} {
		t.Run(name, func(t *testing.T) {
			got := payloadarch.TransitionOf(previous, installing, []configv1.UpdateHistory{partial(v1, imageA)})
			if diff := cmp.Diff(payloadarch.Transition{Reason: payloadarch.ReasonKindUnknown}, got); diff != "" {
				t.Errorf("transition differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangeString(t *testing.T) {
	for c, want := range map[payloadarch.Change]string{
		payloadarch.NoChange:      "NoChange",
		payloadarch.SingleToMulti: "SingleToMulti",
		payloadarch.MultiToSingle: "MultiToSingle",
		payloadarch.Change(9):     "Change(9)",
	} {
		if got := c.String(); got != want {
			t.Errorf("Change(%d).String() = %q, want %q", uint8(c), got, want)
		}
	}
}

// A caller that stores the kind when it is told to sees a migration begin, go on
// and end, its completion once, and nothing of it in the gap where the kind is not
// known.
func TestStoredKindSeesTheWholeMigration(t *testing.T) {
	var seen []string
	stored := payloadarch.Unknown
	see := func(kind payloadarch.Kind, newest configv1.UpdateHistory) {
		got := payloadarch.TransitionOf(stored, payloadarch.Verdict{Kind: kind}, []configv1.UpdateHistory{newest})
		text := string(got.Reason)
		if got.Change != payloadarch.NoChange {
			text = map[bool]string{true: "in progress", false: "complete"}[got.InProgress]
		}
		seen = append(seen, text)
		if got.StoreKind {
			stored = kind
		}
	}
	see(payloadarch.Single, completed(v1, imageA))
	see(payloadarch.Unknown, partial(v1, imageB))
	see(payloadarch.Multi, partial(v1, imageB))
	see(payloadarch.Multi, partial(v1, imageB))
	see(payloadarch.Multi, completed(v1, imageB))
	see(payloadarch.Multi, completed(v1, imageB))
	want := []string{"KindUnknown", "KindUnknown", "in progress", "in progress", "complete", "KindUnchanged"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("seen differs (-want +got):\n%s", diff)
	}
}
