package buildplan_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

func TestConformance(t *testing.T) {
	buildplantest.Conform(t, func(testing.TB) buildplantest.Impl { return ours.Impl() }, conformance.Options{RuleSet: "v1"})
}

// notForOthers are rules about what this package calls its own states, reasons and
// findings (3 to 62 and 72), how it records what was made in annotations (23, 86), how
// it writes a status (73 to 85), and what order its writes have (92).
var notForOthers = []string{
	"3", "4", "7", "8", "23", "24", "25", "26", "27", "28", "29", "31", "33", "36", "38", "39", "40", "41", "42", "43", "44", "45",
	"46", "47", "48", "49", "50", "51", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "66", "71", "72", "73", "74",
	"75", "76", "77", "78", "79", "80", "81", "82", "83", "84", "85", "86", "92",
}

// The rules of the test package are those of doc.go, but for ours alone.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	rules := buildplantest.Rules()
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
