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
		{"91: no path level", "quay.io/os:v1", digest, "quay.io/os@" + digest},
		{"91: one path level", "quay.io/org/os:v1", digest, "quay.io/org/os@" + digest},
		{"91: port", "registry.example.com:5000/org/os:v1", digest, "registry.example.com:5000/org/os@" + digest},
		{"91: loopback address", "127.0.0.1:41234/ns/os:v1", digest, "127.0.0.1:41234/ns/os@" + digest},
		{"91: service", "image-registry.openshift-image-registry.svc:5000/ns/os:v1", digest, "image-registry.openshift-image-registry.svc:5000/ns/os@" + digest},
		{"91: name with dots", "quay.io/org/os.image-1_2:v1", digest, "quay.io/org/os.image-1_2@" + digest},
		{"91: path level of 61", "quay.io/" + strings.Repeat("a", 61) + "/os:v1", digest, "quay.io/" + strings.Repeat("a", 61) + "/os@" + digest},
		{"91: path level of 62", "quay.io/" + strings.Repeat("a", 62) + "/os:v1", digest, ""},
		{"91: two path levels", "quay.io/org/team/os:v1", digest, ""},
		{"91: path level with a dot", "quay.io/org.team/os:v1", digest, ""},
		{"91: host without a dot", "localhost:5000/os:v1", digest, ""},
		{"91: host ends in a dot", "quay.io./os:v1", digest, ""},
		{"91: port of one digit", "quay.io:5/os:v1", digest, ""},
		{"91: port of six digits", "quay.io:123456/os:v1", digest, ""},
		{"91: port of letters", "quay.io:http/os:v1", digest, ""},
		{"91: no port after the colon", "quay.io:/os:v1", digest, ""},
		{"91: no path", "quay.io:5000", digest, ""},
		{"91: empty name, which the CRD takes", "quay.io/org/:v1", digest, ""},
		{"91: empty path level, which the CRD takes", "quay.io//os:v1", digest, ""},
		{"91: empty", "", digest, ""},
		{"91: fits with the digest", "quay.io/" + strings.Repeat("a", 447-8-72) + ":v1", digest, "quay.io/" + strings.Repeat("a", 447-8-72) + "@" + digest},
		{"91: too long with the digest", "quay.io/" + strings.Repeat("a", 447-8-71) + ":v1", digest, ""},
		{"91: short digest", "quay.io/os:v1", "sha256:abc", ""},
		{"91: upper-case digest", "quay.io/os:v1", strings.ToUpper(digest), ""},
		{"91: pull spec for a digest", "quay.io/os:v1", "quay.io/os@" + digest, ""},
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

// Where jobs push to is checked before any of them runs.
func TestBuildRepository(t *testing.T) {
	for _, tc := range []struct {
		name, repository string
		ok               bool
	}{
		{"64: the push spec's own", "", true},
		{"64: host and path", "builds.example.com/os", true},
		{"64: a deep path, which the status would refuse", "builds.example.com/a/b/c_d/e.f-g__h", true},
		{"64: a port", "builds.example.com:5000/os", true},
		{"64: a port and no dot", "builds:5000/os", true},
		{"64: localhost", "localhost/os", true},
		{"64: fits with the digest", "quay.io/" + strings.Repeat("a", 447-8-72), true},
		{"64: too long with the digest", "quay.io/" + strings.Repeat("a", 447-8-71), false},
		{"64: a scheme", "https://builds.example.com/os", false},
		{"64: a digest", "builds.example.com/os@sha256:1", false},
		{"64: a digest and nothing else", "@sha256:1", false},
		{"64: a tag", "builds.example.com/os:latest", false},
		{"64: blanks", "builds.example.com/o s", false},
		{"64: nothing but a blank", " ", false},
		{"64: a blank at the end", "builds.example.com/os ", false},
		{"64: a newline", "builds.example.com/os\n", false},
		{"64: capitals", "builds.example.com/OS", false},
		{"64: no path", "builds.example.com", false},
		{"64: no path, but a port", "builds.example.com:5000", false},
		{"64: an empty path", "builds.example.com/", false},
		{"64: an empty path level", "builds.example.com//os", false},
		{"64: a hyphen first", "builds.example.com/-os", false},
		{"64: a dot last", "builds.example.com/os.", false},
		{"64: no host, so that the registry would be Docker's", "fleet/os", false},
		{"64: a port of letters", "builds.example.com:http/os", false},
		{"64: an empty host", "/os", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			f.BuildRepository = tc.repository
			b := mustPlan(t, f)
			if tc.ok && (b.Next != NextCreate || len(b.Problems) > 0) {
				t.Errorf("%s %v, want Create", b.Next, b.Problems)
			}
			if !tc.ok && (b.Next != NextBlocked || len(b.Problems) != 1 || b.Problems[0].Field != "buildRepository") {
				t.Errorf("%s %v, want Blocked by buildRepository", b.Next, b.Problems)
			}
		})
	}
}

// What the CRD takes as a push spec and refuses by digest is told beforehand.
func TestPushSpecIsToldBeforeAnyJob(t *testing.T) {
	t.Run("26,63: what the CRD takes as a push spec", func(t *testing.T) {
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
