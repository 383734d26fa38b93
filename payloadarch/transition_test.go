package payloadarch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestTransitionOf(t *testing.T) {
	const stateAt = "status.history[0].state"
	updating := []configv1.UpdateHistory{partial(v1, imageB), completed(v1, imageA)}
	done := []configv1.UpdateHistory{completed(v1, imageB), completed(v1, imageA)}
	changed := func(c payloadarch.Change, inProgress bool) payloadarch.Transition {
		return payloadarch.Transition{Change: c, InProgress: inProgress, Reason: payloadarch.ReasonKindChanged, Field: stateAt}
	}
	unknown := payloadarch.Transition{Reason: payloadarch.ReasonKindUnknown}
	unchanged := payloadarch.Transition{Reason: payloadarch.ReasonKindUnchanged}
	for _, tc := range []struct {
		name              string
		previous, current payloadarch.Kind
		history           []configv1.UpdateHistory
		want              payloadarch.Transition
	}{
		{"rule 21: both unknown", payloadarch.Unknown, payloadarch.Unknown, done, unknown},
		{"rule 21: nothing seen before", payloadarch.Unknown, payloadarch.Multi, done, unknown},
		{"rule 21: not known now", payloadarch.Multi, payloadarch.Unknown, updating, unknown},
		{"rule 22: the same version with another image is no evidence (a re-spin)", payloadarch.Single, payloadarch.Single, done, unchanged},
		{"rule 22: the same kind during an update", payloadarch.Multi, payloadarch.Multi, updating, unchanged},
		{"rules 23 and 25: in progress (OCPBUGS-10300)", payloadarch.Single, payloadarch.Multi, updating, changed(payloadarch.SingleToMulti, true)},
		{"rules 23 and 25: complete", payloadarch.Single, payloadarch.Multi, done, changed(payloadarch.SingleToMulti, false)},
		{"rules 24 and 25: in progress", payloadarch.Multi, payloadarch.Single, updating, changed(payloadarch.MultiToSingle, true)},
		{"rules 24 and 25: complete", payloadarch.Multi, payloadarch.Single, done, changed(payloadarch.MultiToSingle, false)},
		{"rule 25: no history", payloadarch.Single, payloadarch.Multi, nil,
			payloadarch.Transition{Change: payloadarch.SingleToMulti, Reason: payloadarch.ReasonKindChanged, Field: "status.history"}},
		{"rule 25: only the newest entry counts", payloadarch.Single, payloadarch.Multi,
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

func TestCheckDesiredUpdate(t *testing.T) {
	toMulti := &configv1.Update{Architecture: multi, Version: v1}
	already := []finding{{payloadarch.FindingAlreadyMulti, "spec.desiredUpdate.architecture"}}
	for _, tc := range []struct {
		name             string
		stored, proposed *configv1.Update
		current          payloadarch.Kind
		want             []finding
	}{
		{"rule 26: Multi on a multi cluster (OCPBUGS-8247)", nil, toMulti, payloadarch.Multi, already},
		{"rule 26: in place of another update", &configv1.Update{Version: v1, Image: imageA}, toMulti, payloadarch.Multi, already},
		{"rule 26: Multi on a single cluster", nil, toMulti, payloadarch.Single, nil},
		{"rule 26: Multi while the kind is not known", nil, toMulti, payloadarch.Unknown, nil},
		{"rule 26: asked for before and kept", toMulti, toMulti, payloadarch.Multi, nil},
		{"rule 26: asked for before and kept for the next version", toMulti, &configv1.Update{Architecture: multi, Version: v2}, payloadarch.Multi, nil},
		{"rule 26: an update without architecture", nil, &configv1.Update{Version: v2}, payloadarch.Multi, nil},
		{"rule 26: the update is taken back", toMulti, nil, payloadarch.Multi, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := findingsOf(t, payloadarch.CheckDesiredUpdate(tc.stored, tc.proposed, tc.current))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
}
