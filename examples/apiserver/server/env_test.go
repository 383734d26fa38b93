package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/apiserver/server"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

// TestMain makes the test binary be the apiserver too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "apiserver" {
		if err := server.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, "apiserver:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testserver.Main(m)
}

var self = []string{os.Args[0], "apiserver"}

// openshiftAPIDir spares each server the search.
var openshiftAPIDir = sync.OnceValue(func() string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/openshift/api").Output()
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(dir))
})

// Who starts the server knows the prefix without linking it.
func TestStoragePrefix(t *testing.T) {
	if launch.StoragePrefix != server.StoragePrefix {
		t.Errorf("launch says %q, the server stores at %q", launch.StoragePrefix, server.StoragePrefix)
	}
}

// An env is a running apiserver, a client of it, and a client of its storage.
type env struct {
	*launch.Server
	client.Client
	etcd   *clientv3.Client
	config string // the OpenShiftAPIServerConfig
}

// boot gives the test an apiserver with the cluster's import mode. If something is to
// be changed about it, it is started anew.
func boot(t *testing.T, cluster imagev1.ImportModeType, change ...func(*launch.Options)) *env {
	t.Helper()
	e := new(env)
	flags := []string{"--openshift-api-dir=" + openshiftAPIDir()}
	if len(change) == 0 {
		e.Server, e.config = testserver.StartWith(t, testserver.Options{Command: self, Config: config(cluster), Flags: flags})
	} else {
		e.Server, e.config = bootWith(t, launch.Options{Command: self, Flags: flags}, cluster, change)
	}
	var err error
	if e.Client, err = client.New(e.Config(), client.Options{Scheme: testScheme(t)}); err != nil {
		t.Fatal(err)
	}
	if e.etcd, err = e.Etcd(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.etcd.Close() })
	return e
}

func bootWith(t *testing.T, options launch.Options, cluster imagev1.ImportModeType, change []func(*launch.Options)) (s *launch.Server, configFile string) {
	t.Helper()
	dir := t.TempDir()
	options.DataDir, options.ConfigFile = filepath.Join(dir, "data"), filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(options.ConfigFile, config(cluster), 0o600); err != nil {
		t.Fatal(err)
	}
	configFile = options.ConfigFile
	for _, f := range change {
		f(&options)
	}
	s, err := launch.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s, configFile
}

func testScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, configv1.Install, imagev1.Install, mcfgv1.Install, apiextensionsv1.AddToScheme} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func config(cluster imagev1.ImportModeType) []byte {
	return fmt.Appendf(nil, `apiVersion: openshiftcontrolplane.config.openshift.io/v1
kind: OpenShiftAPIServerConfig
imagePolicyConfig:
  imageStreamImportMode: %q
`, cluster)
}

// flip gives the apiserver another import mode, as a rollout does.
func (e *env) flip(t *testing.T, cluster imagev1.ImportModeType) {
	t.Helper()
	if err := os.WriteFile(e.config, config(cluster), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (e *env) create(t *testing.T, stream *imagev1.ImageStream) *imagev1.ImageStream {
	t.Helper()
	if err := e.Create(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	return stream
}

func (e *env) get(t *testing.T, name string) *imagev1.ImageStream {
	t.Helper()
	stream := new(imagev1.ImageStream)
	if err := e.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: name}, stream); err != nil {
		t.Fatal(err)
	}
	return stream
}

// stored returns the very bytes in etcd.
func (e *env) stored(t *testing.T, name string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	answer, err := e.etcd.Get(ctx, streamKey(name))
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Kvs) != 1 {
		t.Fatalf("etcd holds %d values for %s, want 1", len(answer.Kvs), streamKey(name))
	}
	return string(answer.Kvs[0].Value)
}

// store writes past the apiserver, as an older one would have done.
func (e *env) store(t *testing.T, stream *imagev1.ImageStream) {
	t.Helper()
	stream.TypeMeta = metav1.TypeMeta{APIVersion: "image.openshift.io/v1", Kind: "ImageStream"}
	content, err := json.Marshal(stream)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := e.etcd.Put(ctx, streamKey(stream.Name), string(content)); err != nil {
		t.Fatal(err)
	}
}

func streamKey(name string) string {
	return server.StoragePrefix + "/image.openshift.io/imagestreams/demo/" + name
}

// stream makes an image stream out of "tag", "tag=mode" and so on.
func stream(name string, tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{
		ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name},
		Spec:       imagev1.ImageStreamSpec{Tags: tags},
	}
}

func tag(name string, mode imagev1.ImportModeType) imagev1.TagReference {
	return imagev1.TagReference{
		Name:            name,
		From:            &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/x/y:" + name},
		ImportPolicy:    imagev1.TagImportPolicy{ImportMode: mode},
		ReferencePolicy: imagev1.TagReferencePolicy{Type: imagev1.SourceTagReferencePolicy},
	}
}

// A tagState is what the strategy decides about a tag.
type tagState struct {
	Name       string
	Mode       imagev1.ImportModeType
	Generation int64 // -1: none
}

func states(s *imagev1.ImageStream) []tagState {
	out := make([]tagState, 0, len(s.Spec.Tags))
	for _, t := range s.Spec.Tags {
		state := tagState{t.Name, t.ImportPolicy.ImportMode, -1}
		if t.Generation != nil {
			state.Generation = *t.Generation
		}
		out = append(out, state)
	}
	return out
}
