package controller_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/machineconfig/builder"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())
	testserver.Main(m)
}

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
	// lag, if set, makes what the cache lists older than what is stored.
	lag func(client.ObjectList)
	// answers, if set, is the registry's answer to a request, 0 for its own.
	answers atomic.Pointer[func(*http.Request) int]
	events  *record.FakeRecorder
	// hideReports empties the cache of the jobs' reports.
	hideReports bool
	deadline    time.Duration
	shell       string // of the base image
	said        []string
	cluster     *rest.Config
}

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Name: name} }

// nothingKnown are no credentials.
var nothingKnown = dockerconfig.Keychain{}

// nothing is a cache that has seen nothing yet.
type nothing struct{ client.Reader }

func (nothing) Get(_ context.Context, key client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	return apierrors.NewNotFound(corev1.Resource("configmaps"), key.Name)
}

// live reads what is stored. Lists are left to the cache: there may be thousands of
// builds and jobs.
type live struct{ client.Reader }

func (live) List(context.Context, client.ObjectList, ...client.ListOption) error {
	return errors.New("the adapter lists past its cache")
}

func newSite(t *testing.T) *site { return newSiteWith(t, "", "") }

// newSiteWith makes a site on the registry at host, or on one of its own, with base
// images that have a shell.
func newSiteWith(t *testing.T, host, shell string) *site {
	t.Helper()
	s := &site{writes: -1, shell: shell, fails: map[string]error{}, events: record.NewFakeRecorder(10000)}
	r, err := registry.Start(registry.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if answer := s.answers.Load(); answer != nil {
				if status := (*answer)(req); status != 0 {
					w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
					w.WriteHeader(status)
					return
				}
			}
			next.ServeHTTP(w, req)
		})
	}})
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	s.cluster = testserver.Start(t).Config()
	c, err := client.NewWithWatch(s.cluster, client.Options{Scheme: operator.Scheme()})
	must(t, err)
	s.WithWatch, s.host = c, cmp.Or(host, r.Host)
	s.builder = &builder.Builder{Client: c, Reader: c, Before: func(_ context.Context, job *batchv1.Job) error {
		return s.fails[job.Annotations[buildplan.AnnotationArchitecture]]
	}}
	s.builder.Say = func(_ *batchv1.Job, why string) { s.said = append(s.said, why) }
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
		secret("push", ""), secret("renamed", ""),
	} {
		must(t, c.Create(t.Context(), o))
	}
	version.Status.Desired = configv1.Release{Version: "4.21.0", Image: "release", Architecture: configv1.ClusterVersionArchitectureMulti}
	version.Status.History = []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: "4.21.0", Image: "release", StartedTime: done, CompletionTime: &done}}
	must(t, c.Status().Update(t.Context(), version))
	s.release(t, "1")
	return s
}

// secret holds the credentials of a user for registries, or for paths in them.
func secret(name, user string, registries ...string) *corev1.Secret {
	entries := map[string]any{}
	for _, at := range registries {
		entries[at] = map[string]string{"auth": base64.StdEncoding.EncodeToString([]byte(user + ":secret"))}
	}
	data, err := json.Marshal(map[string]any{"auths": entries})
	if err != nil {
		panic(err)
	}
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: buildplan.Namespace, Name: name},
		Type:       corev1.SecretTypeDockerConfigJson, Data: map[string][]byte{corev1.DockerConfigJsonKey: data},
	}
}

// release makes the pool's rendered config be of a release.
func (s *site) release(t *testing.T, n string) {
	t.Helper()
	all := []string{"amd64", "arm64", "ppc64le", "s390x"}
	rendered := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: "rendered-worker-" + n}}
	var err error
	rendered.Spec.OSImageURL, err = builder.Push(t.Context(), s.host+"/release/os:"+n, "os "+n, s.shell, all...)
	must(t, err)
	rendered.Spec.BaseOSExtensionsContainerImage, err = builder.Push(t.Context(), s.host+"/release/extensions:"+n, "extensions "+n, "", all...)
	must(t, err)
	must(t, s.Create(t.Context(), rendered))
	pool := new(mcfgv1.MachineConfigPool)
	must(t, s.Get(t.Context(), client.ObjectKey{Name: "worker"}, pool))
	pool.Spec.Configuration.Name = rendered.Name
	must(t, s.Update(t.Context(), pool))
}

// node adds a node of the pool.
func (s *site) node(t *testing.T, architecture string, taints ...corev1.Taint) {
	t.Helper()
	must(t, s.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + architecture, Labels: map[string]string{
		corev1.LabelArchStable: architecture, corev1.LabelOSStable: "linux", "node-role.kubernetes.io/worker": "",
	}}, Spec: corev1.NodeSpec{Taints: taints}}))
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
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			err := c.List(ctx, list, opts...)
			if err == nil && s.lag != nil {
				s.lag(list)
			}
			return err
		},
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
	c, reports := s.adapter(), client.Reader(s)
	if s.hideReports {
		reports = nothing{}
	}
	_, err := (&controller.Architectures{Client: c, Reader: live{s}}).Reconcile(t.Context(), reconcile.Request{})
	if err == nil {
		_, err = (&controller.Builds{Client: c, Reader: live{s}, Reports: reports, Events: s.events, Attempts: 2, Deadline: s.deadline, Now: metav1.Now}).
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
