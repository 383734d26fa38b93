package controller_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/hypershift/controller"
	"github.com/polyarch/polyarch/examples/hypershift/crds"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	testserver.Main(m)
}

// generated is what HyperShift writes today, shortened: no import mode, and a field of
// a type that would gain others if it was read and written as a Go value.
const generated = `apiServerArguments:
  audit-log-format:
  - json
apiVersion: openshiftcontrolplane.config.openshift.io/v1
imagePolicyConfig:
  externalRegistryHostnames: null
  internalRegistryHostname: image-registry.openshift-image-registry.svc:5000
kind: OpenShiftAPIServerConfig
routingConfig:
  subdomain: apps.hosted.example.com
`

// configured is generated with a mode, as this adapter writes it.
func configured(mode string) string {
	return `apiServerArguments:
  audit-log-format:
  - json
apiVersion: openshiftcontrolplane.config.openshift.io/v1
imagePolicyConfig:
  externalRegistryHostnames: null
  imageStreamImportMode: ` + mode + `
  internalRegistryHostname: image-registry.openshift-image-registry.svc:5000
kind: OpenShiftAPIServerConfig
routingConfig:
  subdomain: apps.hosted.example.com
`
}

var errDown = errors.New("connection refused")

// startManagement runs an API server that knows HostedClusters.
func startManagement(t *testing.T) *launch.Server {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "crds")
	if err := crds.Write(dir); err != nil {
		t.Fatal(err)
	}
	return testserver.Start(t, dir)
}

// A hostedCluster is one on the management cluster, in a namespace of its own.
type hostedCluster struct {
	t      *testing.T
	c      client.Client
	key    types.NamespacedName
	mode   *controller.ImportMode
	events *record.FakeRecorder
}

// newHostedCluster makes it, with the configuration that HyperShift has generated.
func newHostedCluster(t *testing.T, c client.Client, namespace, config string) *hostedCluster {
	t.Helper()
	h := &hostedCluster{t: t, c: c, key: types.NamespacedName{Namespace: namespace, Name: "hosted"}, events: record.NewFakeRecorder(100)}
	h.mode = &controller.ImportMode{Client: c, Events: h.events}
	hc := controller.NewHostedCluster()
	hc.SetNamespace(h.key.Namespace)
	hc.SetName(h.key.Name)
	h.must(c.Create(t.Context(), hc))
	if config != "" {
		h.must(c.Create(t.Context(), configMap(h.key, config)))
	}
	return h
}

func configMap(hosted types.NamespacedName, config string) *corev1.ConfigMap {
	key := controller.ConfigMapOf(hosted)
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}, Data: map[string]string{controller.ConfigKey: config}}
}

func (h *hostedCluster) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// setPayloadArch writes the status as the hypershift-operator does; "" takes the field
// away.
func (h *hostedCluster) setPayloadArch(arch string) error {
	hc := controller.NewHostedCluster()
	if err := h.c.Get(h.t.Context(), h.key, hc); err != nil {
		return err
	}
	unstructured.RemoveNestedField(hc.Object, "status", "payloadArch")
	if arch != "" {
		if err := unstructured.SetNestedField(hc.Object, arch, "status", "payloadArch"); err != nil {
			return err
		}
	}
	return h.c.Status().Update(h.t.Context(), hc)
}

// override sets the mode in the image configuration of the HostedCluster.
func (h *hostedCluster) override(mode string) error {
	hc := controller.NewHostedCluster()
	if err := h.c.Get(h.t.Context(), h.key, hc); err != nil {
		return err
	}
	if err := unstructured.SetNestedField(hc.Object, mode, "spec", "configuration", "image", "imageStreamImportMode"); err != nil {
		return err
	}
	return h.c.Update(h.t.Context(), hc)
}

func (h *hostedCluster) reconcile() (reconcile.Result, error) {
	return h.mode.Reconcile(h.t.Context(), reconcile.Request{NamespacedName: h.key})
}

// config is what stands in the ConfigMap, and the version that it was written in.
func (h *hostedCluster) config() (text, version string) {
	h.t.Helper()
	var cm corev1.ConfigMap
	h.must(h.c.Get(h.t.Context(), controller.ConfigMapOf(h.key), &cm))
	return cm.Data[controller.ConfigKey], cm.ResourceVersion
}

func (h *hostedCluster) said() []string {
	var all []string
	for len(h.events.Events) > 0 {
		all = append(all, <-h.events.Events)
	}
	return all
}

// hostedAPI lets the hosted cluster's own API answer, or fail.
func hostedAPI(reader client.Reader, err error) func(context.Context, types.NamespacedName) (client.Reader, error) {
	return func(context.Context, types.NamespacedName) (client.Reader, error) { return reader, err }
}
