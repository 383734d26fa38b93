package payloadarch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func TestTransitionOf(t *testing.T) {
	for _, c := range payloadarchtest.TransitionCases() {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			want := payloadarch.Transition{InProgress: c.InProgress, StoreKind: c.Store}
			switch c.Rule {
			case "unknown-is-no-change":
				want.Reason = payloadarch.ReasonKindUnknown
			case "same-kind-is-no-change":
				want.Reason = payloadarch.ReasonKindUnchanged
			default:
				want.Reason, want.Field = payloadarch.ReasonKindChanged, stateAt
				if len(c.Facts.History) == 0 {
					want.Field = "clusterversions[version].status.history"
				}
				want.Change = map[string]payloadarch.Change{"single-to-multi": payloadarch.SingleToMulti, "multi-to-single": payloadarch.MultiToSingle}[c.Rule]
			}
			got := payloadarch.TransitionOf(kindOf(c.Facts.Previous), ours.Verdict(c.Facts.Current), c.Facts.History)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("transition differs (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("36,41: not a kind", func(t *testing.T) {
		got := payloadarch.TransitionOf(payloadarch.Single, payloadarch.Verdict{Kind: 7}, nil)
		if diff := cmp.Diff(payloadarch.Transition{Reason: payloadarch.ReasonKindUnknown}, got); diff != "" {
			t.Errorf("transition differs (-want +got):\n%s", diff)
		}
	})
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
