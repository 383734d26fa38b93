package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/yaml"

	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/internal/atomicfile"
)

// Rollout renders the observed configuration into the file that the apiserver
// reads at its start, and starts it anew when the file changed.
type Rollout struct {
	Client client.Client
	// ConfigFile is the apiserver's configuration file.
	ConfigFile string
	// Restart starts the apiserver anew on the same storage and returns when it
	// serves again.
	Restart func(context.Context) error
}

// SetupWithManager adds the controller to mgr.
func (r *Rollout) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("rollout").
		For(&operatorv1.OpenShiftAPIServer{}).
		Complete(r)
}

// Reconcile writes the file and restarts the apiserver if its bytes changed.
func (r *Rollout) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.Name != clusterName {
		return reconcile.Result{}, nil
	}
	var operator operatorv1.OpenShiftAPIServer
	if err := r.Client.Get(ctx, req.NamespacedName, &operator); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	rendered, err := Render(operator.Spec.ObservedConfig.Raw)
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("OpenShiftAPIServer %s: spec.observedConfig: %w", operator.Name, err)
	}
	current, err := os.ReadFile(r.ConfigFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reconcile.Result{}, err
	}
	// The mark outlives a failed restart and a crash of this process: as long
	// as it is there, the apiserver may still run on the file before.
	pending := r.ConfigFile + ".pending"
	if _, err := os.Stat(pending); errors.Is(err, fs.ErrNotExist) && bytes.Equal(current, rendered) {
		return reconcile.Result{}, nil
	}
	if err := os.WriteFile(pending, nil, 0o600); err != nil {
		return reconcile.Result{}, err
	}
	if err := atomicfile.Write(r.ConfigFile, rendered); err != nil {
		return reconcile.Result{}, err
	}
	if err := r.Restart(ctx); err != nil {
		return reconcile.Result{}, fmt.Errorf("restart with %s: %w", r.ConfigFile, err)
	}
	return reconcile.Result{}, os.Remove(pending)
}

// Render returns the apiserver's configuration file for an observed
// configuration, which may be empty.
func Render(observedConfig []byte) ([]byte, error) {
	config := map[string]any{}
	if len(observedConfig) > 0 {
		if err := json.Unmarshal(observedConfig, &config); err != nil {
			return nil, err
		}
	}
	config["apiVersion"] = openshiftcontrolplanev1.GroupVersion.String()
	config["kind"] = "OpenShiftAPIServerConfig"
	return yaml.Marshal(config)
}
