package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// An osRelease is a payload with OS images, and the operator that comes with it.
type osRelease struct{ version, image string }

func newOSRelease(version string) osRelease {
	return osRelease{version, "quay.example.com/release@sha256:" + digits(fmt.Sprintf("%02x", version[len(version)-1]))}
}

// An osCluster is the singletons and pools of a cluster, a registry with OS
// images, and the machine config operator of the release that runs.
type osCluster struct {
	w        *world
	flavor   osimagestream.Flavor
	registry *registry.Registry
	releases map[string]string // image → release directory
	names    map[string]string // pull spec → what the story calls the image
	stop     func() error
}

// newOSCluster makes what a cluster has before its operators run: the singletons,
// a history that begins with the version it was installed with, and pools.
func newOSCluster(ctx context.Context, w *world, flavor osimagestream.Flavor, installed string) (*osCluster, error) {
	r, err := registry.Start(registry.Options{})
	if err != nil {
		return nil, err
	}
	c := &osCluster{w: w, flavor: flavor, registry: r, releases: map[string]string{}, names: map[string]string{}, stop: func() error { return nil }}
	for _, obj := range c.objects() {
		if err := client.IgnoreNotFound(w.client.Delete(ctx, obj)); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	done := metav1.Now()
	for _, obj := range []client.Object{
		&corev1.Namespace{ObjectMeta: named(controller.Namespace)},
		&configv1.Infrastructure{ObjectMeta: named("cluster"), Status: configv1.InfrastructureStatus{
			ControlPlaneTopology: configv1.HighlyAvailableTopologyMode, InfrastructureTopology: configv1.HighlyAvailableTopologyMode,
		}},
		&configv1.FeatureGate{ObjectMeta: named("cluster"), Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{}}},
		&configv1.ClusterVersion{
			ObjectMeta: named("version"), Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"},
			Status: configv1.ClusterVersionStatus{Desired: configv1.Release{Version: installed, Image: "none"}, History: []configv1.UpdateHistory{
				{State: configv1.CompletedUpdate, Version: installed, Image: "none", StartedTime: done, CompletionTime: &done},
			}},
		},
		pool("master"), pool("worker"), pool("infra"),
	} {
		if err := w.ensure(ctx, obj); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return c, nil
}

func pool(name string) *mcfgv1.MachineConfigPool {
	p := &mcfgv1.MachineConfigPool{ObjectMeta: named(name)}
	p.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"role": name}}
	return p
}

// objects are the objects of a cluster by which the next one would be disturbed.
func (c *osCluster) objects() []client.Object {
	objects := []client.Object{
		&mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}, &configv1.ClusterVersion{ObjectMeta: named("version")},
		&configv1.FeatureGate{ObjectMeta: named("cluster")}, &configv1.Infrastructure{ObjectMeta: named("cluster")},
	}
	for _, p := range []string{"master", "worker", "infra"} {
		objects = append(objects, pool(p), &mcfgv1.MachineConfig{ObjectMeta: named(controller.RenderedPrefix + p)})
	}
	return objects
}

// close stops the operator and removes the cluster.
func (c *osCluster) close(ctx context.Context) error {
	errs := []error{c.stop(), c.registry.Close()}
	for _, obj := range c.objects() {
		errs = append(errs, client.IgnoreNotFound(c.w.client.Delete(ctx, obj)))
	}
	return errors.Join(errs...)
}

// push makes the OS image and the extensions image of a stream, under the names
// that the story calls them, and returns their tags.
func (c *osCluster) push(prefix, stream, story string) (map[string]string, error) {
	tags := map[string]string{}
	for suffix, role := range map[string]string{"": osimagestream.LabelOS, "-extensions": osimagestream.LabelExtensions} {
		image, err := mutate.Config(empty.Image, v1.Config{Labels: map[string]string{
			osimagestream.LabelStream: stream, role: "true", "release": story,
		}})
		if err != nil {
			return nil, err
		}
		repository, err := name.NewRepository(c.registry.Host + "/okd/os" + suffix)
		if err != nil {
			return nil, err
		}
		if err := remote.Write(repository.Tag("latest"), image); err != nil {
			return nil, err
		}
		digest, err := image.Digest()
		if err != nil {
			return nil, err
		}
		pullSpec := repository.Digest(digest.String()).String()
		tags[prefix+suffix], c.names[pullSpec] = pullSpec, stream+suffix+" of "+story
	}
	return tags, nil
}

