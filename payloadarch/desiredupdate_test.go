package payloadarch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestCheckDesiredUpdate(t *testing.T) {
	const (
		updateAt = "clusterversions[version].spec.desiredUpdate"
		askedAt  = updateAt + ".architecture"
	)
	toMulti := &configv1.Update{Architecture: multi, Version: v1}
	already := []finding{{payloadarch.FindingAlreadyMulti, askedAt}}
	for _, tc := range []struct {
		name             string
		stored, proposed *configv1.Update
		current          payloadarch.Kind
		reason           payloadarch.DesiredUpdateReason
		field            string
		findings         []finding
	}{
		{"42: the update is taken back", toMulti, nil, payloadarch.Multi, payloadarch.ReasonNoUpdate, updateAt, nil},
		{"43: an update without architecture", nil, &configv1.Update{Version: v2}, payloadarch.Multi, payloadarch.ReasonMultiNotAsked, askedAt, nil},
		{"44: asked for before and kept", toMulti, toMulti, payloadarch.Multi, payloadarch.ReasonAskedBefore, askedAt, nil},
		{"44: asked for before and kept for the next version", toMulti, &configv1.Update{Architecture: multi, Version: v2}, payloadarch.Multi,
			payloadarch.ReasonAskedBefore, askedAt, nil},
		{"45: Multi while the kind is not known", nil, toMulti, payloadarch.Unknown, payloadarch.ReasonPayloadUnknown, askedAt, nil},
		{"45: Multi while the kind is none", nil, toMulti, payloadarch.Kind(7), payloadarch.ReasonPayloadUnknown, askedAt, nil},
		{"46: Multi on a single cluster", nil, toMulti, payloadarch.Single, payloadarch.ReasonMigration, askedAt, nil},
		{"47: Multi on a multi cluster (OCPBUGS-8247)", nil, toMulti, payloadarch.Multi, payloadarch.ReasonAlreadyMulti, askedAt, already},
		{"47: in place of another update", &configv1.Update{Version: v1, Image: imageA}, toMulti, payloadarch.Multi,
			payloadarch.ReasonAlreadyMulti, askedAt, already},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := payloadarch.CheckDesiredUpdate(tc.stored, tc.proposed, tc.current)
			if got.Reason != tc.reason || got.Field != tc.field {
				t.Errorf("%s at %s, want %s at %s", got.Reason, got.Field, tc.reason, tc.field)
			}
			if diff := cmp.Diff(tc.findings, findingsOf(t, got.Findings)); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever the update, there is a finding if and only if Multi is newly asked for
// on a multi cluster.
func TestCheckDesiredUpdateAgainstOracle(t *testing.T) {
	updates := []*configv1.Update{nil, {}, {Version: v1}, {Architecture: multi}, {Architecture: multi, Version: v2}, {Architecture: "multi"}}
	for _, stored := range updates {
		for _, proposed := range updates {
			for _, kind := range []payloadarch.Kind{payloadarch.Unknown, payloadarch.Single, payloadarch.Multi} {
				asks := func(u *configv1.Update) bool { return u != nil && u.Architecture == "Multi" }
				want := asks(proposed) && !asks(stored) && kind == payloadarch.Multi
				got := payloadarch.CheckDesiredUpdate(stored, proposed, kind)
				if (len(got.Findings) == 1) != want || got.Reason == "" {
					t.Errorf("CheckDesiredUpdate(%+v, %+v, %v) = %+v; a finding: %v", stored, proposed, kind, got, want)
				}
			}
		}
	}
}
