package controller_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/hypershift/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/payloadarch"
)

// hostedVersion is the API of a hosted cluster whose payload is that, and has been for
// a while.
func hostedVersion(architecture configv1.ClusterVersionArchitecture, gates bool) client.Reader {
	objects := []client.Object{&configv1.ClusterVersion{
		ObjectMeta: metav1.ObjectMeta{Name: "version"},
		Status: configv1.ClusterVersionStatus{
			Desired: configv1.Release{Version: "4.20.0", Image: "release", Architecture: architecture},
			History: []configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: "4.20.0", Image: "release"}},
		},
	}}
	if gates {
		objects = append(objects, &configv1.FeatureGate{
			ObjectMeta: metav1.ObjectMeta{Name: "cluster"},
			Status: configv1.FeatureGateStatus{FeatureGates: []configv1.FeatureGateDetails{
				{Version: "4.20.0", Enabled: []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}}},
			}},
		})
	}
	return fake.NewClientBuilder().WithScheme(operator.Scheme()).WithObjects(objects...).Build()
}

// TestAdapter starts one management cluster for all that needs no more.
func TestAdapter(t *testing.T) {
	c := clientOf(t, startManagement(t))
	for name, test := range map[string]func(*testing.T, client.Client){
		"ImportMode":                  testImportMode,
		"the mode outlives rendering": testModeOutlivesRendering,
		"what cannot be read":         testWhatCannotBeReadIsAnError,
		"nothing to do":               testNothingToDo,
		"the definition":              testDefinition,
		"rollouts":                    testRollouts,
	} {
		t.Run(name, func(t *testing.T) { test(t, c) })
	}
}

