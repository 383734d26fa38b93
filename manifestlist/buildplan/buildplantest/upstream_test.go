package buildplantest_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

// upstream is what is planned today, as far as it was seen: one job without a node
// selector, NoArch containerfiles only, a name that hashes the whole MachineOSConfig, a
// tag that begins with the pool's name.
func upstream() buildplantest.Impl {
	right := ours.Impl()
	return buildplantest.Impl{Plan: func(f buildplantest.Facts) (buildplantest.Plan, error) {
		f.Config, f.Rendered = f.Config.DeepCopy(), f.Rendered.DeepCopy()
		hashSpec(&f)
		f.Config.Spec.Containerfile = slices.DeleteFunc(f.Config.Spec.Containerfile, func(c mcfgv1.MachineOSContainerfile) bool {
			return c.ContainerfileArch != "" && c.ContainerfileArch != mcfgv1.NoArch
		})
		p, err := right.Plan(f)
		p.Images = p.Images[:min(1, len(p.Images))]
		for n := range p.Images {
			p.Images[n].NodeSelector = nil
			p.Images[n].PushSpec += "-" + f.Config.Spec.MachineConfigPool.Name
		}
		return p, err
	}}
}

// docs/conformance.md lists what upstream fails of the rules of strength Upstream.
func TestWhatUpstreamFails(t *testing.T) {
	report := conformance.Judge(t, buildplantest.Suite(), func(testing.TB) buildplantest.Impl { return upstream() },
		conformance.Options{RuleSet: "v1", Strengths: []conformance.Strength{conformance.StrengthUpstream}})
	var got, want []string
	for _, r := range report.Rules {
		if r.State == conformance.StateFail {
			got = append(got, r.Rule.ID)
		}
	}
	doc, err := os.ReadFile("../../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n### buildplan\n")
	section, _, _ = strings.Cut(section, "\n#")
	for _, cell := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|").FindAllStringSubmatch(section, -1) {
		want = append(want, strings.Split(strings.Trim(cell[1], "`"), "`, `")...)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("upstream fails %q, docs/conformance.md says %q", got, want)
		for _, r := range report.Rules {
			if r.State == conformance.StateFail && !slices.Contains(want, r.Rule.ID) {
				t.Log(r.Failures[0])
			}
		}
	}
}
