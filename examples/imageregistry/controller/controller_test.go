package controller_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/payloadarch"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// The facts arrive one after the other, in the worst order; the status must
// never hold what a later fact would take back.
func TestFactsArriveLate(t *testing.T) {
	ctx := t.Context()
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())
	image := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	if err := c.Create(ctx, image); err != nil {
		t.Fatal(err)
	}
	adapter := &controller.ImportMode{Client: c, Events: record.NewFakeRecorder(100)}
	expect := func(when string, want configv1.ImportModeType) {
		t.Helper()
		if _, err := adapter.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKey{Name: "cluster"}}); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(image), image); err != nil {
			t.Fatal(err)
		}
		if got := image.Status.ImageStreamImportMode; got != want {
			t.Errorf("%s: mode %q, want %q", when, got, want)
		}
	}
	expect("no ClusterVersion, no FeatureGate", "")

	cv := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}}
	cv.Spec.ClusterID = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"
	if err := c.Create(ctx, cv); err != nil {
		t.Fatal(err)
	}
	expect("a ClusterVersion without a status", "")

	now := metav1.Now()
	cv.Status.Desired = configv1.Release{Version: "4.20.0", Image: "example.com/release:4.20.0"}
	cv.Status.History = []configv1.UpdateHistory{{
		State: configv1.CompletedUpdate, Version: "4.20.0", Image: "example.com/release:4.20.0", StartedTime: now, CompletionTime: &now,
	}}
	if err := c.Status().Update(ctx, cv); err != nil {
		t.Fatal(err)
	}
	expect("an empty architecture, and no FeatureGate yet", "")

	gates := &configv1.FeatureGate{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	if err := c.Create(ctx, gates); err != nil {
		t.Fatal(err)
	}
	expect("a FeatureGate that knows no version", "")

	gates.Status.FeatureGates = []configv1.FeatureGateDetails{{
		Version: "4.20.0", Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}, Disabled: []configv1.FeatureGateAttributes{},
	}}
	if err := c.Status().Update(ctx, gates); err != nil {
		t.Fatal(err)
	}
	expect("the gate is known and the update complete", configv1.ImportModeLegacy)

	cv.Status.Desired.Architecture = configv1.ClusterVersionArchitectureMulti
	if err := c.Status().Update(ctx, cv); err != nil {
		t.Fatal(err)
	}
	expect("Multi is reported", configv1.ImportModePreserveOriginal)

	if err := c.Delete(ctx, cv); err != nil {
		t.Fatal(err)
	}
	expect("the ClusterVersion is gone", configv1.ImportModePreserveOriginal)
}
