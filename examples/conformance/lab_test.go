package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	clusterversion "github.com/polyarch/polyarch/examples/clusterversion/controller"
	imageregistry "github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/interrupt"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	openshiftapiserver "github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
	"github.com/polyarch/polyarch/payloadarch"
)

// commandEnv makes the test binary be the command, with the arguments that it
// holds, one a line.
const commandEnv = "POLYARCH_TEST_COMMAND"

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if args, ok := os.LookupEnv(commandEnv); ok {
		ctx, stop := interrupt.Context(context.Background())
		defer stop()
		os.Exit(command(ctx, strings.Split(args, "\n"), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// The releases of the lab, as the walkthrough has them.
const (
	version     = "4.20.0"
	singleImage = "quay.example.com/release@sha256:2020202020202020202020202020202020202020202020202020202020202020"
	multiImage  = "quay.example.com/release@sha256:2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a"
)

// observedLegacy is the observed config at rest.
const observedLegacy = `{"imagePolicyConfig":{"imageStreamImportMode":"Legacy"}}`

// A lab is the reference apiserver with the singletons of a cluster. Operators
// come and go.
type lab struct {
	server     *launch.Server
	client     client.Client
	configFile string
	releases   map[string]string
	restart    func(context.Context) error // of a rollout
}

func newLab(t *testing.T) *lab {
	t.Helper()
	dir := t.TempDir()
	l := &lab{configFile: filepath.Join(dir, "openshift-apiserver.yaml"), releases: map[string]string{}}
	rendered, err := openshiftapiserver.Render([]byte(observedLegacy))
	if err != nil {
		t.Fatal(err)
	}
	// The server starts with what it would be rolled out with.
	if err := os.WriteFile(l.configFile, rendered, 0o600); err != nil {
		t.Fatal(err)
	}
	l.server, err = launch.Start(t.Context(), launch.Options{
		Command: testserver.Command(t), DataDir: filepath.Join(dir, "apiserver"),
		ConfigFile: l.configFile, Flags: []string{"--serve-passthrough"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.server.Stop(); err != nil {
			t.Error(err)
		}
	})
	l.restart = l.server.Restart
	if l.client, err = client.New(l.config(), client.Options{Scheme: operator.Scheme()}); err != nil {
		t.Fatal(err)
	}
	l.release(t, dir, singleImage, "")
	l.release(t, dir, multiImage, `"release.openshift.io/architecture":"multi"`)
	l.install(t)
	return l
}

// release makes a directory as the cluster version operator reads it.
func (l *lab) release(t *testing.T, dir, image, metadata string) {
	t.Helper()
	l.releases[image] = filepath.Join(dir, "release-"+image[len(image)-2:])
	manifests := filepath.Join(l.releases[image], "release-manifests")
	if err := os.MkdirAll(manifests, 0o700); err != nil {
		t.Fatal(err)
	}
	content := fmt.Sprintf(`{"kind":"cincinnati-metadata-v0","version":%q,"metadata":{%s}}`, version, metadata)
	if err := os.WriteFile(filepath.Join(manifests, "release-metadata"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// install makes the singletons, as the operators would have them in the end.
func (l *lab) install(t *testing.T) {
	t.Helper()
	named := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }
	apiserver := &operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")}
	apiserver.Spec.ManagementState = operatorv1.Managed
	apiserver.Spec.ObservedConfig.Raw = []byte(observedLegacy)
	now := metav1.Now()
	for _, obj := range []client.Object{
		apiserver,
		&configv1.ClusterOperator{ObjectMeta: named("image-registry")},
		&configv1.Image{ObjectMeta: named("cluster"), Status: configv1.ImageStatus{ImageStreamImportMode: configv1.ImportModeLegacy}},
		&configv1.FeatureGate{ObjectMeta: named("cluster"), Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{{
			Version: version, Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}, Disabled: []configv1.FeatureGateAttributes{},
		}}}},
		&configv1.ClusterVersion{
			ObjectMeta: named("version"),
			Spec:       configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"},
			Status: configv1.ClusterVersionStatus{
				Desired: configv1.Release{Version: version, Image: singleImage},
				History: []configv1.UpdateHistory{{
					State: configv1.CompletedUpdate, StartedTime: now, CompletionTime: &now, Version: version, Image: singleImage,
				}},
			},
		},
	} {
		status := obj.DeepCopyObject().(client.Object)
		if err := l.client.Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		// A create leaves the status out.
		status.SetResourceVersion(obj.GetResourceVersion())
		if err := l.client.Status().Update(t.Context(), status); err != nil {
			t.Fatal(err)
		}
	}
}

// config is for clients that wait while the server is rolled out, as they would
// behind a load balancer.
func (l *lab) config() *rest.Config {
	config := l.server.Config()
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		l.server.Running() // answers when no restart is under way
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, address)
	}
	return config
}

// A controller is an adapter, or one broken on purpose.
type controller interface{ SetupWithManager(manager.Manager) error }

// operators are the adapters of the chain. A field that is set stands in for the
// adapter of the examples.
type operators struct {
	importMode, observe controller
	versionClient       func(client.Client) client.Client
}

// run starts the operators and returns when the cluster is at rest. They end with
// the test.
func (l *lab) run(t *testing.T, o operators) {
	t.Helper()
	events := record.NewFakeRecorder(0)
	events.Events = nil // nobody reads them
	l.start(t, func(_ context.Context, mgr manager.Manager) error {
		all := []controller{
			&imageregistry.ImportMode{Client: mgr.GetClient(), Events: events},
			&openshiftapiserver.Observe{Client: mgr.GetClient(), Events: events},
			&openshiftapiserver.Rollout{Client: mgr.GetClient(), ConfigFile: l.configFile, Restart: l.restart},
		}
		if o.importMode != nil {
			all[0] = o.importMode
		}
		if o.observe != nil {
			all[1] = o.observe
		}
		for _, c := range all {
			if err := c.SetupWithManager(mgr); err != nil {
				return err
			}
		}
		return nil
	})
	l.runVersion(t, o)
	l.settle(t)
}

// runVersion runs the cluster version operator of the release that is desired, and
// that of the next one when another is.
func (l *lab) runVersion(t *testing.T, o operators) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	startOwn := func(own string) (stop func()) {
		return l.launch(t, ctx, func(ctx context.Context, mgr manager.Manager) error {
			c := mgr.GetClient()
			if o.versionClient != nil {
				c = o.versionClient(c)
			}
			return (&clusterversion.Reconciler{Client: c, Own: own, Releases: l.releases, Now: metav1.Now}).SetupWithManager(ctx, mgr)
		})
	}
	own, done := singleImage, make(chan struct{})
	stop := startOwn(own)
	go func() {
		defer close(done)
		for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
			cv := &configv1.ClusterVersion{}
			if err := l.client.Get(ctx, client.ObjectKey{Name: "version"}, cv); err != nil {
				continue
			}
			if image := cv.Status.Desired.Image; image != "" && image != own {
				stop()
				own = image
				stop = startOwn(own)
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		stop()
	})
}

// start runs controllers until the test ends.
func (l *lab) start(t *testing.T, setup func(context.Context, manager.Manager) error) {
	t.Helper()
	t.Cleanup(l.launch(t, context.WithoutCancel(t.Context()), setup))
}

func (l *lab) launch(t *testing.T, ctx context.Context, setup func(context.Context, manager.Manager) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	mgr, err := operator.NewManager(l.config(), operator.Scheme())
	if err == nil {
		err = setup(ctx, mgr)
	}
	if err != nil {
		cancel()
		t.Errorf("operators: %v", err)
		return func() {}
	}
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("operators: %v", err)
		}
	}
}

