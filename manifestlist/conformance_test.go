package manifestlist_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/manifestlist/internal/ours"
	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func TestConformance(t *testing.T) {
	manifestlisttest.Conform(t, func(testing.TB) manifestlisttest.Impl { return ours.Impl() }, conformance.Options{RuleSet: "v1"})
}

// notForOthers are rules about what this package calls its own options, errors,
// findings, reasons and policies.
var notForOthers = []string{"A16", "A17", "A18", "S6", "S7"}

// The rules of the test package are those of doc.go, but for ours alone.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	rules := manifestlisttest.Rules()
	for _, r := range rules {
		if slices.Contains(notForOthers, r.Number) {
			t.Errorf("%s is for others too: rule %s", r.Number, r.ID)
		}
	}
	mine := regexp.MustCompile(`^doc\.go has a rule (\w+) that`)
	missing := slices.Clone(notForOthers)
	for _, p := range conformance.CheckDocumented(rules, string(doc)) {
		m := mine.FindStringSubmatch(p)
		if m != nil && slices.Contains(notForOthers, m[1]) {
			missing = slices.DeleteFunc(missing, func(n string) bool { return n == m[1] })
			continue
		}
		t.Error(p)
	}
	if len(missing) > 0 {
		t.Errorf("doc.go does not have %s", strings.Join(missing, ", "))
	}
}
