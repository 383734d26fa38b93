package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// An osRelease is a payload of OKD, whose only OS stream has another name in each.
type osRelease struct{ version, image, stream string }

var osReleases = []osRelease{
	{"5.0.1", "quay.example.com/release@sha256:" + strings.Repeat("01", 32), "centos-10"},
	{"5.0.2", "quay.example.com/release@sha256:" + strings.Repeat("02", 32), "centos-11"},
}

// osGate is the feature gate of OSImageStreams.
const osGate = osimagestream.Gate

// An osStreams is a cluster that is updated to the other release again and again, by the
// machine config operator that comes with it.
type osStreams struct {
	s        *soak
	dirs     map[string]string // release image → its directory
	urls     map[string]string // stream → its OS image
	release  int               // the one that runs
	next     int
	stopping func() error
}

var osPools = []string{"master", "worker"}

func (s *soak) startOSStreams(ctx context.Context, dir string) (chore, error) {
	c := &osStreams{s: s, dirs: map[string]string{}, urls: map[string]string{}, release: -1, stopping: func() error { return nil }}
	for _, r := range osReleases {
		if err := c.publish(r, filepath.Join(dir, "release-"+r.version)); err != nil {
			return nil, err
		}
	}
	for _, name := range osPools {
		p := &mcfgv1.MachineConfigPool{ObjectMeta: named(name)}
		p.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"role": name}}
		if err := s.ensure(ctx, p); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// publish pushes the images of a release and writes its directory.
func (c *osStreams) publish(r osRelease, dir string) error {
	is := imagev1.ImageStream{TypeMeta: metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}, ObjectMeta: named(r.version)}
	for tag, role := range map[string]string{"stream-coreos": osimagestream.LabelOS, "stream-coreos-extensions": osimagestream.LabelExtensions} {
		image, err := mutate.Config(empty.Image, v1.Config{Labels: map[string]string{
			osimagestream.LabelStream: r.stream, role: "true", "release": r.version,
		}})
		if err != nil {
			return err
		}
		repository, err := name.NewRepository(c.s.registry.Host + "/okd/" + tag)
		if err != nil {
			return err
		}
		if err := remote.Write(repository.Tag(r.version), image); err != nil {
			return err
		}
		digest, err := image.Digest()
		if err != nil {
			return err
		}
		url := repository.Digest(digest.String()).String()
		if role == osimagestream.LabelOS {
			c.urls[r.stream] = url
		}
		is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{Name: tag, From: &corev1.ObjectReference{Kind: "DockerImage", Name: url}})
	}
	data, err := json.Marshal(is)
	if err != nil {
		return err
	}
	c.dirs[r.image] = dir
	if err := os.MkdirAll(filepath.Join(dir, "release-manifests"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "release-manifests", "image-references"), data, 0o600)
}

func (c *osStreams) name() string { return "OS streams" }

func (c *osStreams) pick(*rand.Rand) { c.next = (c.release + 1) % len(osReleases) }

// ask updates the cluster: the ClusterVersion, and the operator in place of the one
// before.
func (c *osStreams) ask(ctx context.Context) error {
	r := osReleases[c.next]
	err := change(ctx, c.s.api, &configv1.ClusterVersion{ObjectMeta: named("version")}, func(cv *configv1.ClusterVersion) {
		cv.Status.Desired.Version, cv.Status.Desired.Image = r.version, r.image
	}, updatingStatus[*configv1.ClusterVersion](c.s.api))
	if err != nil || c.release == c.next {
		return err
	}
	if err := c.close(); err != nil {
		return err
	}
	stop, err := c.s.manage(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "machine-config")
		if err != nil {
			return err
		}
		streams := &controller.Streams{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Events: events, Flavor: osimagestream.OKD,
			Version: r.version, Build: "build of " + r.version,
			Releases: c.dirs, Labels: controller.Registry{Secrets: mgr.GetAPIReader()}.Labels,
		}
		return errors.Join(
			streams.SetupWithManager(mgr),
			(&controller.Pools{Client: mgr.GetClient(), Build: streams.Build, Now: metav1.Now}).SetupWithManager(mgr),
		)
	})
	if err != nil {
		return err
	}
	c.stopping, c.release = stop, c.next
	return nil
}

// reached wants the stream of the release to be the default, and every pool to run it.
func (c *osStreams) reached(ctx context.Context) (string, bool, error) {
	want := osReleases[c.next].stream
	o, err := operator.Lookup(ctx, c.s.api, client.ObjectKey{Name: osimagestream.Name}, &mcfgv1.OSImageStream{})
	if err != nil || o == nil {
		return "no OSImageStream", false, err
	}
	what, ok := "default "+o.Status.DefaultStream, o.Status.DefaultStream == want
	for _, pool := range osPools {
		rendered, err := operator.Lookup(ctx, c.s.api, client.ObjectKey{Name: controller.RenderedPrefix + pool}, &mcfgv1.MachineConfig{})
		if err != nil {
			return what, false, err
		}
		if rendered == nil || rendered.Spec.OSImageURL != c.urls[want] {
			what, ok = what+fmt.Sprintf(", %s does not run %s", pool, want), false
		}
	}
	return what, ok, nil
}

func (c *osStreams) close() error {
	stop := c.stopping
	c.stopping = func() error { return nil }
	return stop()
}
