package osimagestream_test

import (
	"testing"

	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func TestConformance(t *testing.T) {
	report := osimagestreamtest.Conform(t, func(testing.TB) osimagestreamtest.Impl { return ours.Impl() }, osimagestreamtest.Options{RuleSet: "v1"})
	for _, rule := range report.Rules {
		if !report.Partial && rule.State != "pass" {
			t.Errorf("%s: %s", rule.Rule.ID, rule.State)
		}
	}
}
