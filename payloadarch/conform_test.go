package payloadarch_test

import (
	"testing"

	"github.com/polyarch/polyarch/payloadarch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func TestConform(t *testing.T) {
	report := payloadarchtest.Conform(t, func(testing.TB) payloadarchtest.Impl { return ours.Impl() },
		payloadarchtest.Options{RuleSet: "v1"})
	if n := report.Count("not implemented"); n > 0 {
		t.Errorf("%d rules are not implemented", n)
	}
}
