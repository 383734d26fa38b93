package controller_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/imageimport/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
	demo     = "demo"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// An env is an API server with a registry, and the controller, whose clock the test
// moves. Legacy imports images for linux/amd64.
type env struct {
	client.Client
	server     *launch.Server
	config     string // file of the API server
	host       string // of the registry
	down       atomic.Bool
	controller *controller.Imports
	events     *record.FakeRecorder

	mu   sync.Mutex
	now  time.Time
	sent []*imagev1.ImageStreamImport // by the controller
}

const interval = 15 * time.Minute

func start(t *testing.T, cluster imagev1.ImportModeType) *env {
	t.Helper()
	e := &env{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), events: record.NewFakeRecorder(100)}
	r, err := registry.Start(registry.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if e.down.Load() {
				http.Error(w, "out of order", http.StatusGone)
				return
			}
			next.ServeHTTP(w, r)
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	e.host = r.Host
	dir := t.TempDir()
	e.config = filepath.Join(dir, "config.yaml")
	e.configure(t, cluster)
	e.server, err = launch.Start(t.Context(), launch.Options{
		Command: testserver.Command(t), DataDir: filepath.Join(dir, "data"), ConfigFile: e.config, Flags: []string{"--import-platform=linux/amd64"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.server.Stop(); err != nil {
			t.Error(err)
		}
	})
	e.Client = testserver.Client(t, e.server, operator.Scheme())
	image := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	image.Spec.RegistrySources.InsecureRegistries = []string{e.host}
	e.create(t, image)
	e.controller = &controller.Imports{Client: recorder{e.Client, e}, Events: e.events, Interval: interval, Now: func() time.Time {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.now
	}}
	return e
}

// configure writes the configuration with the cluster's mode.
func (e *env) configure(t *testing.T, cluster imagev1.ImportModeType) {
	t.Helper()
	content := "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\nimagePolicyConfig:\n  imageStreamImportMode: " + string(cluster) + "\n"
	if err := os.WriteFile(e.config, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// flip changes the cluster's mode, with the rollout that this takes.
func (e *env) flip(t *testing.T, cluster imagev1.ImportModeType) {
	t.Helper()
	e.configure(t, cluster)
	if err := e.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A recorder is a client that notes the imports it sends.
type recorder struct {
	client.Client
	e *env
}

func (r recorder) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	if request, ok := obj.(*imagev1.ImageStreamImport); ok {
		r.e.mu.Lock()
		r.e.sent = append(r.e.sent, request.DeepCopy())
		r.e.mu.Unlock()
	}
	return r.Client.Create(ctx, obj, opts...)
}

func (e *env) create(t *testing.T, obj client.Object) {
	t.Helper()
	if err := e.Create(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
}

// reconcile lets the controller look at the stream once, and returns the tags that it
// imports: "tag mode", and "* mode" for a repository.
func (e *env) reconcile(t *testing.T, name string) (sent string, again time.Duration) {
	t.Helper()
	result, err := e.controller.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Namespace: demo, Name: name}})
	if err != nil {
		t.Fatal(err)
	}
	return e.taken(), result.RequeueAfter
}

func (e *env) taken() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var tags []string
	for _, request := range e.sent {
		for _, image := range request.Spec.Images {
			tags = append(tags, strings.TrimSpace(image.To.Name+" "+string(image.ImportPolicy.ImportMode)))
		}
		if repository := request.Spec.Repository; repository != nil {
			tags = append(tags, strings.TrimSpace("* "+string(repository.ImportPolicy.ImportMode)))
			if repository.ImportPolicy.Insecure {
				tags[len(tags)-1] += " insecure"
			}
		}
	}
	e.sent = nil
	return strings.Join(tags, ", ")
}

// pass moves the clock.
func (e *env) pass(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now = e.now.Add(d)
}

func (e *env) stream(t *testing.T, name string) *imagev1.ImageStream {
	t.Helper()
	var s imagev1.ImageStream
	if err := e.Get(t.Context(), client.ObjectKey{Namespace: demo, Name: name}, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// newest is the image that the tag points to, empty if there is none.
func (e *env) newest(t *testing.T, name, tag string) string {
	t.Helper()
	return newestOf(e.stream(t, name), tag)
}

func newestOf(s *imagev1.ImageStream, tag string) string {
	for _, history := range s.Status.Tags {
		if history.Tag == tag && len(history.Items) > 0 {
			return history.Items[0].Image
		}
	}
	return ""
}

// failure is the reason of the condition of the tag and the generation of both.
func (e *env) failure(t *testing.T, name, tag string) string {
	t.Helper()
	s := e.stream(t, name)
	for _, history := range s.Status.Tags {
		if history.Tag == tag && len(history.Conditions) > 0 {
			c := history.Conditions[0]
			return fmt.Sprintf("%s of generation %d, tag %d", c.Reason, c.Generation, *s.Spec.Tags[0].Generation)
		}
	}
	return ""
}

// store writes a stream past the API server, as an older one has.
func (e *env) store(t *testing.T, stream *imagev1.ImageStream) {
	t.Helper()
	stream.TypeMeta = metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}
	content, err := json.Marshal(stream)
	if err != nil {
		t.Fatal(err)
	}
	etcd, err := e.server.Etcd()
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := etcd.Put(ctx, launch.StoragePrefix+"/image.openshift.io/imagestreams/"+demo+"/"+stream.Name, string(content)); err != nil {
		t.Fatal(err)
	}
}

func streamOf(name string, tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: demo, Name: name}, Spec: imagev1.ImageStreamSpec{Tags: tags}}
}

func tagOf(name, from string, mode imagev1.ImportModeType) imagev1.TagReference {
	return imagev1.TagReference{
		Name: name, From: &corev1.ObjectReference{Kind: "DockerImage", Name: from},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode}, ReferencePolicy: imagev1.TagReferencePolicy{Type: imagev1.SourceTagReferencePolicy},
	}
}

func scheduled(tag imagev1.TagReference) imagev1.TagReference {
	tag.ImportPolicy.Scheduled = true
	return tag
}

// eventually waits for what a running controller does.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: never", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
