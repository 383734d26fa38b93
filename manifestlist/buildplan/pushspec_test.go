package buildplan

import (
	"errors"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

func TestPullSpec(t *testing.T) {
	for _, c := range buildplantest.PullSpecCases() {
		t.Run("91: "+c.Name, func(t *testing.T) {
			got, err := PullSpec(mcfgv1.ImageTagFormat(c.PushSpec), c.Digest)
			var input *InputError
			if (c.Want == "") != errors.As(err, &input) {
				t.Errorf("error %v", err)
			}
			if got != "" && !buildplantest.LegalPullSpec(string(got)) {
				t.Errorf("the CRD refuses %q", got)
			}
		})
	}
}

// Where jobs push to is checked before any of them runs.
func TestBuildRepository(t *testing.T) {
	for _, c := range buildplantest.RepositoryCases() {
		t.Run("64: "+c.Name, func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			f.BuildRepository = c.Repository
			b := mustPlan(t, f)
			if !c.Taken && (b.Next != NextBlocked || len(b.Problems) != 1 || b.Problems[0].Field != "buildRepository") {
				t.Errorf("%s %v, want Blocked by buildRepository", b.Next, b.Problems)
			}
		})
	}
}

// What the CRD takes as a push spec and refuses by digest is told beforehand.
func TestPushSpecIsToldBeforeAnyJob(t *testing.T) {
	told := 0
	for _, c := range buildplantest.InputCases() {
		if c.Rule != "push-spec-has-a-form-by-digest" {
			continue
		}
		t.Run("26,63: "+c.Name, func(t *testing.T) {
			spec := string(c.Facts.Config.Spec.RenderedImagePushSpec)
			if !buildplantest.LegalPushSpec(spec) {
				t.Fatalf("the CRD refuses %s as a push spec: a useless row", spec)
			}
			repository, _ := splitTag(spec)
			if legal := buildplantest.LegalPullSpec(repository + "@" + buildplantest.Digest("x")); legal != c.Taken {
				t.Errorf("%s: legal by digest %v, taken %v", spec, legal, c.Taken)
			}
			f := factsFor("amd64", "arm64")
			f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(spec)
			b := mustPlan(t, f)
			if c.Taken {
				return
			}
			told++
			if b.Reason != ReasonProblems || strings.Contains(states(b), "Run") {
				t.Errorf("%s: %s", b.Reason, states(b))
			}
		})
	}
	if told == 0 {
		t.Error("no push spec was refused")
	}
}
