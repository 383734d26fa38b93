package controller_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/clusterversion/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/testserver"
	"github.com/polyarch/polyarch/payloadarch"
)

func TestMain(m *testing.M) { testserver.Main(m) }

// A release that cannot be read leaves the ClusterVersion as it is, and the
// error says what is wrong with it.
func TestUnreadableRelease(t *testing.T) {
	ctx := t.Context()
	c := testserver.Client(t, testserver.Start(t), operator.Scheme())
	cv := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}}
	cv.Spec.ClusterID = "3f0a7e1c-1111-4a2b-9c3d-0123456789ab"
	if err := c.Create(ctx, cv); err != nil {
		t.Fatal(err)
	}
	release := func(metadata string) string { return releaseDir(t, metadata) }
	for _, tc := range []struct {
		name     string
		releases map[string]string
		is       func(error) bool
	}{
		{"no directory is known", nil, func(err error) bool { return err != nil }},
		{"no metadata in it", map[string]string{"r": release("")}, func(err error) bool { return errors.Is(err, fs.ErrNotExist) }},
		{"not JSON", map[string]string{"r": release("{")}, func(err error) bool {
			var e *payloadarch.MetadataError
			return errors.As(err, &e)
		}},
		{"an architecture that is none", map[string]string{"r": release(`{"kind":"cincinnati-metadata-v0","version":"4.20.0","metadata":{"release.openshift.io/architecture":"Multi"}}`)},
			func(err error) bool { return err != nil }},
	} {
		adapter := &controller.Reconciler{Client: c, Own: "r", Releases: tc.releases, Now: metav1.Now}
		_, err := adapter.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKey{Name: "version"}})
		if !tc.is(err) {
			t.Errorf("%s: error %v", tc.name, err)
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(cv), cv); err != nil {
			t.Fatal(err)
		}
		if len(cv.Status.History) > 0 || cv.Status.Desired.Version != "" {
			t.Errorf("%s: the ClusterVersion was written: %+v", tc.name, cv.Status)
		}
	}
}

// releaseDir makes a release directory with that metadata, or without any.
func releaseDir(t *testing.T, metadata string) string {
	t.Helper()
	dir := t.TempDir()
	if metadata == "" {
		return dir
	}
	if err := os.Mkdir(filepath.Join(dir, "release-manifests"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "release-manifests", "release-metadata"), []byte(metadata), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
