package osimagestreamtest_test

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/polyarch/polyarch/osimagestream/conformance"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Wrong implementations fail on purpose, each time in the same way: no file is to
	// keep how, and what is found need not be made small for long.
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.nofailfile": "true", "rapid.shrinktime": "20ms", "rapid.checks": "50"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// notForOthers are rules of what package osimagestream calls its own: the order of its
// lists, its Step and a finding.
var notForOthers = []string{"26", "75", "76", "77", "78", "79", "111"}

// The numbers and sentences are those of osimagestream/doc.go, but for the rules that
// are not for others.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformance.CheckDocumented(osimagestreamtest.Rules(), string(doc), notForOthers...) {
		t.Error(problem)
	}
}

// judged returns the rules at which an implementation fails, sorted.
func judged(t *testing.T, i impl, o osimagestreamtest.Options) (ids []string) {
	t.Helper()
	for _, r := range conformance.Judge(t, osimagestreamtest.Suite(), func(testing.TB) impl { return i }, o).Rules {
		if r.State == conformance.StateFail {
			ids = append(ids, r.Rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func failing(t *testing.T, i impl) []string {
	t.Helper()
	return judged(t, i, osimagestreamtest.Options{RuleSet: "v1"})
}

func TestNoDefect(t *testing.T) {
	if got := failing(t, ours.Impl()); got != nil {
		t.Errorf("ours fails at %v", got)
	}
}

// Who has one function learns of its rules, and that the others are not implemented.
func TestOneFunction(t *testing.T) {
	report := conformance.Judge(t, osimagestreamtest.Suite(), func(testing.TB) impl {
		return impl{BuiltInDefault: ours.Impl().BuiltInDefault}
	}, osimagestreamtest.Options{RuleSet: "v1"})
	for _, r := range report.Rules {
		want := conformance.StateNotImplemented
		if slices.Contains([]string{"54", "55", "56", "57"}, r.Rule.Number) {
			want = conformance.StatePass
		}
		if r.State != want {
			t.Errorf("%s: %s, want %s", r.Rule.ID, r.State, want)
		}
	}
}
