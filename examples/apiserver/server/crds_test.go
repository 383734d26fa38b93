package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
)

// further is a definition of the kind that --crds takes.
const further = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

func TestResources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "things.yaml"), []byte(further), 0o600); err != nil {
		t.Fatal(err)
	}
	e := boot(t, legacy, func(o *launch.Options) { o.CRDDirs = []string{dir} })

	t.Run("discovery", func(t *testing.T) {
		want := []string{
			"batch/v1 jobs", "batch/v1 jobs/status",
			"config.openshift.io/v1 clusteroperators/status", "config.openshift.io/v1 clusterversions/status",
			"config.openshift.io/v1 featuregates/status", "config.openshift.io/v1 images/status", "config.openshift.io/v1 infrastructures/status",
			"example.com/v1beta1 things",
			"image.openshift.io/v1 images", "image.openshift.io/v1 imagestreamimages", "image.openshift.io/v1 imagestreamimports", "image.openshift.io/v1 imagestreamtags",
			"image.openshift.io/v1 imagestreams", "image.openshift.io/v1 imagestreams/status",
			"machineconfiguration.openshift.io/v1 machineconfigpools/status", "machineconfiguration.openshift.io/v1 machineconfigs",
			"machineconfiguration.openshift.io/v1 machineosbuilds/status", "machineconfiguration.openshift.io/v1 machineosconfigs/status",
			"machineconfiguration.openshift.io/v1 osimagestreams/status",
			"operator.openshift.io/v1 openshiftapiservers/status",
			"v1 configmaps", "v1 events", "v1 namespaces", "v1 namespaces/status", "v1 nodes", "v1 nodes/status", "v1 secrets",
		}
		d, err := discovery.NewDiscoveryClientForConfig(e.Config())
		if err != nil {
			t.Fatal(err)
		}
		// Both forms of discovery are to tell the same: the one document of today's
		// clients, and the many of older ones.
		for form, d := range map[string]discovery.DiscoveryInterface{"aggregated": d, "legacy": d.WithLegacy()} {
			_, lists, err := d.ServerGroupsAndResources()
			if err != nil {
				t.Fatal(err)
			}
			served := map[string]bool{}
			for _, list := range lists {
				for _, r := range list.APIResources {
					served[list.GroupVersion+" "+r.Name] = true
				}
			}
			for _, w := range want {
				if !served[w] {
					t.Errorf("%s discovery: %s is missing", form, w)
				}
			}
			for s := range served {
				if strings.HasPrefix(s, "passthrough") {
					t.Errorf("%s discovery: %s is there, nobody asked for it", form, s)
				}
			}
		}
	})
	t.Run("schema: unknown mode in the image config", func(t *testing.T) {
		image := &configv1.Image{ObjectMeta: metav1.ObjectMeta{Name: "cluster"}, Spec: configv1.ImageSpec{ImageStreamImportMode: "Both"}}
		wantInvalid(t, e.Create(t.Context(), image), "spec.imageStreamImportMode", metav1.CauseTypeFieldValueNotSupported)
		image.Spec.ImageStreamImportMode = configv1.ImportModePreserveOriginal
		if err := e.Create(t.Context(), image); err != nil {
			t.Fatal(err)
		}
		image.Status.ImageStreamImportMode = "Both"
		wantInvalid(t, e.Status().Update(t.Context(), image), "status.imageStreamImportMode", metav1.CauseTypeFieldValueNotSupported)
	})
	t.Run("CEL: a cluster version cannot move to another architecture and image at once", func(t *testing.T) {
		v := &configv1.ClusterVersion{ObjectMeta: metav1.ObjectMeta{Name: "version"}, Spec: configv1.ClusterVersionSpec{
			ClusterID:     "3f0a7e1c-1111-4a2b-9c3d-0123456789ab",
			DesiredUpdate: &configv1.Update{Architecture: configv1.ClusterVersionArchitectureMulti, Image: "quay.example.com/r@sha256:1", Version: "4.20.0"},
		}}
		wantInvalid(t, e.Create(t.Context(), v), "spec.desiredUpdate", metav1.CauseTypeFieldValueInvalid)
		v.Spec.DesiredUpdate.Image = ""
		if err := e.Create(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("CEL: the OS image stream is a singleton", func(t *testing.T) {
		s := &mcfgv1.OSImageStream{ObjectMeta: metav1.ObjectMeta{Name: "other"}}
		wantInvalid(t, e.Create(t.Context(), s), "<nil>", metav1.CauseTypeFieldValueInvalid)
	})
	t.Run("a definition of --crds", func(t *testing.T) {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1beta1", "kind": "Thing", "metadata": map[string]any{"namespace": "demo", "name": "a"}, "spec": map[string]any{"x": int64(1)},
		}}
		if err := e.Create(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("core and batch", func(t *testing.T) {
		meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "demo", Name: name} }
		namespace, node := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "demo"}}, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
		node.Status.NodeInfo.Architecture = "arm64"
		job := &batchv1.Job{ObjectMeta: meta("j")}
		job.Status.Active = 7
		for _, o := range []client.Object{
			namespace, node, job,
			&corev1.ConfigMap{ObjectMeta: meta("c"), Data: map[string]string{"a": "b"}},
			&corev1.Secret{ObjectMeta: meta("s"), Data: map[string][]byte{"a": []byte("b")}},
			&corev1.Event{ObjectMeta: meta("e"), Reason: "Because"},
		} {
			if err := e.Create(t.Context(), o); err != nil {
				t.Errorf("%T: %v", o, err)
			}
		}
		if namespace.Status.Phase != corev1.NamespaceActive || node.Status.NodeInfo.Architecture != "arm64" || job.Status.Active != 0 {
			t.Errorf("after create: namespace %s, node's architecture %q, job's active %d; want Active, arm64, 0", namespace.Status.Phase, node.Status.NodeInfo.Architecture, job.Status.Active)
		}
		job.Status.Succeeded = 1
		job.Spec.Suspend = new(true)
		if err := e.Status().Update(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if job.Status.Succeeded != 1 || job.Spec.Suspend != nil {
			t.Errorf("after a status update: succeeded %d, suspend %v; want 1, nil", job.Status.Succeeded, job.Spec.Suspend)
		}
		job.Status.Succeeded, job.Spec.Suspend = 2, new(true)
		if err := e.Update(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if job.Status.Succeeded != 1 || job.Spec.Suspend == nil {
			t.Errorf("after an update: succeeded %d, suspend %v; want 1, true", job.Status.Succeeded, job.Spec.Suspend)
		}
		apply := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "batch/v1", "kind": "Job", "metadata": map[string]any{"namespace": "demo", "name": "applied"},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "c", "image": "i"}}}}},
		}}
		if err := e.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(apply), client.FieldOwner("test")); err != nil {
			t.Errorf("server-side apply of a job: %v", err)
		}
		if err := e.Delete(t.Context(), namespace); err != nil {
			t.Error(err)
		}
	})
}

// TestPassThrough holds what benchmarks compare with: the same server and
// storage, and no mode decided.
func TestPassThrough(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve, func(o *launch.Options) { o.Flags = append(o.Flags, "--serve-passthrough") })
	body := `{"apiVersion":"passthrough.image.openshift.io/v1","kind":"ImageStream","metadata":{"name":"p"},"spec":{"tags":[{"name":"a"},{"name":"b","importPolicy":{"importMode":"Both"}}]}}`
	code, answer := e.do(t, http.MethodPost, "/apis/passthrough.image.openshift.io/v1/namespaces/demo/imagestreams", body)
	if code != http.StatusCreated || strings.Contains(answer, string(preserve)) || !strings.Contains(answer, "Both") {
		t.Errorf("%d %s", code, answer)
	}
}
