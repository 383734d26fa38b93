package controller_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/clusterversion/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// TestDesiredUpdate replays what oc patches into spec.desiredUpdate.
func TestDesiredUpdate(t *testing.T) {
	ctx := t.Context()
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())
	metadata := func(version, architecture string) string {
		return releaseDir(t, `{"kind":"cincinnati-metadata-v0","version":"`+version+`","metadata":{`+architecture+`}}`)
	}
	const multi = `"release.openshift.io/architecture":"multi"`
	releases := map[string]string{
		"single420": metadata("4.20.0", ""), "multi420": metadata("4.20.0", multi),
		"single421": metadata("4.21.0", ""), "multi421": metadata("4.21.0", multi),
		"one422": metadata("4.22.0", ""), "other422": metadata("4.22.0", ""),
	}
	if err := c.Create(ctx, &configv1.FeatureGate{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}}); err != nil {
		t.Fatal(err)
	}
	const toMultiArch = `{"architecture":"Multi","version":"4.20.0","image":"","force":false}`
	for _, tc := range []struct {
		name    string
		own     string   // the release that runs
		updates []string // of spec.desiredUpdate, one after the other
		want    string   // status.desired.image
		invalid string   // of the condition's message, empty for none
	}{
		{"nothing asked for", "single420", []string{"null"}, "single420", ""},
		{"oc adm upgrade --to-multi-arch", "single420", []string{toMultiArch}, "multi420", ""},
		{"oc adm upgrade --to-multi-arch, and the new release runs", "multi420", []string{toMultiArch}, "multi420", ""},
		{"oc adm upgrade --to-multi-arch, with another version", "single420",
			[]string{`{"architecture":"Multi","version":"4.21.0","image":"","force":false}`}, "single420", "within the current version"},
		{"oc adm upgrade --to keeps single", "single420", []string{`{"version":"4.21.0","image":"","force":false}`}, "single421", ""},
		{"oc adm upgrade --to keeps multi", "multi420", []string{`{"version":"4.21.0","image":"","force":false}`}, "multi421", ""},
		{"oc adm upgrade --to of a cluster that migrated", "multi420",
			[]string{toMultiArch, `{"architecture":"Multi","version":"4.21.0","image":"","force":false}`}, "multi421", ""},
		{"oc adm upgrade --to-image", "single420", []string{`{"version":"","image":"multi421","force":true}`}, "multi421", ""},
		{"a version that nobody knows", "single420", []string{`{"version":"4.99.0","image":""}`}, "single420", "spec.desiredUpdate.version"},
		{"a version of which there are two", "single420", []string{`{"version":"4.22.0","image":""}`}, "single420", "specify the exact image"},
		{"a multi release that nobody knows", "one422", []string{`{"architecture":"Multi","version":"4.22.0","image":""}`}, "one422", "spec.desiredUpdate.version"},
		{"neither version nor image", "single420", []string{`{"force":true,"version":"","image":""}`}, "single420", "must specify version or image"},
		{"mended", "single420", []string{`{"version":"4.99.0","image":""}`, toMultiArch}, "multi420", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cv := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}}
			cv.Spec.ClusterID = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"
			if err := c.Create(ctx, cv); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := c.Delete(ctx, cv); err != nil {
					t.Fatal(err)
				}
			}()
			adapter := &controller.Reconciler{Client: c, Own: tc.own, Releases: releases, Now: metav1.Now}
			for _, update := range tc.updates {
				if err := c.Patch(ctx, cv, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"desiredUpdate":null}}`))); err != nil {
					t.Fatal(err)
				}
				if err := c.Patch(ctx, cv, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"desiredUpdate":`+update+`}}`))); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if _, err := adapter.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKey{Name: "version"}}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := c.Get(ctx, client.ObjectKeyFromObject(cv), cv); err != nil {
				t.Fatal(err)
			}
			if got := cv.Status.Desired.Image; got != tc.want {
				t.Errorf("desired is %s, want %s", got, tc.want)
			}
			i := slices.IndexFunc(cv.Status.Conditions, func(c configv1.ClusterOperatorStatusCondition) bool { return c.Type == "Invalid" })
			switch {
			case (i >= 0) != (tc.invalid != ""):
				t.Errorf("conditions %+v, want one of type Invalid: %v", cv.Status.Conditions, tc.invalid != "")
			case i >= 0 && (cv.Status.Conditions[i].Status != configv1.ConditionTrue || !strings.Contains(cv.Status.Conditions[i].Message, tc.invalid)):
				t.Errorf("condition %+v, want one that says %q", cv.Status.Conditions[i], tc.invalid)
			}
		})
	}

	t.Run("a release that cannot be read", func(t *testing.T) {
		// It is in nobody's way who finds another, and might be the one that is
		// looked for.
		releases["broken"] = releaseDir(t, "{")
		for update, fails := range map[string]bool{toMultiArch: false, `{"version":"4.99.0","image":""}`: true} {
			cv := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}}
			cv.Spec.ClusterID = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"
			if err := json.Unmarshal([]byte(update), &cv.Spec.DesiredUpdate); err != nil {
				t.Fatal(err)
			}
			if err := c.Create(ctx, cv); err != nil {
				t.Fatal(err)
			}
			adapter := &controller.Reconciler{Client: c, Own: "single420", Releases: releases, Now: metav1.Now}
			_, err := adapter.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKey{Name: "version"}})
			if (err != nil) != fails || fails && !strings.Contains(err.Error(), "release broken") {
				t.Errorf("%s: %v, want an error that names it: %v", update, err, fails)
			}
			if err := c.Delete(ctx, cv); err != nil {
				t.Fatal(err)
			}
		}
	})
}
