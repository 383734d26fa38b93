package dictexpand_test

import (
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

func TestConformance(t *testing.T) {
	report := dictexpandtest.Conform(t, func(testing.TB) dictexpandtest.Impl { return ours.Impl() }, conformance.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if !report.Partial && rule.State != conformance.StatePass {
			t.Errorf("%s: %s", rule.Rule.ID, rule.State)
		}
	}
}