// settle waits until every hop is Legacy and no rollout is under way.
func (l *lab) settle(t *testing.T) {
	t.Helper()
	image, apiserver, cv := &configv1.Image{}, &operatorv1.OpenShiftAPIServer{}, &configv1.ClusterVersion{}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := errors.Join(
			l.client.Get(t.Context(), client.ObjectKey{Name: "cluster"}, image),
			l.client.Get(t.Context(), client.ObjectKey{Name: "cluster"}, apiserver),
			l.client.Get(t.Context(), client.ObjectKey{Name: "version"}, cv))
		_, pending := os.Stat(l.configFile + ".pending")
		if err == nil && image.Status.ImageStreamImportMode == configv1.ImportModeLegacy && l.configured(t) == "Legacy" &&
			strings.Contains(string(apiserver.Spec.ObservedConfig.Raw), "Legacy") && os.IsNotExist(pending) &&
			len(cv.Status.History) > 0 && cv.Status.History[0].State == configv1.CompletedUpdate && cv.Status.Desired.Image == singleImage {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the cluster does not settle: %v, status %q, observed %s", err, image.Status.ImageStreamImportMode, apiserver.Spec.ObservedConfig.Raw)
		}
	}
}

// configured is the mode in the server's configuration file.
func (l *lab) configured(t testing.TB) string {
	content, err := os.ReadFile(l.configFile)
	if err != nil {
		t.Error(err)
	}
	var config struct {
		ImagePolicyConfig struct {
			ImageStreamImportMode string `json:"imageStreamImportMode"`
		} `json:"imagePolicyConfig"`
	}
	if err := yaml.Unmarshal(content, &config); err != nil {
		t.Error(err)
	}
	return config.ImagePolicyConfig.ImageStreamImportMode
}
