package controller_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/hypershift/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

func clientOf(t *testing.T, s *launch.Server) client.Client {
	t.Helper()
	return testserver.Client(t, s, operator.Scheme())
}

// TestHostedAPIServer runs both controllers against a management cluster, and a hosted
// openshift-apiserver that starts with the file that they write: new image streams of
// a hosted cluster with a multi payload keep whole manifest lists.
func TestHostedAPIServer(t *testing.T) {
	management := startManagement(t)
	h := newHostedCluster(t, clientOf(t, management), "clusters", generated)
	file := filepath.Join(t.TempDir(), "openshift-apiserver.yaml")
	if err := os.WriteFile(file, []byte(generated), 0o600); err != nil {
		t.Fatal(err)
	}
	hosted, err := launch.Start(t.Context(), launch.Options{
		Command: testserver.Command(t), DataDir: t.TempDir(), ConfigFile: file,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hosted.Stop(); err != nil {
			t.Error(err)
		}
	})
	mgr, err := operator.NewManager(management.Config(), operator.Scheme())
	if err != nil {
		t.Fatal(err)
	}
	restarted := make(chan struct{}, 10)
	for _, r := range []interface{ SetupWithManager(manager.Manager) error }{
		&controller.ImportMode{Client: mgr.GetClient(), Events: h.events},
		&controller.Serve{Client: mgr.GetClient(), HostedCluster: h.key, ConfigFile: file, Restart: func(ctx context.Context) error {
			err := hosted.Restart(ctx)
			restarted <- struct{}{}
			return err
		}},
	} {
		h.must(r.SetupWithManager(mgr))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	wait := func(what string) {
		t.Helper()
		select {
		case <-restarted:
		case <-time.After(time.Minute):
			t.Fatalf("%s: no rollout", what)
		}
	}
	wait("the configuration as it was generated")
	hostedClient := clientOf(t, hosted)
	h.must(hostedClient.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "demo"}}))
	streamMode := func(name string) imagev1.ImportModeType {
		t.Helper()
		is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: "demo", Name: name}}
		is.Spec.Tags = []imagev1.TagReference{{Name: "latest", From: &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/demo/app:latest"}}}
		err := client.IgnoreAlreadyExists(hostedClient.Create(t.Context(), is))
		h.must(err)
		h.must(hostedClient.Get(t.Context(), client.ObjectKeyFromObject(is), is))
		return is.Spec.Tags[0].ImportPolicy.ImportMode
	}
	if got := streamMode("before"); got != imagev1.ImportModeLegacy {
		t.Errorf("with the configuration as HyperShift generates it, a stream has mode %q", got)
	}
	h.must(h.setPayloadArch("Multi"))
	wait("a multi payload")
	if got := streamMode("after"); got != imagev1.ImportModePreserveOriginal {
		t.Errorf("with a multi payload, a stream has mode %q", got)
	}
	if got := streamMode("before"); got != imagev1.ImportModeLegacy {
		t.Errorf("the stream that was there has mode %q", got)
	}
	h.must(h.override("Legacy"))
	wait("an override")
	if got := streamMode("overridden"); got != imagev1.ImportModeLegacy {
		t.Errorf("with an override, a stream has mode %q", got)
	}
	// HyperShift renders without a mode; no event of the HostedCluster follows.
	h.must(h.c.Update(t.Context(), configMap(h.key, generated)))
	wait("rendered anew")
	deadline := time.After(time.Minute)
	for got, _ := h.config(); got != configured("Legacy"); got, _ = h.config() {
		select {
		case <-deadline:
			t.Fatalf("the mode did not come back:\n%s", got)
		case <-time.After(20 * time.Millisecond):
		}
	}
	select {
	case <-restarted:
		t.Log("rolled out once without the mode")
	default:
	}
}

// testRollouts: one that failed is tried again, one that succeeded is not, and the
// configuration of another hosted cluster is nobody's business.
func testRollouts(t *testing.T, c client.Client) {
	h := newHostedCluster(t, c, "rollouts", generated)
	restarts, fail := 0, true
	serve := &controller.Serve{
		Client: h.c, HostedCluster: h.key, ConfigFile: filepath.Join(t.TempDir(), "config.yaml"),
		Restart: func(context.Context) error {
			restarts++
			if fail {
				return errors.New("no node is free")
			}
			return nil
		},
	}
	this := reconcile.Request{NamespacedName: controller.ConfigMapOf(h.key)}
	if _, err := serve.Reconcile(t.Context(), this); err == nil {
		t.Error("the failed restart went unnoticed")
	}
	fail = false
	for range 3 {
		if _, err := serve.Reconcile(t.Context(), this); err != nil {
			t.Fatal(err)
		}
	}
	if restarts != 2 {
		t.Errorf("%d restarts, want the failed one and one more", restarts)
	}
	got, err := os.ReadFile(serve.ConfigFile)
	if err != nil || string(got) != generated {
		t.Errorf("config file %q, %v", got, err)
	}
	other := newHostedCluster(t, h.c, "others", configured("Legacy"))
	if _, err := serve.Reconcile(t.Context(), reconcile.Request{NamespacedName: controller.ConfigMapOf(other.key)}); err != nil || restarts != 2 {
		t.Errorf("the configuration of another: %v, %d restarts", err, restarts)
	}
}
