package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/polyarch/polyarch/examples/internal/atomicfile"
	"github.com/polyarch/polyarch/examples/internal/operator"
)

// Serve stands for the Deployment of a hosted openshift-apiserver: the ConfigMap is a
// file to it, and when that changes it is rolled out.
type Serve struct {
	// Client is that of the management cluster.
	Client client.Client
	// HostedCluster is whose openshift-apiserver it is.
	HostedCluster types.NamespacedName
	// ConfigFile is what the ConfigMap is written to.
	ConfigFile string
	// Restart starts the openshift-apiserver anew, and returns when it serves.
	Restart func(context.Context) error
}

// SetupWithManager adds the controller to mgr.
func (r *Serve) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("hosted-openshift-apiserver").
		For(&corev1.ConfigMap{}).
		Complete(r)
}

// Reconcile rolls out if the ConfigMap is not what the server was started with.
func (r *Serve) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.NamespacedName != ConfigMapOf(r.HostedCluster) {
		return reconcile.Result{}, nil
	}
	configMap, err := operator.Lookup(ctx, r.Client, req.NamespacedName, &corev1.ConfigMap{})
	if err != nil || configMap == nil {
		return reconcile.Result{}, err
	}
	rendered := []byte(configMap.Data[ConfigKey])
	// The copy is made after the start, so that a restart that failed, and a crash of
	// this process on the way, are made good.
	serving := r.ConfigFile + ".serving"
	current, err := os.ReadFile(serving)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reconcile.Result{}, err
	}
	if err == nil && bytes.Equal(current, rendered) {
		return reconcile.Result{}, nil
	}
	if err := atomicfile.Write(r.ConfigFile, rendered); err != nil {
		return reconcile.Result{}, err
	}
	if err := r.Restart(ctx); err != nil {
		return reconcile.Result{}, fmt.Errorf("restart with %s: %w", r.ConfigFile, err)
	}
	return reconcile.Result{}, atomicfile.Write(serving, rendered)
}
