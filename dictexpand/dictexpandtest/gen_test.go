package dictexpandtest_test

import (
	"math"
	"slices"
	"testing"

	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// The generators draw what doc.go says, within the luck of 2000 draws.
func TestDistribution(t *testing.T) {
	const draws = 2000
	share := func(name string, want float64, hit func(seed int) bool) {
		t.Helper()
		n := 0
		for seed := range draws {
			if hit(seed) {
				n++
			}
		}
		if got := float64(n) / draws; math.Abs(got-want) > 0.05 {
			t.Errorf("%s: %.3f of the draws, want %.2f", name, got, want)
		}
	}
	one := dictexpandtest.AnyTemplate()
	share("AnyTemplate, in another namespace", 0.2, func(seed int) bool { return one.Example(seed).Namespace == "custom" })
	share("AnyTemplate, retentionPolicy None", 0.25, func(seed int) bool {
		p := one.Example(seed).Spec.RetentionPolicy
		return p != nil && *p == "None"
	})
	share("AnyTemplate, without a source", 0.17, func(seed int) bool { return one.Example(seed).Spec.Template.Spec.Source == nil })
	cluster := dictexpandtest.AnyCluster()
	share("AnyCluster, several architectures", 0.75, func(seed int) bool { return cluster.Example(seed).MultiArch })
	share("AnyCluster, incomplete", 0.2, func(seed int) bool { return cluster.Example(seed).Incomplete })
	share("AnyCluster, DataSources of the operator's own", 0.5, func(seed int) bool { return cluster.Example(seed).Made != nil })
	sound := dictexpandtest.Templates()
	for seed := range draws {
		templates := sound.Example(seed)
		c := dictexpandtest.TwoArchitectures()
		c.Supported, c.Architectures = nil, []string{"amd64", "arm64", "ppc64le", "s390x"}
		want := 0
		for _, x := range templates {
			want += max(1, len(dictexpandtest.Oracle().Architectures(x.Annotations[architectures])))
		}
		if e := dictexpandtest.Oracle().Expand(templates, c); len(e.Crons) != want {
			t.Fatalf("Templates draws something that gives %d crons, want %d", len(e.Crons), want)
		}
	}
}

// Histories hold what costs images: edits after something has settled, and runs that fail
// half-way.
func TestHistoriesAreEventful(t *testing.T) {
	edits := []dictexpandtest.Verb{
		dictexpandtest.VerbRename, dictexpandtest.VerbAnnotate, dictexpandtest.VerbAim, dictexpandtest.VerbSchedule, dictexpandtest.VerbRetain,
	}
	edited, failing, wrote := 0, 0, 0
	histories := dictexpandtest.Histories()
	for seed := range 300 {
		h := histories.Example(seed)
		if i := slices.IndexFunc(h.Events, func(e dictexpandtest.Event) bool { return slices.Contains(edits, e.Verb) }); i >= 0 &&
			slices.ContainsFunc(h.Events[i:], func(e dictexpandtest.Event) bool {
				return e.Verb == dictexpandtest.VerbReconcile || e.Verb == dictexpandtest.VerbQuiet
			}) {
			edited++
		}
		if slices.ContainsFunc(h.Events, func(e dictexpandtest.Event) bool { return e.Verb == dictexpandtest.VerbReconcile && e.Fails != 0 }) {
			failing++
		}
		deleted := false
		h.Play(func() dictexpandtest.Impl {
			return dictexpandtest.Impl{Reconcile: func(client *dictexpandtest.Client, templates []template, c cluster) error {
				before := len(client.Crons())
				err := ours.Impl().Reconcile(client, templates, c)
				deleted = deleted || len(client.Crons()) < before
				return err
			}}
		})
		if deleted {
			wrote++
		}
	}
	if edited < 100 || failing < 100 || wrote < 100 {
		t.Errorf("of 300 histories, %d run after an edit, %d with writes that fail, and in %d crons go", edited, failing, wrote)
	}
}
