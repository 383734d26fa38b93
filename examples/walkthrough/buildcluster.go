package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
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

	mu   sync.Mutex
	hold *hold
}

var buildArchitectures = []string{"amd64", "arm64", "ppc64le", "s390x"}

// newBuildCluster makes a cluster with a multi payload and the pools worker and
// infra, which have no nodes yet.
func newBuildCluster(ctx context.Context, w *world) (*buildCluster, error) {
	r, err := registry.Start(registry.Options{})
	if err != nil {
		return nil, err
	}
	c := &buildCluster{w: w, registry: r, stop: func() error { return nil }}
	if err := c.boot(ctx); err != nil {
		return nil, errors.Join(err, c.close(ctx))
	}
	return c, nil
}

func (c *buildCluster) boot(ctx context.Context) error {
	if err := c.clear(ctx); err != nil {
		return err
	}
	rendered := &mcfgv1.MachineConfig{ObjectMeta: named("rendered-by-buildplan")}
	var err error
	if rendered.Spec.OSImageURL, err = builder.Push(ctx, c.registry.Host+"/release/os:1", "os", buildArchitectures...); err != nil {
		return err
	}
	if rendered.Spec.BaseOSExtensionsContainerImage, err = builder.Push(ctx, c.registry.Host+"/release/extensions:1", "extensions", buildArchitectures...); err != nil {
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
		c.builder = &builder.Builder{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Before: c.before}
		return errors.Join(
			(&controller.Architectures{Client: mgr.GetClient(), Reader: mgr.GetAPIReader()}).SetupWithManager(mgr),
			(&controller.Builds{Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Events: events, Attempts: 2, Now: metav1.Now}).SetupWithManager(mgr),
			c.builder.SetupWithManager(mgr),
		)
	})
	return err
}

// clear removes what chapters leave that have pools or builds.
func (c *buildCluster) clear(ctx context.Context) error {
	var errs []error
	for _, o := range []client.Object{
		&mcfgv1.MachineOSConfig{}, &mcfgv1.MachineOSBuild{}, &mcfgv1.MachineConfigPool{}, &mcfgv1.MachineConfig{}, &corev1.Node{},
	} {
		errs = append(errs, c.w.client.DeleteAllOf(ctx, o))
	}
	for _, o := range []client.Object{&batchv1.Job{}, &corev1.ConfigMap{}} {
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

func (c *buildCluster) config(ctx context.Context, pool string) (*mcfgv1.MachineOSConfig, error) {
	m := &mcfgv1.MachineOSConfig{ObjectMeta: named(pool)}
	return m, c.w.client.Get(ctx, client.ObjectKeyFromObject(m), m)
}

func (c *buildCluster) observed(ctx context.Context, pool string) (int64, error) {
	m, err := c.config(ctx, pool)
	return m.Status.ObservedGeneration, err
}

func (c *buildCluster) pullSpec(ctx context.Context, pool string) (string, error) {
	m, err := c.config(ctx, pool)
	return string(m.Status.CurrentImagePullSpec), err
}

// pullSpecs counts the pull specs that the MachineOSConfig held after one.
func (c *buildCluster) pullSpecs(pool, after string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		specs, err := c.w.history(ctx, key(mcfgv1.GroupName, "machineosconfigs", pool), 0, func(stored []byte) (string, error) {
			var m mcfgv1.MachineOSConfig
			err := json.Unmarshal(stored, &m)
			return string(m.Status.CurrentImagePullSpec), err
		})
		return len(specs) - 1 - slices.Index(specs, after), err
	}
}

// published tells what the pool's pull spec leads to.
func (c *buildCluster) published(pool string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		spec, err := c.pullSpec(ctx, pool)
		if err != nil || spec == "" {
			return "nothing", err
		}
		ref, err := name.NewDigest(spec)
		if err != nil {
			return nil, err
		}
		d, err := remote.Head(ref, remote.WithContext(ctx))
		if err != nil {
			return nil, err
		}
		kind := "image: "
		if d.MediaType.IsIndex() {
			kind = "index: "
		}
		contents, err := builder.Contents(ctx, spec, buildArchitectures...)
		var all []string
		for _, a := range buildArchitectures {
			if contents[a] != "" {
				all = append(all, a)
			}
		}
		return kind + strings.Join(all, " "), err
	}
}

// content is the containerfile of the image that a node of the pool would pull.
func (c *buildCluster) content(pool, architecture string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		spec, err := c.pullSpec(ctx, pool)
		if err != nil {
			return nil, err
		}
		contents, err := builder.Contents(ctx, spec, architecture)
		return strings.TrimPrefix(contents[architecture], "ARG TARGETARCH="+architecture+"\n"), err
	}
}

// progress is the condition that is true of the pool's only build.
func (c *buildCluster) progress(pool string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var all []string
		for _, p := range []mcfgv1.BuildProgress{mcfgv1.MachineOSBuildPrepared, mcfgv1.MachineOSBuilding,
			mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted, mcfgv1.MachineOSBuildSucceeded} {
			n, err := c.countBuilds(pool, p)(ctx)
			if err != nil {
				return nil, err
			}
			if n != 0 {
				all = append(all, string(p))
			}
		}
		return strings.Join(all, " "), nil
	}
}

func (c *buildCluster) succeeded(pool string) func(context.Context) (any, error) {
	return c.countBuilds(pool, mcfgv1.MachineOSBuildSucceeded)
}

func (c *buildCluster) countBuilds(pool string, p mcfgv1.BuildProgress) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var builds mcfgv1.MachineOSBuildList
		if err := c.w.client.List(ctx, &builds); err != nil {
			return nil, err
		}
		n := 0
		for _, b := range builds.Items {
			if b.Spec.MachineOSConfig.Name == pool && meta.IsStatusConditionTrue(b.Status.Conditions, string(p)) {
				n++
			}
		}
		return n, nil
	}
}

// carriedOut names what the builder has done since the last call.
func (c *buildCluster) carriedOut() string {
	built := c.builder.Built()
	var all []string
	for _, job := range built[c.told:] {
		all = append(all, job[strings.LastIndexByte(job, '-')+1:])
	}
	c.told = len(built)
	slices.Sort(all)
	if all == nil {
		return "nothing"
	}
	return strings.Join(all, " ")
}

// A hold keeps jobs from going on, and makes some tries fail.
type hold struct {
	mu      sync.Mutex
	waiting []string
	fails   map[string]int // by architecture
	gate    chan struct{}
	open    sync.Once
}

// holdJobs holds what runs from now on.
func (c *buildCluster) holdJobs(fails map[string]int) *hold {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = &hold{fails: fails, gate: make(chan struct{})}
	return c.hold
}

func (h *hold) letGo() { h.open.Do(func() { close(h.gate) }) }

func (h *hold) running(context.Context) (any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(h.waiting)
	return strings.Join(h.waiting, " "), nil
}

func (c *buildCluster) before(ctx context.Context, job *batchv1.Job) error {
	c.mu.Lock()
	h := c.hold
	c.mu.Unlock()
	architecture := job.Annotations[buildplan.ArchitectureLabel]
	h.mu.Lock()
	h.waiting = append(h.waiting, architecture)
	fail := h.fails[architecture] > 0
	if fail {
		h.fails[architecture]--
	}
	h.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-h.gate:
	}
	if fail {
		return fmt.Errorf("no package for %s", architecture)
	}
	return nil
}