// publish writes the release directory of a release with those tags.
func (c *osCluster) publish(r osRelease, tags ...map[string]string) error {
	is := imagev1.ImageStream{TypeMeta: metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}, ObjectMeta: named(r.version)}
	for _, some := range append(tags, map[string]string{"etcd": "quay.example.com/etcd@sha256:" + digits("ee")}) {
		for tag, image := range some {
			is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{Name: tag, From: &corev1.ObjectReference{Kind: "DockerImage", Name: image}})
		}
	}
	data, err := json.Marshal(is)
	if err != nil {
		return err
	}
	dir := filepath.Join(c.w.dir, "os-releases", c.flavor.String(), r.version)
	if err := os.MkdirAll(filepath.Join(dir, "release-manifests"), 0o700); err != nil {
		return err
	}
	c.releases[r.image] = dir
	return os.WriteFile(filepath.Join(dir, "release-manifests", "image-references"), data, 0o600)
}

// update makes the cluster run a release: its gates are known, and its operator
// takes the place of the one before.
func (c *osCluster) update(ctx context.Context, r osRelease) error {
	if err := c.stop(); err != nil {
		return err
	}
	c.stop = func() error { return nil }
	err := changeStatus(ctx, c.w, &configv1.FeatureGate{ObjectMeta: named("cluster")}, func(fg *configv1.FeatureGate) {
		fg.Status.FeatureGates = append(fg.Status.FeatureGates, configv1.FeatureGateDetails{
			Version: r.version, Enabled: []configv1.FeatureGateAttributes{{Name: osimagestream.Gate}}, Disabled: []configv1.FeatureGateAttributes{},
		})
	})
	if err != nil {
		return err
	}
	err = changeStatus(ctx, c.w, &configv1.ClusterVersion{ObjectMeta: named("version")}, func(cv *configv1.ClusterVersion) {
		cv.Status.Desired = configv1.Release{Version: r.version, Image: r.image}
	})
	if err != nil {
		return err
	}
	stop, err := c.w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "machine-config")
		if err != nil {
			return err
		}
		streams := &controller.Streams{
			Client: mgr.GetClient(), Events: events, Flavor: c.flavor, Version: r.version, Build: "build of " + r.version,
			Releases: c.releases, Labels: controller.RegistryLabels,
		}
		if err := streams.SetupWithManager(mgr); err != nil {
			return err
		}
		return (&controller.Pools{Client: mgr.GetClient(), Build: streams.Build, Now: metav1.Now}).SetupWithManager(mgr)
	})
	if err != nil {
		return err
	}
	c.stop = stop
	return nil
}

// singleton is the OSImageStream as one line: spec / status: what is offered.
func (c *osCluster) singleton(ctx context.Context) (any, error) {
	o := &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}
	if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
		if apierrors.IsNotFound(err) {
			return "none", nil
		}
		return nil, err
	}
	var offered []string
	for _, s := range o.Status.AvailableStreams {
		offered = append(offered, s.Name)
	}
	return fmt.Sprintf("%s / %s: %s", o.Spec.DefaultStream, o.Status.DefaultStream, strings.Join(offered, " ")), nil
}

// runs is what the pools master, worker and infra run, and why one is degraded.
func (c *osCluster) runs(ctx context.Context) (any, error) {
	var all []string
	for _, p := range []string{"master", "worker", "infra"} {
		pool, rendered := pool(p), &mcfgv1.MachineConfig{ObjectMeta: named(controller.RenderedPrefix + p)}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(pool), pool); err != nil {
			return nil, err
		}
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(rendered), rendered); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		line := c.names[rendered.Spec.OSImageURL]
		for _, condition := range pool.Status.Conditions {
			if condition.Type == mcfgv1.MachineConfigPoolRenderDegraded && condition.Status == corev1.ConditionTrue {
				line += " (degraded)"
			}
		}
		all = append(all, line)
	}
	return strings.Join(all, ", "), nil
}

// reported tells whether an event of that reason was recorded.
func (c *osCluster) reported(code osimagestream.FindingCode) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var events corev1.EventList
		if err := c.w.client.List(ctx, &events); err != nil {
			return nil, err
		}
		for _, e := range events.Items {
			if e.Reason == string(code) && e.InvolvedObject.Kind == "OSImageStream" {
				return true, nil
			}
		}
		return false, nil
	}
}
