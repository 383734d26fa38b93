package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	hypershift "github.com/polyarch/polyarch/examples/hypershift/controller"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

// generatedConfig is what HyperShift writes for every hosted openshift-apiserver,
// shortened: there is no import mode in it.
const generatedConfig = `apiVersion: openshiftcontrolplane.config.openshift.io/v1
kind: OpenShiftAPIServerConfig
imagePolicyConfig:
  internalRegistryHostname: image-registry.openshift-image-registry.svc:5000
`

// A hosted cluster is a HostedCluster on the management cluster, which is the world's
// API server, and an API server of its own.
type hosted struct {
	w      *world
	key    types.NamespacedName
	file   string // the configuration of its openshift-apiserver
	server *launch.Server
	client client.Client
}

// newHosted makes the objects and starts the hosted API server and the operator. The
// returned function ends both.
func newHosted(ctx context.Context, w *world) (h *hosted, stop func() error, err error) {
	h = &hosted{w: w, key: types.NamespacedName{Namespace: "clusters", Name: "hosted"}, file: filepath.Join(w.dir, "hosted.yaml")}
	if err := os.WriteFile(h.file, []byte(generatedConfig), 0o600); err != nil {
		return nil, nil, err
	}
	configMap := hypershift.ConfigMapOf(h.key)
	for _, obj := range []client.Object{
		&corev1.Namespace{ObjectMeta: named(h.key.Namespace)},
		&corev1.Namespace{ObjectMeta: named(configMap.Namespace)},
		h.hostedCluster(),
		&corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: configMap.Namespace, Name: configMap.Name},
			Data:       map[string]string{hypershift.ConfigKey: generatedConfig},
		},
	} {
		if err := w.ensure(ctx, obj); err != nil {
			return nil, nil, err
		}
	}
	h.server, err = launch.Start(ctx, launch.Options{
		Command: w.apiserver, DataDir: filepath.Join(w.dir, "hosted"), ConfigFile: h.file,
	})
	if err != nil {
		return nil, nil, err
	}
	cfg := h.server.Config()
	if h.client, err = client.New(cfg, client.Options{Scheme: w.scheme}); err != nil {
		return nil, nil, errors.Join(err, h.server.Stop())
	}
	stopOperator, err := w.run(ctx, h.operators)
	if err != nil {
		return nil, nil, errors.Join(err, h.server.Stop())
	}
	err = h.client.Create(ctx, &corev1.Namespace{ObjectMeta: named(namespace)})
	return h, func() error { return errors.Join(stopOperator(), h.server.Stop()) }, err
}

func (h *hosted) hostedCluster() *unstructured.Unstructured {
	hc := hypershift.NewHostedCluster()
	hc.SetNamespace(h.key.Namespace)
	hc.SetName(h.key.Name)
	return hc
}

// operators adds what HyperShift would embed, and what stands for the Deployment of
// the hosted openshift-apiserver.
func (h *hosted) operators(ctx context.Context, mgr manager.Manager) error {
	events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "walkthrough")
	if err != nil {
		return err
	}
	mode := &hypershift.ImportMode{
		Client: mgr.GetClient(), Events: events,
		Hosted: func(context.Context, types.NamespacedName) (client.Reader, error) { return h.client, nil },
	}
	if err := mode.SetupWithManager(mgr); err != nil {
		return err
	}
	return (&hypershift.Serve{Client: mgr.GetClient(), HostedCluster: h.key, ConfigFile: h.file, Restart: h.server.Restart}).SetupWithManager(mgr)
}

// serving is the mode in the file that the hosted openshift-apiserver was started with.
func (h *hosted) serving(context.Context) (any, error) {
	started, err := os.ReadFile(h.file + ".serving")
	if err != nil {
		return nil, err
	}
	return configMode(started)
}

// setField writes a field of the HostedCluster; a nil value takes it away.
func (h *hosted) setField(ctx context.Context, value any, path ...string) error {
	write := change[*unstructured.Unstructured]
	if path[0] == "status" {
		write = changeStatus[*unstructured.Unstructured]
	}
	return write(ctx, h.w, h.hostedCluster(), func(hc *unstructured.Unstructured) {
		unstructured.RemoveNestedField(hc.Object, path...)
		if value != nil {
			_ = unstructured.SetNestedField(hc.Object, value, path...) // the CRD has no other types on the way
		}
	})
}

// newStream makes a stream in the hosted cluster, whose manifest names no mode, and
// returns the modes of its tags.
func (h *hosted) newStream(ctx context.Context, name string) (string, error) {
	if err := h.client.Create(ctx, stream(name, "latest")); err != nil {
		return "", err
	}
	return h.modes(ctx, name)
}

func (h *hosted) modes(ctx context.Context, name string) (string, error) {
	var is imagev1.ImageStream
	err := h.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &is)
	return modes(&is), err
}
