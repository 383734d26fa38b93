package payloadarch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func TestCheckDesiredUpdate(t *testing.T) {
	const (
		updateAt = "clusterversions[version].spec.desiredUpdate"
		askedAt  = updateAt + ".architecture"
	)
	reasons := map[string]payloadarch.DesiredUpdateReason{
		"edit-no-update":       payloadarch.ReasonNoUpdate,
		"edit-multi-not-asked": payloadarch.ReasonMultiNotAsked,
		"edit-asked-before":    payloadarch.ReasonAskedBefore,
		"edit-payload-unknown": payloadarch.ReasonPayloadUnknown,
		"edit-migration":       payloadarch.ReasonMigration,
		"edit-already-multi":   payloadarch.ReasonAlreadyMulti,
	}
	for _, c := range payloadarchtest.EditCases() {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			at := askedAt
			if c.Edit.Proposed == nil {
				at = updateAt
			}
			var findings []finding
			if c.Want {
				findings = []finding{{payloadarch.FindingAlreadyMulti, askedAt}}
			}
			got := payloadarch.CheckDesiredUpdate(c.Edit.Stored, c.Edit.Proposed, kindOf(c.Edit.Current))
			if got.Reason != reasons[c.Rule] || got.Field != at {
				t.Errorf("%s at %s, want %s at %s", got.Reason, got.Field, reasons[c.Rule], at)
			}
			if diff := cmp.Diff(findings, findingsOf(t, got.Findings)); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("45: Multi while the kind is none", func(t *testing.T) {
		got := payloadarch.CheckDesiredUpdate(nil, &configv1.Update{Architecture: multi}, payloadarch.Kind(7))
		if got.Reason != payloadarch.ReasonPayloadUnknown || len(got.Findings) > 0 {
			t.Errorf("%+v", got)
		}
	})
}
