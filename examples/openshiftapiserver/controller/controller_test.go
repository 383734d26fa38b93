package controller_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
)

func TestMain(m *testing.M) { testserver.Main(m) }

var theCluster = reconcile.Request{NamespacedName: client.ObjectKey{Name: "cluster"}}

func create(t *testing.T, c client.Client, observed string) *operatorv1.OpenShiftAPIServer {
	t.Helper()
	obj := &operatorv1.OpenShiftAPIServer{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	obj.Spec.ManagementState = operatorv1.Managed
	if observed != "" {
		obj.Spec.ObservedConfig = runtime.RawExtension{Raw: []byte(observed)}
	}
	if err := c.Create(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	return obj
}

func TestAdapters(t *testing.T) {
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())

	t.Run("what other observers wrote stays, and events tell of changes only", func(t *testing.T) {
		obj := create(t, c, `{"imagePolicyConfig":{"internalRegistryHostname":"registry.svc:5000"},"routingConfig":{"subdomain":"apps"}}`)
		defer c.Delete(t.Context(), obj)
		image := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
		if err := c.Create(t.Context(), image); err != nil {
			t.Fatal(err)
		}
		events := record.NewFakeRecorder(10)
		observe := &controller.Observe{Client: c, Events: events}
		for _, tc := range []struct {
			status     configv1.ImportModeType
			want       string
			wantEvents int
		}{
			{"", `{"imagePolicyConfig":{"internalRegistryHostname":"registry.svc:5000"},"routingConfig":{"subdomain":"apps"}}`, 0},
			{"Legacy", `{"imagePolicyConfig":{"imageStreamImportMode":"Legacy","internalRegistryHostname":"registry.svc:5000"},"routingConfig":{"subdomain":"apps"}}`, 1},
			{"Legacy", `{"imagePolicyConfig":{"imageStreamImportMode":"Legacy","internalRegistryHostname":"registry.svc:5000"},"routingConfig":{"subdomain":"apps"}}`, 0},
			{"PreserveOriginal", `{"imagePolicyConfig":{"imageStreamImportMode":"PreserveOriginal","internalRegistryHostname":"registry.svc:5000"},"routingConfig":{"subdomain":"apps"}}`, 1},
			{"", `{"imagePolicyConfig":{"internalRegistryHostname":"registry.svc:5000"},"routingConfig":{"subdomain":"apps"}}`, 1},
		} {
			image.Status.ImageStreamImportMode = tc.status
			if err := c.Status().Update(t.Context(), image); err != nil {
				t.Fatal(err)
			}
			if _, err := observe.Reconcile(t.Context(), theCluster); err != nil {
				t.Fatal(err)
			}
			if err := c.Get(t.Context(), theCluster.NamespacedName, obj); err != nil {
				t.Fatal(err)
			}
			var got, want any
			for _, j := range []struct {
				text string
				into *any
			}{{string(obj.Spec.ObservedConfig.Raw), &got}, {tc.want, &want}} {
				if err := json.Unmarshal([]byte(j.text), j.into); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("status %q: observed config (-want +got):\n%s", tc.status, diff)
			}
			if n := len(events.Events); n != tc.wantEvents {
				t.Errorf("status %q: %d events, want %d", tc.status, n, tc.wantEvents)
			}
			for len(events.Events) > 0 {
				<-events.Events
			}
		}
	})

	t.Run("a rollout that failed is tried again, one that succeeded is not", func(t *testing.T) {
		obj := create(t, c, `{"imagePolicyConfig":{"imageStreamImportMode":"Legacy"}}`)
		defer c.Delete(t.Context(), obj)
		restarts, fail := 0, true
		rollout := &controller.Rollout{
			Client: c, ConfigFile: filepath.Join(t.TempDir(), "config.yaml"),
			Restart: func(context.Context) error {
				restarts++
				if fail {
					return errors.New("no node is free")
				}
				return nil
			},
		}
		if _, err := rollout.Reconcile(t.Context(), theCluster); err == nil {
			t.Error("the failed restart went unnoticed")
		}
		fail = false
		// A new process knows of the failure by the mark alone.
		again := &controller.Rollout{Client: c, ConfigFile: rollout.ConfigFile, Restart: rollout.Restart}
		for range 3 {
			if _, err := again.Reconcile(t.Context(), theCluster); err != nil {
				t.Fatal(err)
			}
		}
		if restarts != 2 {
			t.Errorf("%d restarts, want the failed one and one more", restarts)
		}
		got, err := os.ReadFile(rollout.ConfigFile)
		if err != nil {
			t.Fatal(err)
		}
		want := "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nimagePolicyConfig:\n  imageStreamImportMode: Legacy\nkind: OpenShiftAPIServerConfig\n"
		if string(got) != want {
			t.Errorf("config file:\n%s\nwant:\n%s", got, want)
		}
	})
}
