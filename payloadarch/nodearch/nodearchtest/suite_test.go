package nodearchtest_test

import (
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/payloadarch/nodearch/nodearchtest"
)

// With the seed fixed, what a wrong implementation fails at is the same every time.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.nofailfile": "true", "rapid.shrinktime": "100ms"} {
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
	for _, problem := range conformance.CheckDocumented(nodearchtest.Rules(), string(doc)) {
		t.Error(problem)
	}
}

// The oracle is asked by rule, and a generator draws by rule: each must mean the same.
func TestGeneratorsDrawByRule(t *testing.T) {
	for _, rule := range []string{"no-pool-for-other-systems", "two-custom-pools", "master-first", "custom-before-worker", "worker-last", "no-pool"} {
		t.Run(rule, rapid.MakeCheck(func(t *rapid.T) {
			if got, _ := nodearchtest.OraclePool(nodearchtest.PlacementOf(rule).Draw(t, "placement")); got != rule {
				t.Fatalf("rule %s decides", got)
			}
		}))
	}
	for name, of := range map[string]struct {
		values *rapid.Generator[string]
		is     func(written, read string) bool
	}{
		"known":       {nodearchtest.KnownArchitectures(), func(written, read string) bool { return read == written }},
		"other":       {nodearchtest.OtherSpellings(), func(written, read string) bool { return read != "" && read != written }},
		"other token": {nodearchtest.OtherTokens(), func(written, read string) bool { return read == written }},
		"malformed":   {nodearchtest.Malformed(), func(_, read string) bool { return read == "" }},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			value := of.values.Draw(t, "value")
			if read := nodearchtest.OracleArchitecture(nodearchtest.Node("a", value)); !of.is(value, read) {
				t.Fatalf("%q is read as %q", value, read)
			}
		}))
	}
}

// A row and an oracle that disagree would hold an implementation to both.
func TestRowsAgreeWithTheOracles(t *testing.T) {
	for _, c := range nodearchtest.NodeCases() {
		if got := nodearchtest.OracleArchitecture(c.Node); got != c.Want {
			t.Errorf("%s/%s: %q", c.Rule, c.Name, got)
		}
	}
	for _, c := range nodearchtest.ClusterCases() {
		n := nodearchtest.OracleNodes(c.Nodes)
		got := map[string][]string{"All": n.All, "ControlPlane": n.ControlPlane, "Workload": n.Workload}[c.Of]
		if got == nil {
			got = n.Other[c.Of]
		}
		slices.Sort(got)
		if !slices.Equal(slices.Compact(got), c.Want) {
			t.Errorf("%s/%s: %q", c.Rule, c.Name, got)
		}
	}
	for _, c := range nodearchtest.HeterogeneousCases() {
		if got := nodearchtest.OracleNodes(c.Nodes).Heterogeneous; got != c.Want {
			t.Errorf("%s: %v", c.Name, got)
		}
	}
	for _, c := range nodearchtest.CompleteCases() {
		if got := nodearchtest.OracleNodes(c.Nodes).Complete; c.Pool == "" && got != c.Want {
			t.Errorf("%s/%s: %v", c.Rule, c.Name, got)
		}
	}
	for _, c := range nodearchtest.PlacementCases() {
		if rule, got := nodearchtest.OraclePool(c.Placement); got != c.Want {
			t.Errorf("%s/%s: %q by %s", c.Rule, c.Name, got, rule)
		}
	}
}

// The generators draw what doc.go says, within the luck of 2000 draws.
func TestDistribution(t *testing.T) {
	const draws = 2000
	share := func(what string, want float64, n, of int) {
		t.Helper()
		if got := float64(n) / float64(of); math.Abs(got-want) > 0.06 {
			t.Errorf("%s: %.3f, want about %.2f", what, got, want)
		}
	}
	architectures, known := nodearchtest.Architectures(), 0
	for seed := range draws {
		if slices.Contains([]string{"amd64", "arm64", "ppc64le", "s390x"}, architectures.Example(seed)) {
			known++
		}
	}
	share("Architectures, of the payload", 0.75, known, draws)

	plain, nodes, heterogeneous := nodearchtest.PlainNodes(), 0, 0
	sorts := map[string]int{}
	for seed := range draws {
		list := plain.Example(seed)
		if len(list) < 1 || len(list) > 8 || !nodearchtest.OracleNodes(list).Complete {
			t.Fatalf("PlainNodes draws %v", list)
		}
		if nodearchtest.OracleNodes(list).Heterogeneous {
			heterogeneous++
		}
		for i := range list {
			nodes++
			n := nodearchtest.OracleNodes(list[i : i+1])
			switch {
			case len(n.Other) > 0:
				sorts["other"]++
			case len(n.Workload) == 0:
				sorts["closed"]++
			case len(n.ControlPlane) > 0:
				sorts["open"]++
			default:
				sorts["worker"]++
			}
		}
	}
	for _, sort := range []string{"closed", "open", "worker", "other"} {
		share("PlainNodes, "+sort, 0.25, sorts[sort], nodes)
	}
	if heterogeneous < draws/4 || heterogeneous > draws*9/10 {
		t.Errorf("PlainNodes: %d of %d clusters are heterogeneous", heterogeneous, draws)
	}

	wild, labels, incomplete, all := nodearchtest.AnyNodes(), 0, 0, 0
	for seed := range draws {
		list := wild.Example(seed)
		if len(list) > 6 {
			t.Fatalf("AnyNodes draws %d nodes", len(list))
		}
		for i := range list {
			all++
			if list[i].Labels != nil {
				labels++
			}
			if !nodearchtest.OracleNodes([]corev1.Node{list[i]}).Complete {
				incomplete++
			}
		}
	}
	share("AnyNodes, labels", 0.5, labels, all)
	if incomplete < all/10 {
		t.Errorf("AnyNodes: %d of %d nodes have told nothing", incomplete, all)
	}
	pools, readable, unreadable := nodearchtest.AnyPools(), 0, 0
	for seed := range draws {
		for _, p := range pools.Example(seed) {
			if len(p.Selector.MatchExpressions) > 0 {
				unreadable++
			} else {
				readable++
			}
		}
	}
	share("AnyPools, unreadable", 0.1, unreadable, readable+unreadable)
}
