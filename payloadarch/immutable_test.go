package payloadarch_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

// Each decision is made twice over equal arguments. The arguments must come out
// as they went in, and the first answer must stay what it is after its arguments
// have been overwritten.

func TestFromClusterVersionKeepsNothing(t *testing.T) {
	for _, arch := range []configv1.ClusterVersionArchitecture{"", multi, "bad"} {
		cv, gates := clusterVersion(arch, v1, imageA, completed(v1, imageA)), featureGate(enabled(v1), disabled(v2))
		keepsNothing(t, func() any { return payloadarch.FromClusterVersion(cv, gates) },
			func() any { return []any{cv.DeepCopy(), gates.DeepCopy()} },
			func() {
				cv.Status.Desired = configv1.Release{Architecture: "scribble", Version: "scribble"}
				cv.Status.History[0] = configv1.UpdateHistory{}
				gates.Status.FeatureGates[0].Enabled[1].Name = "scribble"
			})
	}
}

func TestFromHostedKeepsNothing(t *testing.T) {
	cv, gates := clusterVersion("", v1, imageA, completed(v1, imageA)), featureGate(enabled(v1))
	keepsNothing(t, func() any { return payloadarch.FromHosted("Multi", cv, gates) },
		func() any { return []any{cv.DeepCopy(), gates.DeepCopy()} },
		func() {
			cv.Status.History[0] = configv1.UpdateHistory{}
			gates.Status.FeatureGates[0].Version = "scribble"
		})
}

func TestFromReleaseMetadataKeepsNothing(t *testing.T) {
	for _, doc := range []string{
		document(`"release.openshift.io/architecture":"Multi"`),
		document(`"release.openshift.io/architecture":[1]`),
		`{"kind":"another"}`, `{"metadata":"x"}`, `{]`,
	} {
		data := []byte(doc)
		keepsNothing(t, func() any {
			v, err := payloadarch.FromReleaseMetadata(data)
			text := ""
			if err != nil {
				text = err.Error()
			}
			return []any{v, text}
		}, func() any { return string(data) }, func() { clear(data) })
	}
}

func TestFromIndexKeepsNothing(t *testing.T) {
	all := entries(linux("x86_64"), entry("windows", "amd64"), linux("mips"), attestation())
	keepsNothing(t, func() any { return payloadarch.FromIndex(all) },
		func() any { return slices.Clone(all) },
		func() { clear(all) })
}

func TestTransitionKeepsNothing(t *testing.T) {
	history := []configv1.UpdateHistory{partial(v1, imageB), completed(v1, imageA)}
	stored, proposed := &configv1.Update{Version: v1}, &configv1.Update{Architecture: multi, Version: v1}
	keepsNothing(t, func() any {
		return []any{
			payloadarch.TransitionOf(payloadarch.Single, payloadarch.Verdict{Kind: payloadarch.Multi}, history),
			payloadarch.CheckDesiredUpdate(stored, proposed, payloadarch.Multi),
		}
	},
		func() any { return []any{append([]configv1.UpdateHistory(nil), history...), *stored, *proposed} },
		func() { clear(history); *stored, *proposed = configv1.Update{}, configv1.Update{} })
}

// keepsNothing runs decide over arguments that snapshot copies and scribble
// overwrites.
func keepsNothing(t *testing.T, decide, snapshot func() any, scribble func()) {
	t.Helper()
	before := snapshot()
	first, second := decide(), decide()
	if diff := cmp.Diff(before, snapshot()); diff != "" {
		t.Errorf("an argument was changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("two answers differ:\n%s", diff)
	}
	text := asText(t, first)
	scribble()
	if diff := cmp.Diff(text, asText(t, first)); diff != "" {
		t.Errorf("the answer changed with its arguments:\n%s", diff)
	}
}

func asText(t *testing.T, answer any) string {
	t.Helper()
	data, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
