package controller_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// A site is a cluster of the pool worker, a registry, the adapter and nodes. What
// the adapter does is asked for by the test, so that it can be cut off anywhere.
type site struct {
	client.WithWatch
	host    string
	builder *builder.Builder
	// writes is how many writes the adapter makes until it is killed; a new one
	// begins with the next round. Negative means that it lives on.
	writes int
	killed int
	fails  map[string]error // by architecture, "" for publishing
}

func newSite(t *testing.T) *site {
	t.Helper()
	r, err := registry.Start(registry.Options{})
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	c, err := client.NewWithWatch(testserver.Start(t).Config(), client.Options{Scheme: operator.Scheme()})
	must(t, err)
	s := &site{WithWatch: c, host: r.Host, writes: -1, fails: map[string]error{}}
	s.builder = &builder.Builder{Client: c, Reader: c, Before: func(_ context.Context, job *batchv1.Job) error {
		return s.fails[job.Annotations[buildplan.AnnotationArchitecture]]
	}}
	done := metav1.Now()
	version := &configv1.ClusterVersion{
		ObjectMeta: metav1.ObjectMeta{Name: "version"},
		Spec:       configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"},
	}
	pool := &mcfgv1.MachineConfigPool{ObjectMeta: metav1.ObjectMeta{Name: "worker"}}
	pool.Spec.NodeSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"node-role.kubernetes.io/worker": ""}}
	pool.Spec.Configuration.Name = "rendered-worker-1"
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: buildplan.Namespace}}, version, pool,
	} {
		must(t, c.Create(t.Context(), o))
	}
	version.Status.Desired = configv1.Release{Version: "4.21.0", Image: "release", Architecture: configv1.ClusterVersionArchitectureMulti}
	version.Status.History = []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: "4.21.0", Image: "release", StartedTime: done, CompletionTime: &done}}
	must(t, c.Status().Update(t.Context(), version))
	s.release(t, "1")
	return s
}

// release makes the pool's rendered config be of a release.
func (s *site) release(t *testing.T, n string) {
	t.Helper()
	all := []string{"amd64", "arm64", "ppc64le", "s390x"}
	rendered := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "rendered-worker-" + n}}
	var err error
	rendered.Spec.OSImageURL, err = builder.Push(t.Context(), s.host+"/release/os:"+n, "os "+n, all...)
	must(t, err)
	rendered.Spec.BaseOSExtensionsContainerImage, err = builder.Push(t.Context(), s.host+"/release/extensions:"+n, "extensions "+n, all...)
	must(t, err)
	must(t, s.Create(t.Context(), rendered))
	pool := new(mcfgv1.MachineConfigPool)
	must(t, s.Get(t.Context(), client.ObjectKey{Name: "worker"}, pool))
	pool.Spec.Configuration.Name = rendered.Name
	must(t, s.Update(t.Context(), pool))
}

// node adds a node of the pool.
func (s *site) node(t *testing.T, architecture string) {
	t.Helper()
	must(t, s.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + architecture, Labels: map[string]string{
		corev1.LabelArchStable: architecture, corev1.LabelOSStable: "linux", "node-role.kubernetes.io/worker": "",
	}}}))
}

func (s *site) config(t *testing.T, files ...mcfgv1.MachineOSContainerfile) {
	t.Helper()
	must(t, s.Create(t.Context(), &mcfgv1.MachineOSConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "worker"},
		Spec: mcfgv1.MachineOSConfigSpec{
			MachineConfigPool:       mcfgv1.MachineConfigPoolReference{Name: "worker"},
			ImageBuilder:            mcfgv1.MachineOSImageBuilder{ImageBuilderType: mcfgv1.JobBuilder},
			RenderedImagePushSecret: mcfgv1.ImageSecretObjectReference{Name: "push"},
			RenderedImagePushSpec:   mcfgv1.ImageTagFormat(s.host + "/fleet/os:latest"),
			Containerfile:           files,
		},
	}))
}

func file(a mcfgv1.ContainerfileArch, content string) mcfgv1.MachineOSContainerfile {
	return mcfgv1.MachineOSContainerfile{ContainerfileArch: a, Content: content}
}

// edit changes the MachineOSConfig.
func (s *site) edit(t *testing.T, change func(*mcfgv1.MachineOSConfig)) {
	t.Helper()
	c := s.osConfig(t)
	change(c)
	must(t, s.Update(t.Context(), c))
}

func (s *site) osConfig(t *testing.T) *mcfgv1.MachineOSConfig {
	t.Helper()
	c := new(mcfgv1.MachineOSConfig)
	must(t, s.Get(t.Context(), client.ObjectKey{Name: "worker"}, c))
	return c
}

var errKilled = errors.New("killed")

// adapter is a process that makes as many writes as it may and then none.
func (s *site) adapter() client.Client {
	left := s.writes
	write := func(do func() error) error {
		if left == 0 {
			s.killed++
			return errKilled
		}
		err := do()
		if err == nil {
			left-- // what was refused was no write
		}
		return err
	}
	return interceptor.NewClient(s.WithWatch, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			return write(func() error { return c.Create(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return write(func() error { return c.Update(ctx, o, opts...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
			return write(func() error { return c.Delete(ctx, o, opts...) })
		},
		Patch: func(context.Context, client.WithWatch, client.Object, client.Patch, ...client.PatchOption) error {
			return errors.New("the adapter does not patch")
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, name string, o client.Object, opts ...client.SubResourceUpdateOption) error {
			return write(func() error { return c.SubResource(name).Update(ctx, o, opts...) })
		},
	})
}

// look runs the adapter once, from nothing, and reports whether it was killed.
func (s *site) look(t *testing.T) bool {
	t.Helper()
	c := s.adapter()
	_, err := (&controller.Architectures{Client: c, Reader: s}).Reconcile(t.Context(), reconcile.Request{})
	if err == nil {
		_, err = (&controller.Builds{Client: c, Reader: s, Events: record.NewFakeRecorder(1000), Attempts: 2, Now: metav1.Now}).
			Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: "worker"}})
	}
	if errors.Is(err, errKilled) {
		return true
	}
	must(t, err)
	return false
}

// jobs lets nodes try each job once.
func (s *site) jobs(t *testing.T) {
	t.Helper()
	var jobs batchv1.JobList
	must(t, s.List(t.Context(), &jobs))
	for _, j := range jobs.Items {
		_, err := s.builder.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&j)})
		must(t, err)
	}
}

// settle goes on until nothing changes any more.
func (s *site) settle(t *testing.T) {
	t.Helper()
	for range 200 {
		before := s.versions(t)
		for s.look(t) {
		}
		s.jobs(t)
		if s.versions(t) == before {
			return
		}
	}
	t.Fatal("it does not come to rest")
}

// versions changes whenever an object does.
func (s *site) versions(t *testing.T) string {
	t.Helper()
	var all []string
	for _, list := range []client.ObjectList{&mcfgv1.MachineOSConfigList{}, &mcfgv1.MachineOSBuildList{}, &mcfgv1.MachineConfigPoolList{}, &batchv1.JobList{}, &corev1.ConfigMapList{}} {
		must(t, s.List(t.Context(), list))
		items, err := extract(list)
		must(t, err)
		for _, o := range items {
			all = append(all, o.GetName()+" "+o.GetResourceVersion())
		}
	}
	return strings.Join(all, "\n")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
