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
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/osimagestream/controller"
	"github.com/polyarch/polyarch/osimagestream"
)

// TestMain makes the test binary be the apiserver too.
func TestMain(m *testing.M) { testserver.Main(m) }

// An env is an apiserver with a client of it, and a client of its storage.
type env struct {
	client.Client
	config *rest.Config
	etcd   *clientv3.Client
}

func boot(t *testing.T) env {
	t.Helper()
	s := testserver.Start(t)
	etcd, err := s.Etcd()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { etcd.Close() })
	return env{testserver.Client(t, s, operator.Scheme()), s.Config(), etcd}
}

// tb is what testing and rapid have in common.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

// store makes the singleton be as given, nil for none, past all checks: some
// states that must be dealt with could be written only to older CRDs.
func (e env) store(ctx context.Context, t tb, o *mcfgv1.OSImageStream) *mcfgv1.OSImageStream {
	t.Helper()
	key := launch.StoragePrefix + "/" + mcfgv1.GroupName + "/osimagestreams/" + osimagestream.Name
	if o == nil {
		if _, err := e.etcd.Delete(ctx, key); err != nil {
			t.Fatalf("%v", err)
		}
		return nil
	}
	o = o.DeepCopy()
	o.UID, o.Generation, o.CreationTimestamp, o.ResourceVersion = "00000000-0000-4000-8000-000000000000", 1, metav1.Now(), ""
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	value := string(data)
	if o.Spec.DefaultStream == "" {
		// The type leaves an empty spec out; the older API wrote it.
		value = strings.TrimSuffix(value, "}") + `,"spec":{}}`
	}
	if _, err := e.etcd.Put(ctx, key, value); err != nil {
		t.Fatalf("%v", err)
	}
	return e.singleton(ctx, t)
}

// singleton returns the OSImageStream, nil if there is none.
func (e env) singleton(ctx context.Context, t tb) *mcfgv1.OSImageStream {
	t.Helper()
	o := new(mcfgv1.OSImageStream)
	err := e.Get(ctx, client.ObjectKey{Name: osimagestream.Name}, o)
	if client.IgnoreNotFound(err) != nil {
		t.Fatalf("%v", err)
	}
	if err != nil {
		return nil
	}
	return o
}

// A site is a cluster's registry, its releases, and the operator's controllers.
type site struct {
	env
	host    string
	streams *controller.Streams
	pools   *controller.Pools
	events  *record.FakeRecorder
	// refuse, if set, answers a request to the registry in its place.
	refuse   func(http.ResponseWriter, *http.Request) bool
	requests []string // to the registry, for manifests
}

const (
	version = "5.0.0"
	build   = "abc123"
)

func newSite(t *testing.T, flavor osimagestream.Flavor) *site {
	t.Helper()
	s := &site{env: boot(t), events: record.NewFakeRecorder(1000)}
	r, err := registry.Start(registry.Options{Wrap: s.watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	s.host = r.Host
	s.streams = &controller.Streams{
		Client: s.env, Live: s.env, Events: s.events, Flavor: flavor, Version: version, Build: build,
		Releases: map[string]string{}, Labels: controller.Registry{Secrets: s.env}.Labels,
	}
	s.pools = &controller.Pools{Client: s.env, Build: build, Now: metav1.Now}
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: controller.Namespace}},
		&configv1.Infrastructure{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}},
		&configv1.FeatureGate{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}},
		&configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}, Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"}},
	} {
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s.gates(t, osimagestream.Gate)
	return s
}

// watch notes the requests for manifests, and lets refuse answer.
func (s *site) watch(next http.Handler) http.Handler {
	var lock sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		if s.refuse != nil && s.refuse(w, req) {
			return
		}
		if req.Method == http.MethodGet && strings.Contains(req.URL.Path, "/manifests/") {
			s.requests = append(s.requests, req.URL.Path)
		}
		next.ServeHTTP(w, req)
	})
}

