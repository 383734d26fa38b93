package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// An osCluster is the singletons and pools of a cluster, a registry with OS
// images, and the machine config operator of the release that runs.
type osCluster struct {
	w        *world
	flavor   osimagestream.Flavor
	registry *registry.Registry
	releases map[string]string      // image → release directory
	names    map[string]string      // pull spec → what the story calls the image
	refused  atomic.Pointer[string] // the digest of an image that the registry refuses
	stop     func() error
}

// newOSCluster makes what a cluster has before its operators run: the singletons,
// a history that begins with the version it was installed with, and pools.
func newOSCluster(ctx context.Context, w *world, flavor osimagestream.Flavor, installed string) (*osCluster, error) {
	c := &osCluster{w: w, flavor: flavor, releases: map[string]string{}, names: map[string]string{}, stop: func() error { return nil }}
	r, err := registry.Start(registry.Options{Wrap: c.refuse})
	if err != nil {
		return nil, err
	}
	c.registry = r
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

// refuse stands before the registry, and denies reading one image.
func (c *osCluster) refuse(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if digest := c.refused.Load(); digest != nil && strings.Contains(req.URL.Path, *digest) {
			http.Error(w, `{"errors":[{"code":"DENIED"}]}`, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, req)
	})
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
