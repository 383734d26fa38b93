package buildplan

import (
	"errors"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

func TestPullSpec(t *testing.T) {
	digest := digestText("x")
	for _, tc := range []struct {
		name, pushSpec, digest string
		want                   string // empty: refused
	}{
		{"81: no path level", "quay.io/os:v1", digest, "quay.io/os@" + digest},
		{"81: one path level", "quay.io/org/os:v1", digest, "quay.io/org/os@" + digest},
		{"81: port", "registry.example.com:5000/org/os:v1", digest, "registry.example.com:5000/org/os@" + digest},
		{"81: loopback address", "127.0.0.1:41234/ns/os:v1", digest, "127.0.0.1:41234/ns/os@" + digest},
		{"81: service", "image-registry.openshift-image-registry.svc:5000/ns/os:v1", digest, "image-registry.openshift-image-registry.svc:5000/ns/os@" + digest},
		{"81: name with dots", "quay.io/org/os.image-1_2:v1", digest, "quay.io/org/os.image-1_2@" + digest},
		{"81: path level of 61", "quay.io/" + strings.Repeat("a", 61) + "/os:v1", digest, "quay.io/" + strings.Repeat("a", 61) + "/os@" + digest},
		{"81: path level of 62", "quay.io/" + strings.Repeat("a", 62) + "/os:v1", digest, ""},
		{"81: two path levels", "quay.io/org/team/os:v1", digest, ""},
		{"81: path level with a dot", "quay.io/org.team/os:v1", digest, ""},
		{"81: host without a dot", "localhost:5000/os:v1", digest, ""},
		{"81: host ends in a dot", "quay.io./os:v1", digest, ""},
		{"81: port of one digit", "quay.io:5/os:v1", digest, ""},
		{"81: port of six digits", "quay.io:123456/os:v1", digest, ""},
		{"81: port of letters", "quay.io:http/os:v1", digest, ""},
		{"81: no port after the colon", "quay.io:/os:v1", digest, ""},
		{"81: no path", "quay.io:5000", digest, ""},
		{"81: empty name, which the CRD takes", "quay.io/org/:v1", digest, ""},
		{"81: empty path level, which the CRD takes", "quay.io//os:v1", digest, ""},
		{"81: empty", "", digest, ""},
		{"81: fits with the digest", "quay.io/" + strings.Repeat("a", 447-8-72) + ":v1", digest, "quay.io/" + strings.Repeat("a", 447-8-72) + "@" + digest},
		{"81: too long with the digest", "quay.io/" + strings.Repeat("a", 447-8-71) + ":v1", digest, ""},
		{"81: short digest", "quay.io/os:v1", "sha256:abc", ""},
		{"81: upper-case digest", "quay.io/os:v1", strings.ToUpper(digest), ""},
		{"81: pull spec for a digest", "quay.io/os:v1", "quay.io/os@" + digest, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := PullSpec(mcfgv1.ImageTagFormat(tc.pushSpec), tc.digest)
			if string(got) != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			var input *InputError
			if (tc.want == "") != errors.As(err, &input) {
				t.Errorf("error %v", err)
			}
			if got != "" && !legalPullSpec(string(got)) {
				t.Errorf("the CRD refuses %q", got)
			}
		})
	}
}

// What the CRD takes as a push spec and refuses by digest is told beforehand.
func TestPushSpecIsToldBeforeAnyJob(t *testing.T) {
	t.Run("25,55: what the CRD takes as a push spec", func(t *testing.T) {
		for _, spec := range []string{
			"quay.io/org/team/os:v1",
			"a.b.svc:5000/one/two.three:v1",
			"a.b.svc:5000/ns.dotted/os:v1",
			"a.b.svc:5/ns/os:v1",
			"quay.io/" + strings.Repeat("a", 400) + ":v1",
		} {
			f := factsFor("amd64", "arm64")
			f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(spec)
			if !legalPushSpec(spec) {
				t.Fatalf("the CRD refuses %s as a push spec: a useless row", spec)
			}
			repository, _ := splitTag(spec)
			b := mustPlan(t, f)
			blocked := b.Next == NextBlocked && b.Reason == ReasonProblems
			if legal := legalPullSpec(repository + "@" + digestText("x")); legal == blocked {
				t.Errorf("%s: legal by digest %v, but %s", spec, legal, b.Next)
			}
			for _, img := range b.Images {
				if blocked && img.State != StateHold {
					t.Errorf("%s: %s for %s", spec, img.State, img.Architecture)
				}
			}
		}
	})
}