// gates enables features for the version.
func (s *site) gates(t *testing.T, names ...configv1.FeatureGateName) {
	t.Helper()
	g := new(configv1.FeatureGate)
	if err := s.Get(t.Context(), client.ObjectKey{Name: "cluster"}, g); err != nil {
		t.Fatal(err)
	}
	details := configv1.FeatureGateDetails{Version: version, Enabled: []configv1.FeatureGateAttributes{}, Disabled: []configv1.FeatureGateAttributes{}}
	for _, n := range names {
		details.Enabled = append(details.Enabled, configv1.FeatureGateAttributes{Name: n})
	}
	g.Status.FeatureGates = []configv1.FeatureGateDetails{details}
	if err := s.Status().Update(t.Context(), g); err != nil {
		t.Fatal(err)
	}
}

// push makes an image with those labels and returns its pull spec; two architectures
// make an index of two images.
func (s *site) push(t *testing.T, repository string, labels map[string]string, architectures ...string) string {
	t.Helper()
	ref, err := name.ParseReference(s.host + "/okd/" + repository)
	if err != nil {
		t.Fatal(err)
	}
	var index v1.ImageIndex = empty.Index
	var last v1.Image
	for _, a := range append(architectures, "amd64")[:max(1, len(architectures))] {
		config := v1.ConfigFile{OS: "linux", Architecture: a, Config: v1.Config{Labels: labels}}
		if last, err = mutate.ConfigFile(empty.Image, &config); err != nil {
			t.Fatal(err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: last, Descriptor: v1.Descriptor{Platform: config.Platform()}})
	}
	digest := func(o interface{ Digest() (v1.Hash, error) }) string {
		h, err := o.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return ref.Context().Digest(h.String()).String()
	}
	if len(architectures) > 1 {
		if err := remote.WriteIndex(ref, index); err != nil {
			t.Fatal(err)
		}
		return digest(index)
	}
	if err := remote.Write(ref, last); err != nil {
		t.Fatal(err)
	}
	return digest(last)
}

// release publishes image-references with those tags, and makes it the release
// that the cluster runs.
func (s *site) release(t *testing.T, n int, tags map[string]string) {
	t.Helper()
	is := imagev1.ImageStream{TypeMeta: metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}}
	for tag, image := range tags {
		is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{Name: tag, From: &corev1.ObjectReference{Kind: "DockerImage", Name: image}})
	}
	data, err := json.Marshal(is)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "release-manifests"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "release-manifests", "image-references"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	image := fmt.Sprintf("quay.io/okd/release@sha256:%064d", n)
	s.streams.Releases[image] = dir
	cv := new(configv1.ClusterVersion)
	if err := s.Get(t.Context(), client.ObjectKey{Name: "version"}, cv); err != nil {
		t.Fatal(err)
	}
	cv.Status.Desired = configv1.Release{Version: version, Image: image}
	if err := s.Status().Update(t.Context(), cv); err != nil {
		t.Fatal(err)
	}
}

// reconcile runs the controllers once, over the singleton and all pools.
func (s *site) reconcile(t *testing.T) {
	t.Helper()
	if err := s.look(t); err != nil {
		t.Fatal(err)
	}
	var pools mcfgv1.MachineConfigPoolList
	if err := s.List(t.Context(), &pools); err != nil {
		t.Fatal(err)
	}
	for _, p := range pools.Items {
		if _, err := s.pools.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: p.Name}}); err != nil {
			t.Fatal(err)
		}
	}
}

// restart starts the operator anew, as that of another build.
func (s *site) restart(build string) {
	old := s.streams
	s.streams = &controller.Streams{
		Client: old.Client, Live: old.Live, Events: old.Events, Flavor: old.Flavor, Version: old.Version, Build: build,
		Releases: old.Releases, Labels: old.Labels,
	}
	s.pools.Build = build
}

// look runs the controller of the singleton once.
func (s *site) look(t *testing.T) error {
	t.Helper()
	_, err := s.streams.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: osimagestream.Name}})
	return err
}