func testImportMode(t *testing.T, c client.Client) {
	for n, tc := range []struct {
		name        string
		config      string // generated, unless set
		payloadArch string
		spec        string
		hosted      client.Reader // the hosted cluster's own API
		want        string        // in the ConfigMap; "" for untouched
		events      []string      // their beginnings
	}{
		{name: "multi payload", payloadArch: "Multi", want: configured("PreserveOriginal"),
			events: []string{`Normal MultiPayload the hosted openshift-apiserver rolls out: its import mode "" is now "PreserveOriginal"; the payload is Multi (Hosted)`}},
		{name: "single payload", payloadArch: "ARM64", want: configured("Legacy"),
			events: []string{`Normal SinglePayload the hosted openshift-apiserver rolls out: its import mode "" is now "Legacy"; the payload is Single (Hosted)`}},
		{name: "not inspected yet, no hosted API"},
		{name: "not inspected any more, no hosted API: the mode stays", config: configured("PreserveOriginal")},
		{name: "not inspected, a hosted API that knows nothing", hosted: fake.NewClientBuilder().WithScheme(operator.Scheme()).Build()},
		{name: "not inspected, the hosted ClusterVersion says multi", hosted: hostedVersion(configv1.ClusterVersionArchitectureMulti, true), want: configured("PreserveOriginal"),
			events: []string{`Normal MultiPayload `, `Normal HostedClusterVersion `}},
		{name: "not inspected, the hosted ClusterVersion says single", hosted: hostedVersion("", true), want: configured("Legacy"),
			events: []string{`Normal SinglePayload `, `Normal HostedClusterVersion `}},
		{name: "not inspected, the hosted cluster has no FeatureGate yet", hosted: hostedVersion("", false),
			events: []string{`Normal HostedClusterVersion `}},
		{name: "overridden", payloadArch: "Multi", spec: "Legacy", want: configured("Legacy"),
			events: []string{`Normal SpecOverride `}},
		{name: "overridden before anything is known", spec: "PreserveOriginal", want: configured("PreserveOriginal"),
			events: []string{`Normal SpecOverride `}},
		{name: "the mode is there", config: configured("PreserveOriginal"), payloadArch: "Multi"},
		{name: "a mode that is none", config: configured("Sometimes"), payloadArch: "Multi", want: configured("PreserveOriginal"),
			events: []string{`Normal MultiPayload `, `Normal UnknownCurrentMode the configuration of the hosted openshift-apiserver: `}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			config := tc.config
			if config == "" {
				config = generated
			}
			h := newHostedCluster(t, c, "clusters-"+string(rune('a'+n)), config)
			h.must(h.setPayloadArch(tc.payloadArch))
			if tc.spec != "" {
				h.must(h.override(tc.spec))
			}
			h.mode.Hosted = hostedAPI(tc.hosted, nil)
			if tc.payloadArch != "" {
				h.mode.Hosted = hostedAPI(nil, errors.New("asked although the HostedCluster says it"))
			}
			_, before := h.config()
			result, err := h.reconcile()
			h.must(err)
			if asked := result.RequeueAfter == time.Minute; asked != (tc.payloadArch == "") {
				t.Errorf("asks again after %s", result.RequeueAfter)
			}
			got, version := h.config()
			want := tc.want
			if want == "" {
				want = config
				if version != before {
					t.Error("written, although nothing changes")
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
			events := h.said()
			if len(events) != len(tc.events) {
				t.Errorf("events %q, want %q", events, tc.events)
			}
			for i := range min(len(events), len(tc.events)) {
				if !strings.HasPrefix(events[i], tc.events[i]) {
					t.Errorf("event %q, want %q", events[i], tc.events[i])
				}
			}

			// Once more, with what was written.
			if _, err := h.reconcile(); err != nil {
				t.Fatal(err)
			}
			if _, again := h.config(); again != version {
				t.Error("written twice")
			}
			// What is odd about the mode before is gone with it.
			if events := h.said(); len(events) > 0 {
				t.Errorf("said again: %q", events)
			}
		})
	}
}

// testModeOutlivesRendering: HyperShift renders the configuration from its own manifest,
// in which there is no mode.
func testModeOutlivesRendering(t *testing.T, c client.Client) {
	h := newHostedCluster(t, c, "rendered", generated)
	h.must(h.setPayloadArch("Multi"))
	for range 2 {
		if _, err := h.reconcile(); err != nil {
			t.Fatal(err)
		}
		if got, _ := h.config(); got != configured("PreserveOriginal") {
			t.Fatalf("configuration:\n%s", got)
		}
		h.must(h.c.Update(t.Context(), configMap(h.key, generated)))
	}
}

func testWhatCannotBeReadIsAnError(t *testing.T, c client.Client) {
	for name, tc := range map[string]struct {
		config string
		hosted error
		says   string
	}{
		"the hosted API is down":   {config: generated, hosted: errDown, says: "the hosted cluster's own API: connection refused"},
		"not YAML":                 {config: "\t", says: "configmaps[openshift-apiserver].data[config.yaml]"},
		"no configuration":         {config: "apiVersion: v1\nkind: ConfigMap\n", says: `its kind is "ConfigMap", want OpenShiftAPIServerConfig`},
		"a policy that is no map":  {config: "kind: OpenShiftAPIServerConfig\nimagePolicyConfig: []\n", says: "imagePolicyConfig"},
		"a mode that is no string": {config: "kind: OpenShiftAPIServerConfig\nimagePolicyConfig:\n  imageStreamImportMode: 1\n", says: "imageStreamImportMode"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHostedCluster(t, c, "errors-"+strings.ReplaceAll(strings.ToLower(name), " ", "-"), tc.config)
			h.mode.Hosted = hostedAPI(nil, tc.hosted)
			if _, err := h.reconcile(); err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %v, want one that says %s", err, tc.says)
			}
			if got, _ := h.config(); got != tc.config {
				t.Errorf("written:\n%s", got)
			}
		})
	}
}

func testNothingToDo(t *testing.T, c client.Client) {
	h := newHostedCluster(t, c, "nothing", "")
	if _, err := h.reconcile(); err != nil {
		t.Errorf("no ConfigMap yet: %v", err)
	}
	h.key.Name = "gone"
	if _, err := h.reconcile(); err != nil {
		t.Errorf("no HostedCluster: %v", err)
	}
}

// testDefinition refuses what HyperShift's refuses.
func testDefinition(t *testing.T, c client.Client) {
	h := newHostedCluster(t, c, "definition", generated)
	if err := h.setPayloadArch("multi"); !apierrors.IsInvalid(err) {
		t.Errorf("status.payloadArch multi: %v", err)
	}
	if err := h.override("Sometimes"); !apierrors.IsInvalid(err) {
		t.Errorf("imageStreamImportMode Sometimes: %v", err)
	}
}

func TestConfigMapOf(t *testing.T) {
	got := controller.ConfigMapOf(types.NamespacedName{Namespace: "clusters", Name: "a.b"})
	if want := (types.NamespacedName{Namespace: "clusters-a-b", Name: "openshift-apiserver"}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
