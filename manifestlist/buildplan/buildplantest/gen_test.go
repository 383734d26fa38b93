package buildplantest_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

// The generators draw what doc.go says.
func TestDistribution(t *testing.T) {
	const draws = 1000
	facts, met := rapid.Custom(buildplantest.DrawFacts), map[string]int{}
	for seed := range draws {
		f := facts.Example(seed)
		entries := f.Config.Spec.Containerfile
		if n := len(f.Architectures); n < 1 || n > 4 || len(entries) > 4 || len(f.Rendered.Spec.Extensions) > 3 {
			t.Fatalf("draws %+v", f)
		}
		seen := map[mcfgv1.ContainerfileArch]bool{}
		for _, e := range entries {
			if seen[e.ContainerfileArch] {
				t.Fatalf("two entries for %q", e.ContainerfileArch)
			}
			seen[e.ContainerfileArch] = true
		}
		count := func(what string, is bool) {
			if is {
				met[what]++
			}
		}
		some := func(holds func(string) bool) bool {
			return slices.ContainsFunc(entries, func(e mcfgv1.MachineOSContainerfile) bool { return holds(e.Content) })
		}
		count("one architecture", len(f.Architectures) == 1)
		count("four architectures", len(f.Architectures) == 4)
		count("no entry", len(entries) == 0)
		count("an entry for all", seen[""] || seen[mcfgv1.NoArch])
		count("an entry for arm64", seen[mcfgv1.Arm64])
		count("empty is NoArch", seen[""])
		count("CRLF", some(func(s string) bool { return strings.Contains(s, "\r\n") }))
		count("a lone CR", some(func(s string) bool { return strings.Contains(strings.ReplaceAll(s, "\r\n", ""), "\r") }))
		count("a newline at the end", some(func(s string) bool { return strings.HasSuffix(s, "\n") }))
		count("realtime", f.Rendered.Spec.KernelType == "realtime")
		extensions := slices.Sorted(slices.Values(f.Rendered.Spec.Extensions))
		count("an extension twice", len(slices.Compact(slices.Clone(extensions))) < len(extensions))
	}
	for _, what := range []string{"one architecture", "four architectures", "no entry", "an entry for all", "an entry for arm64", "empty is NoArch", "CRLF",
		"a lone CR", "a newline at the end", "realtime", "an extension twice"} {
		if met[what] < draws/50 {
			t.Errorf("%s: %d of %d draws", what, met[what], draws)
		}
	}
	names := rapid.Custom(func(t *rapid.T) string { return buildplantest.DrawName(t, "name") })
	long, dots := 0, 0
	for seed := range draws {
		name := names.Example(seed)
		if len(name) > 63 {
			long++
		}
		if strings.Contains(name, ".") {
			dots++
		}
	}
	if long < draws/3 || dots < draws/4 {
		t.Errorf("%d of %d names are longer than a label, %d have dots", long, draws, dots)
	}
}

// What is drawn as a push spec is one that the CRDs take, also by digest.
func TestPushSpecsAreLegal(t *testing.T) {
	specs := rapid.Custom(buildplantest.DrawPushSpec)
	for seed := range 1000 {
		spec := specs.Example(seed)
		repository := spec[:strings.LastIndexByte(spec, ':')]
		if !buildplantest.LegalPullSpec(repository + "@" + buildplantest.Digest("x")) {
			t.Errorf("%q has no form by digest", spec)
		}
	}
}

// Histories come to every end and hold for a registry that does not answer, and package
// buildplan breaks no rule in any.
func TestHistoriesAreEventful(t *testing.T) {
	const draws = 1000
	ends, held, steps := map[buildplantest.End]float64{}, 0.0, 0.0
	verbs := map[buildplantest.Verb]float64{}
	histories := rapid.Custom(buildplantest.DrawHistory)
	for seed := range draws {
		h := histories.Example(seed)
		p := h.Play(ours.Impl)
		if len(p.Broken) > 0 {
			t.Fatalf("%+v breaks %v", h, p.Broken)
		}
		ends[p.End]++
		if p.Held {
			held++
		}
		for _, s := range h.Steps {
			verbs[s.Verb]++
			steps++
		}
	}
	about := func(what string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s: %.3f, want about %.3f", what, got, want)
		}
	}
	about("steps", steps/draws, 20, 5)
	about("done", ends[buildplantest.EndDone]/draws, 0.75, 0.1)
	about("blocked", ends[buildplantest.EndBlocked]/draws, 0.125, 0.06)
	about("given up", ends[buildplantest.EndGaveUp]/draws, 0.125, 0.06)
	about("held", held/draws, 0.125, 0.06)
	about("the operator writes", verbs[buildplantest.VerbReconcile]/steps, 0.27, 0.05)
	about("a job succeeds", verbs[buildplantest.VerbSucceed]/steps, 0.27, 0.05)
	if len(verbs) != 19 {
		t.Errorf("verbs %v", verbs)
	}
	for v, n := range verbs {
		if n/steps < 1.0/60 {
			t.Errorf("%s: %.0f of %.0f steps", v, n, steps)
		}
	}
}

// An implementation of nothing is held to nothing, and said so of.
func TestNothingIsImplemented(t *testing.T) {
	report := judgeAll(t, buildplantest.Impl{})
	if n := report.Count("not implemented"); n != len(report.Rules) {
		t.Errorf("%d of %d rules are not implemented", n, len(report.Rules))
	}
}
