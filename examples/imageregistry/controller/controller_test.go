package controller_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/imageregistry/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/importmode"
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

// A single payload has its mode before the installation is complete, a ClusterVersion
// made anew reverts nothing, and a FeatureGate that is not there settles nothing.
func TestInstallation(t *testing.T) {
	ctx := t.Context()
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())
	image := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	cv := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}}
	cv.Spec.ClusterID = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"
	gates := &configv1.FeatureGate{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	for _, o := range []client.Object{image, cv} {
		if err := c.Create(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	history := func(state configv1.UpdateState) []configv1.UpdateHistory {
		h := configv1.UpdateHistory{State: state, Version: "4.20.0", Image: "example.com/release:4.20.0", StartedTime: metav1.Now()}
		if state == configv1.CompletedUpdate {
			h.CompletionTime = &h.StartedTime
		}
		return []configv1.UpdateHistory{h}
	}
	report := func(architecture configv1.ClusterVersionArchitecture, state configv1.UpdateState) {
		t.Helper()
		cv.Status.Desired = configv1.Release{Version: "4.20.0", Image: "example.com/release:4.20.0", Architecture: architecture}
		cv.Status.History = history(state)
		if err := c.Status().Update(ctx, cv); err != nil {
			t.Fatal(err)
		}
	}
	adapter := &controller.ImportMode{Client: c, Events: record.NewFakeRecorder(100)}
	expect := func(when string, want configv1.ImportModeType) {
		t.Helper()
		reconcileOnce(t, adapter)
		if err := c.Get(ctx, client.ObjectKeyFromObject(image), image); err != nil {
			t.Fatal(err)
		}
		if got := image.Status.ImageStreamImportMode; got != want {
			t.Errorf("%s: mode %q, want %q", when, got, want)
		}
	}
	report("", configv1.PartialUpdate)
	expect("no FeatureGate yet", "")
	report("", configv1.CompletedUpdate)
	expect("complete, and no FeatureGate yet", "")
	report("", configv1.PartialUpdate)
	if err := c.Create(ctx, gates); err != nil {
		t.Fatal(err)
	}
	gates.Status.FeatureGates = []configv1.FeatureGateDetails{{
		Version: "4.20.0", Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}, Disabled: []configv1.FeatureGateAttributes{},
	}}
	if err := c.Status().Update(ctx, gates); err != nil {
		t.Fatal(err)
	}
	expect("the installation is under way", configv1.ImportModeLegacy)
	report(configv1.ClusterVersionArchitectureMulti, configv1.PartialUpdate)
	expect("it is one of a multi payload after all", configv1.ImportModePreserveOriginal)
	report("", configv1.PartialUpdate)
	expect("the ClusterVersion was made anew", configv1.ImportModePreserveOriginal)
	report("", configv1.CompletedUpdate)
	expect("the payload is single", configv1.ImportModeLegacy)
}

// Nodes that are all alike are worth a hint, once all of them have told.
func TestHomogeneousNodes(t *testing.T) {
	ctx := t.Context()
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())
	image := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}
	cv := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}}
	cv.Spec.ClusterID = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"
	for _, o := range []client.Object{image, cv} {
		if err := c.Create(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	cv.Status.Desired = configv1.Release{Version: "4.20.0", Image: "example.com/release:4.20.0", Architecture: configv1.ClusterVersionArchitectureMulti}
	if err := c.Status().Update(ctx, cv); err != nil {
		t.Fatal(err)
	}
	events := record.NewFakeRecorder(100)
	adapter := &controller.ImportMode{Client: c, Events: events}
	hints := func() (n int) {
		t.Helper()
		reconcileOnce(t, adapter)
		for len(events.Events) > 0 {
			if e := <-events.Events; strings.Contains(e, string(importmode.FindingHomogeneousNodes)) {
				n++
				if !strings.Contains(e, "every node is arm64") {
					t.Error(e)
				}
			}
		}
		return n
	}
	expect := func(when string, want int) {
		t.Helper()
		if got := hints(); got != want {
			t.Errorf("%s: %d hints, want %d", when, got, want)
		}
	}
	node := func(name, architecture string) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
		if architecture != "" {
			n.Labels[corev1.LabelArchStable] = architecture
		}
		if err := c.Create(ctx, n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	expect("no nodes", 0)
	node("a", "arm64")
	late := node("b", "")
	expect("one of two nodes has not told yet", 0)
	late.Labels = map[string]string{corev1.LabelArchStable: "arm64"}
	if err := c.Update(ctx, late); err != nil {
		t.Fatal(err)
	}
	expect("both are of one architecture", 1)
	expect("nothing has changed", 0)
	other := node("c", "amd64")
	expect("a node of another architecture", 0)
	if err := c.Delete(ctx, other); err != nil {
		t.Fatal(err)
	}
	expect("it is gone again", 1)
}

func reconcileOnce(t *testing.T, r reconcile.Reconciler) {
	t.Helper()
	if _, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: "cluster"}}); err != nil {
		t.Fatal(err)
	}
}
