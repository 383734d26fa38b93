package main

import (
	"context"
	"errors"
	"sync"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// A buildCluster has pools that build their OS images, a registry, the adapter of
// the machine config operator, and a builder in place of nodes.
type buildCluster struct {
	w        *world
	registry *registry.Registry
	builder  *builder.Builder
	stop     func() error
	told     int // how much of what the builder carried out was told
	rendered string
	// cannotRun says why no containerfile is run, if none is.
	cannotRun error

	mu      sync.Mutex
	hold    *hold
	standIn map[string]bool // what the builder says of images that nothing was run for
}

var buildArchitectures = []string{"amd64", "arm64", "ppc64le", "s390x"}

// newBuildCluster makes a cluster with a multi payload and the pools worker and
// infra, which have no nodes yet.
func newBuildCluster(ctx context.Context, w *world) (*buildCluster, error) {
	r, err := registry.Start(registry.Options{})
	if err != nil {
		return nil, err
	}
	c := &buildCluster{w: w, registry: r, stop: func() error { return nil }, standIn: map[string]bool{}}
	if err := c.boot(ctx); err != nil {
		return nil, errors.Join(err, c.close(ctx))
	}
	return c, nil
}

func (c *buildCluster) boot(ctx context.Context) error {
	if err := c.clear(ctx); err != nil {
		return err
	}
	c.rendered = "rendered-by-buildplan"
	rendered := &mcfgv1.MachineConfig{ObjectMeta: named(c.rendered)}
	buildah, shell, err := builder.Find()
	c.cannotRun = err
	if rendered.Spec.OSImageURL, err = builder.Push(ctx, c.registry.Host+"/release/os:1", "os", shell, buildArchitectures...); err != nil {
		return err
	}
	if rendered.Spec.BaseOSExtensionsContainerImage, err = builder.Push(ctx, c.registry.Host+"/release/extensions:1", "extensions", "", buildArchitectures...); err != nil {
		return err
	}
	done := metav1.Now()
	objects := []client.Object{
		&corev1.Namespace{ObjectMeta: named(buildplan.Namespace)}, rendered,
		&configv1.ClusterVersion{
			ObjectMeta: named("version"), Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"},
			Status: configv1.ClusterVersionStatus{
				Desired: configv1.Release{Version: "4.21.0", Image: "release", Architecture: configv1.ClusterVersionArchitectureMulti},
				History: []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: "4.21.0", Image: "release", StartedTime: done, CompletionTime: &done}},
			},
		},
	}
	for _, name := range []string{"push", "renamed"} {
		objects = append(objects, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: buildplan.Namespace, Name: name},
			Type:       corev1.SecretTypeDockerConfigJson, Data: map[string][]byte{corev1.DockerConfigJsonKey: []byte(`{"auths":{}}`)},
		})
	}
	for _, name := range []string{"worker", "infra"} {
		p := &mcfgv1.MachineConfigPool{ObjectMeta: named(name)}
		p.Spec.NodeSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"node-role.kubernetes.io/" + name: ""}}
		p.Spec.Configuration.Name = rendered.Name
		objects = append(objects, p)
	}
	for _, o := range objects {
		if err := c.w.ensure(ctx, o); err != nil {
			return err
		}
	}
	c.stop, err = c.w.run(ctx, func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "machine-os-builder")
		if err != nil {
			return err
		}
		c.builder = &builder.Builder{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Before: c.before, Buildah: buildah, Say: c.hear}
		return errors.Join(
			(&controller.Architectures{Client: mgr.GetClient(), Reader: mgr.GetAPIReader()}).SetupWithManager(mgr),
			(&controller.Builds{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Events: events, Attempts: 2, Now: metav1.Now}).SetupWithManager(mgr),
			c.builder.SetupWithManager(mgr),
		)
	})
	return err
}

// hear takes down what the builder says.
func (c *buildCluster) hear(_ *batchv1.Job, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.standIn[why] = true
}

// clear removes what chapters leave that have pools or builds.
func (c *buildCluster) clear(ctx context.Context) error {
	var errs []error
	for _, o := range []client.Object{
		&mcfgv1.MachineOSConfig{}, &mcfgv1.MachineOSBuild{}, &mcfgv1.MachineConfigPool{}, &mcfgv1.MachineConfig{}, &corev1.Node{},
	} {
		errs = append(errs, c.w.client.DeleteAllOf(ctx, o))
	}
	for _, o := range []client.Object{&batchv1.Job{}, &corev1.ConfigMap{}, &corev1.Secret{}} {
		errs = append(errs, c.w.client.DeleteAllOf(ctx, o, client.InNamespace(buildplan.Namespace)))
	}
	return errors.Join(append(errs, client.IgnoreNotFound(c.w.client.Delete(ctx, &configv1.ClusterVersion{ObjectMeta: named("version")})))...)
}

// close stops the adapter and removes the cluster.
func (c *buildCluster) close(ctx context.Context) error {
	return errors.Join(c.stop(), c.registry.Close(), c.clear(ctx))
}

// node adds a node to a pool.
func (c *buildCluster) node(ctx context.Context, pool, architecture string) error {
	n := &corev1.Node{ObjectMeta: named(pool + "-" + architecture)}
	n.Labels = map[string]string{corev1.LabelArchStable: architecture, corev1.LabelOSStable: "linux",
		"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/" + pool: ""}
	return c.w.client.Create(ctx, n)
}

// configure makes the MachineOSConfig of a pool, with one containerfile for all.
func (c *buildCluster) configure(ctx context.Context, pool, path, containerfile string) error {
	return c.w.client.Create(ctx, &mcfgv1.MachineOSConfig{ObjectMeta: named(pool), Spec: mcfgv1.MachineOSConfigSpec{
		MachineConfigPool:       mcfgv1.MachineConfigPoolReference{Name: pool},
		ImageBuilder:            mcfgv1.MachineOSImageBuilder{ImageBuilderType: mcfgv1.JobBuilder},
		RenderedImagePushSecret: mcfgv1.ImageSecretObjectReference{Name: "push"},
		RenderedImagePushSpec:   mcfgv1.ImageTagFormat(c.registry.Host + path),
		Containerfile:           []mcfgv1.MachineOSContainerfile{{ContainerfileArch: mcfgv1.NoArch, Content: containerfile}},
	}})
}

func (c *buildCluster) edit(ctx context.Context, pool string, edit func(*mcfgv1.MachineOSConfig)) error {
	return change(ctx, c.w, &mcfgv1.MachineOSConfig{ObjectMeta: named(pool)}, edit)
}
