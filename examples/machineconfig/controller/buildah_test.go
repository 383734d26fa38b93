package controller_test

import (
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// buildahSite has nodes of this machine's architecture and of another, and buildah.
func buildahSite(t *testing.T) (s *site, other string) {
	t.Helper()
	buildah, shell, err := builder.Find()
	if err != nil {
		t.Skipf("##### %v: NO CONTAINERFILE IS RUN #####", err)
	}
	s = newSiteWith(t, "", shell)
	s.builder.Buildah = buildah
	if other = "arm64"; runtime.GOARCH == other {
		other = "amd64"
	}
	s.node(t, runtime.GOARCH)
	s.node(t, other)
	return s, other
}

// A RUN step runs on this machine's architecture, and finds what the machine config
// operator puts into the image before. For another architecture a stand-in says that
// it did not run.
func TestBuildahRunsTheContainerfile(t *testing.T) {
	s, other := buildahSite(t)
	s.config(t, file(mcfgv1.NoArch, strings.Join([]string{
		"FROM configs AS final",
		"ARG TARGETARCH",
		"RUN test -s " + controller.CurrentConfig + " && test ! -e /tmp/" + controller.MachineConfigKey,
		`RUN echo "built for $TARGETARCH" > /etc/fleet`,
	}, "\n")))
	s.settle(t)
	published := s.osConfig(t).Status.CurrentImagePullSpec
	if published == "" {
		for _, job := range s.all(t) {
			t.Logf("%s: %+v", job.Name, job.Status)
		}
		t.Fatal("not published")
	}
	for _, tc := range []struct{ architecture, by, fleet string }{
		{runtime.GOARCH, builder.ByBuildah, "built for " + runtime.GOARCH + "\n"}, {other, builder.ByStandIn, ""},
	} {
		image, err := builder.Pull(t.Context(), string(published), tc.architecture)
		must(t, err)
		config, err := image.ConfigFile()
		must(t, err)
		if got := config.Config.Labels[builder.LabelBuiltBy]; got != tc.by || config.Architecture != tc.architecture {
			t.Errorf("%s: an image of %s, built by %q", tc.architecture, config.Architecture, got)
		}
		got, err := builder.ReadFile(image, "/etc/fleet")
		must(t, err)
		if got != tc.fleet {
			t.Errorf("%s: the RUN step left %q", tc.architecture, got)
		}

		// What the machine config operator embeds.
		var pool mcfgv1.MachineConfigPool
		must(t, s.Get(t.Context(), keyOf("worker"), &pool))
		var rendered, embedded mcfgv1.MachineConfig
		must(t, s.Get(t.Context(), keyOf(pool.Spec.Configuration.Name), &rendered))
		text, err := builder.ReadFile(image, controller.CurrentConfig)
		must(t, err)
		must(t, json.Unmarshal([]byte(text), &embedded))
		if diff := cmp.Diff(rendered.Spec, embedded.Spec); diff != "" || embedded.Name != rendered.Name {
			t.Errorf("%s: embedded config %s (-want +got):\n%s", tc.architecture, embedded.Name, diff)
		}
		base, err := controller.ImageFor(t.Context(), rendered.Spec.OSImageURL, tc.architecture, nothingKnown)
		must(t, err)
		for label, want := range map[string]string{"machineconfig": rendered.Name, "machineconfigpool": "worker", "baseOSContainerImage": base} {
			if got := config.Config.Labels[label]; got != want {
				t.Errorf("%s: label %s is %q, want %q", tc.architecture, label, got, want)
			}
		}
	}
	if len(s.said) != 1 || !strings.Contains(s.said[0], other) || !strings.Contains(s.said[0], "not run") {
		t.Errorf("said %q", s.said)
	}

	// A rebuild runs it again, and the same containerfile makes the same bytes.
	before := s.builds(t)[0].Annotations[buildplan.AnnotationImage+runtime.GOARCH]
	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Annotations = map[string]string{buildplan.AnnotationRebuild: ""} })
	s.settle(t)
	builds := s.builds(t)
	if len(builds) != 2 {
		t.Errorf("%d builds", len(builds))
	}
	for _, b := range builds {
		if after := b.Annotations[buildplan.AnnotationImage+runtime.GOARCH]; before == "" || after != before {
			t.Errorf("%s became %s", before, after)
		}
	}
	again, err := builder.Pull(t.Context(), string(s.osConfig(t).Status.CurrentImagePullSpec), runtime.GOARCH)
	must(t, err)
	if got, err := builder.ReadFile(again, "/etc/fleet"); err != nil || got != "built for "+runtime.GOARCH+"\n" {
		t.Errorf("after a rebuild the RUN step left %q (%v)", got, err)
	}
}

// A RUN step that fails fails the job, which says what went wrong.
func TestBuildahFails(t *testing.T) {
	s, _ := buildahSite(t)
	s.config(t, file(mcfgv1.NoArch, "RUN echo no such package >&2; exit 7"))
	s.settle(t)
	if spec := s.osConfig(t).Status.CurrentImagePullSpec; spec != "" {
		t.Errorf("published %s", spec)
	}
	if c := meta.FindStatusCondition(s.osConfig(t).Status.Conditions, controller.Failed); c == nil || c.Status != metav1.ConditionTrue {
		t.Errorf("condition %+v", c)
	}
	for _, job := range s.all(t) {
		if job.Annotations[buildplan.AnnotationArchitecture] != runtime.GOARCH {
			continue
		}
		if c := job.Status.Conditions[0]; !strings.Contains(c.Message, "no such package") || job.Status.Failed != 4 {
			t.Errorf("failed %d times, condition %+v", job.Status.Failed, c)
		}
	}
}

// Buildah pulls and pushes with the secrets that the job mounts.
func TestBuildahHasTheCredentials(t *testing.T) {
	s, _ := buildahSite(t)
	s.answer(http.StatusUnauthorized, func(req *http.Request) bool {
		user, password, _ := req.BasicAuth()
		switch {
		case strings.HasPrefix(req.URL.Path, "/v2/release/"):
			return user != "puller" || password != "secret"
		case toFleet(req):
			return user != "pusher" || password != "secret"
		}
		return user == ""
	})
	must(t, s.Create(t.Context(), secret(controller.GlobalPullSecret, "puller", s.host)))
	must(t, s.Create(t.Context(), secret("pusher", "pusher", s.host)))
	s.config(t, file(mcfgv1.NoArch, "RUN true"))
	s.edit(t, func(c *mcfgv1.MachineOSConfig) { c.Spec.RenderedImagePushSecret.Name = "pusher" })
	s.settle(t)
	if c := s.osConfig(t).Status; c.CurrentImagePullSpec == "" {
		t.Errorf("not published: %+v", c)
	}
}
