package controller_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// answer makes the registry answer so where a request fits, until it is called with
// status 0.
func (s *site) answer(status int, fits func(*http.Request) bool) {
	f := func(req *http.Request) int {
		if fits(req) {
			return status
		}
		return 0
	}
	s.answers.Store(&f)
}

func toFleet(req *http.Request) bool { return strings.HasPrefix(req.URL.Path, "/v2/fleet/") }

// Only "not found" says that an image is gone.
func TestLook(t *testing.T) {
	s := newSite(t)
	ref, err := name.ParseReference(s.host + "/release/os:1")
	must(t, err)
	d, err := remote.Head(ref)
	must(t, err)
	image := s.host + "/release/os@" + d.Digest.String()
	for _, tc := range []struct {
		name, image string
		status      int
		want        controller.Presence
	}{
		{"there", image, 0, controller.Present},
		{"another digest", s.host + "/release/os@" + someDigest, 0, controller.Gone},
		{"another repository", s.host + "/release/none@" + someDigest, 0, controller.Gone},
		{"404", image, 404, controller.Gone},
		{"401", image, 401, controller.Unreadable},
		{"403", image, 403, controller.Unreadable},
		{"429", image, 429, controller.Unreadable},
		{"500", image, 500, controller.Unreadable},
		{"503", image, 503, controller.Unreadable},
		{"nobody there", "127.0.0.1:1/os@" + someDigest, 0, controller.Unreadable},
	} {
		s.answer(tc.status, func(req *http.Request) bool { return strings.Contains(req.URL.Path, "/manifests/") })
		got, err := controller.Look(t.Context(), tc.image, nothingKnown)
		if got != tc.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", tc.name, got, err, tc.want)
		}
	}
}

// A registry that refuses or is in trouble has lost nothing: nothing is built, the
// pool keeps what it has, and somebody is told. One that says "not found" is
// believed, and built for as often as Attempts says.
func TestRegistryThatDeniesReading(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	s.settle(t)
	before, built := s.osConfig(t).Status, len(s.builder.Built())
	for _, status := range []int{401, 403, 429, 500, 503} {
		s.answer(status, toFleet)
		for len(s.events.Events) > 0 {
			<-s.events.Events
		}
		for range 5 {
			s.look(t)
			s.jobs(t)
		}
		if n := len(s.builds(t)); n != 1 || len(s.builder.Built()) != built {
			t.Fatalf("%d: %d builds, carried out %v", status, n, s.builder.Built()[built:])
		}
		if spec := s.osConfig(t).Status.CurrentImagePullSpec; spec != before.CurrentImagePullSpec {
			t.Errorf("%d: pull spec %s", status, spec)
		}
		if said := len(s.events.Events) > 0; !said || !strings.Contains(<-s.events.Events, string(buildplan.FindingImageUnreadable)) {
			t.Errorf("%d: nobody was told", status)
		}
	}

	reading := func(req *http.Request) bool {
		return req.Method == http.MethodHead && toFleet(req) && strings.Contains(req.URL.Path, "sha256:")
	}
	s.answer(404, reading)
	s.settle(t)
	if n := len(s.builds(t)); n != 3 {
		t.Errorf("not found: %d builds", n)
	}
	c := meta.FindStatusCondition(s.osConfig(t).Status.Conditions, controller.Failed)
	if c == nil || c.Status != metav1.ConditionTrue || c.Message == "" {
		t.Errorf("not found: condition %+v", c)
	}
}

// What a build waits for holds while the registry does not tell, and goes on then.
func TestRegistryThatDeniesReadingDuringABuild(t *testing.T) {
	s := newSite(t)
	s.node(t, "amd64")
	s.node(t, "arm64")
	s.config(t, file(mcfgv1.NoArch, "FROM configs"))
	for range 6 {
		s.answer(403, toFleet)
		s.look(t)
		s.answer(0, toFleet)
		s.jobs(t)
	}
	if b, built := s.builds(t), s.builder.Built(); len(b) != 1 || !is(b[0], mcfgv1.MachineOSBuilding) || len(built) != 2 {
		t.Fatalf("%d builds, %+v, carried out %v", len(b), b[0].Status, built)
	}
	s.settle(t)
	if b := s.builds(t); len(b) != 1 || !is(b[0], mcfgv1.MachineOSBuildSucceeded) || len(s.builder.Built()) != 3 {
		t.Errorf("%d builds, carried out %v", len(b), s.builder.Built())
	}
}

// Base images are read with the pull secret, what was pushed with the push secret;
// the pods of the jobs mount the same.
func TestCredentials(t *testing.T) {
	for _, tc := range []struct{ name, pull string }{
		{"the cluster's", controller.GlobalPullSecret}, {"one of its own", "pull"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSite(t)
			refused := func(req *http.Request) bool {
				user, password, _ := req.BasicAuth()
				switch {
				case strings.HasPrefix(req.URL.Path, "/v2/release/"):
					return user != "puller" || password != "secret"
				case toFleet(req):
					return user != "pusher" || password != "secret"
				}
				return user == "" // the way in
			}
			s.answer(http.StatusUnauthorized, refused)
			must(t, s.Create(t.Context(), secret(tc.pull, "puller", s.host)))
			s.node(t, "amd64")
			s.node(t, "arm64")
			s.config(t, file(mcfgv1.NoArch, "FROM configs"))
			s.edit(t, func(c *mcfgv1.MachineOSConfig) {
				c.Spec.RenderedImagePushSecret.Name = "pusher"
				if tc.pull != controller.GlobalPullSecret {
					c.Spec.BaseImagePullSecret = &mcfgv1.ImageSecretObjectReference{Name: tc.pull}
				}
			})
			s.settle(t)
			if built := s.builder.Built(); len(built) != 0 {
				t.Errorf("carried out without the secret that is mounted: %v", built)
			}
			must(t, s.Create(t.Context(), secret("pusher", "pusher", s.host+"/fleet")))
			s.settle(t)
			if c := s.osConfig(t); c.Status.CurrentImagePullSpec == "" {
				t.Fatalf("not published: %+v", c.Status)
			}
			// Somebody spoils the secret: what is there may not be read any more.
			must(t, s.Update(t.Context(), secret("pusher", "stranger", s.host+"/fleet")))
			for range 3 {
				s.look(t)
			}
			if n := len(s.builds(t)); n != 1 {
				t.Errorf("%d builds after the secret was spoiled", n)
			}
		})
	}
}
