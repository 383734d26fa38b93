package nodearch_test

import (
	"testing"

	"github.com/polyarch/polyarch/payloadarch/nodearch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

func TestConform(t *testing.T) {
	report := nodearchtest.Conform(t, func(testing.TB) nodearchtest.Impl { return ours.Impl() }, nodearchtest.Options{RuleSet: "v1"})
	if n := report.Count("not implemented"); n > 0 {
		t.Errorf("%d rules are not implemented", n)
	}
}
