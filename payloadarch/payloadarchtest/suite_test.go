package payloadarchtest_test

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

// With the seed fixed, what a wrong implementation fails at is the same every time.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.nofailfile": "true", "rapid.shrinktime": "1s"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func TestRulesAreThoseOfTheDoc(t *testing.T) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range conformance.CheckDocumented(payloadarchtest.Rules(), string(doc)) {
		t.Error(problem)
	}
}

// The oracle is asked by rule, and a generator draws by rule: each must mean the same.
func TestGeneratorsDrawByRule(t *testing.T) {
	for _, rule := range []string{"no-cluster-version", "unrecognized-architecture", "nothing-desired", "reported-multi", "gate-not-observed",
		"gate-version-unknown", "gate-disabled", "installing-is-single", "updating-is-unknown", "settled-is-single"} {
		t.Run(rule, rapid.MakeCheck(func(t *rapid.T) {
			c := payloadarchtest.ClusterOf(rule).Draw(t, "cluster")
			if got, _ := payloadarchtest.OracleCluster(c); got != rule {
				t.Fatalf("rule %s decides", got)
			}
		}))
	}
	want := map[string]payloadarchtest.Answer{
		"metadata-multi":        {Kind: payloadarchtest.KindMulti},
		"metadata-no-key":       {Kind: payloadarchtest.KindSingle},
		"metadata-other-string": {Kind: payloadarchtest.KindUnknown, Problem: true},
		"metadata-no-string":    {Kind: payloadarchtest.KindUnknown, Problem: true},
		"metadata-key-twice":    {Kind: payloadarchtest.KindUnknown, Problem: true},
		"metadata-key-case":     {Kind: payloadarchtest.KindSingle},
	}
	for rule, want := range want {
		t.Run(rule, rapid.MakeCheck(func(t *rapid.T) {
			got, trouble := payloadarchtest.OracleMetadata([]byte(payloadarchtest.DocumentOf(rule).Draw(t, "document")))
			if got != want || trouble != "" {
				t.Fatalf("%+v, %s; want %+v", got, trouble, want)
			}
		}))
	}
}

// A row and an oracle that disagree would hold an implementation to both.
func TestRowsAgreeWithTheOracles(t *testing.T) {
	for _, c := range payloadarchtest.ClusterCases() {
		if rule, want := payloadarchtest.OracleCluster(c.Cluster); rule != c.Rule || want != c.Want {
			t.Errorf("%s/%s: %s, %+v", c.Rule, c.Name, rule, want)
		}
	}
	for _, c := range payloadarchtest.WithoutGatesCases() {
		if want := payloadarchtest.OracleWithoutGates(c.Cluster.ClusterVersion); want != c.Want {
			t.Errorf("%s/%s: %+v", c.Rule, c.Name, want)
		}
	}
	for _, c := range payloadarchtest.MetadataCases() {
		if want, trouble := payloadarchtest.OracleMetadata([]byte(c.Data)); want != c.Want || (trouble != "") != (c.Rule == "metadata-unreadable") {
			t.Errorf("%s/%s: %+v, %s", c.Rule, c.Name, want, trouble)
		}
	}
	for _, c := range payloadarchtest.ValueCases() {
		if want := payloadarchtest.OracleValue(c.Value, c.Present); want != c.Want {
			t.Errorf("%s/%s: %+v", c.Rule, c.Name, want)
		}
	}
	for _, c := range payloadarchtest.HostedCases() {
		if want, _, _ := payloadarchtest.OracleHosted(c.Facts.PayloadArch, c.Facts.Cluster); want != c.Want {
			t.Errorf("%s/%s: %+v", c.Rule, c.Name, want)
		}
	}
	for _, c := range payloadarchtest.IndexCases() {
		if want := payloadarchtest.OracleIndex(c.Entries); want != c.Want {
			t.Errorf("%s/%s: %+v", c.Rule, c.Name, want)
		}
	}
	for _, c := range payloadarchtest.TransitionCases() {
		change, inProgress, store := payloadarchtest.OracleTransition(c.Facts.Previous, c.Facts.Current, c.Facts.History)
		if change != c.Change || inProgress != c.InProgress || store != c.Store {
			t.Errorf("%s/%s: %s, %v, %v", c.Rule, c.Name, change, inProgress, store)
		}
	}
	for _, c := range payloadarchtest.EditCases() {
		if want := payloadarchtest.OracleAlreadyMulti(c.Edit.Stored, c.Edit.Proposed, c.Edit.Current); want != c.Want {
			t.Errorf("%s/%s: %v", c.Rule, c.Name, want)
		}
	}
}
