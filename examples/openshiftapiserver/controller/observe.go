// Package controller is how the openshift-apiserver operator would embed
// importmode: it observes the import mode of the image configuration, and rolls
// the apiserver out when the configuration that follows from it changes.
package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/importmode"
)

const (
	clusterName = "cluster"
	// configKey is the field of the observed configuration that importmode
	// decides.
	configKey = "imagePolicyConfig"
)

// Observe writes the import mode of the image configuration to
// spec.observedConfig of the OpenShiftAPIServer. What other observers wrote
// there stays.
type Observe struct {
	Client client.Client
	Events record.EventRecorder
}

// SetupWithManager adds the controller to mgr.
func (r *Observe) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("observe-import-mode").
		For(&operatorv1.OpenShiftAPIServer{}).
		Watches(&configv1.Image{}, operator.ToCluster()).
		Complete(r)
}

// Reconcile observes, and writes the observed configuration if it changed.
func (r *Observe) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.Name != clusterName {
		return reconcile.Result{}, nil
	}
	var operator operatorv1.OpenShiftAPIServer
	if err := r.Client.Get(ctx, req.NamespacedName, &operator); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	existing := map[string]any{}
	if raw := operator.Spec.ObservedConfig.Raw; len(raw) > 0 {
		if err := json.Unmarshal(raw, &existing); err != nil {
			return reconcile.Result{}, fmt.Errorf("OpenShiftAPIServer %s: spec.observedConfig: %w", operator.Name, err)
		}
	}
	image := &configv1.Image{}
	err := r.Client.Get(ctx, client.ObjectKey{Name: clusterName}, image)
	if apierrors.IsNotFound(err) {
		image, err = nil, nil
	}

	observed, err := importmode.Observe(image, err, existing)
	if err != nil {
		// The previous configuration stands; the error says what to mend.
		r.Events.Event(&operator, corev1.EventTypeWarning, "ObserveImportModeFailed", err.Error())
		return reconcile.Result{}, err
	}
	if !observed.Changed {
		return reconcile.Result{}, nil
	}
	merged := maps.Clone(existing)
	policy, _ := merged[configKey].(map[string]any)
	policy = maps.Clone(policy)
	delete(policy, "imageStreamImportMode")
	if own, ok := observed.Config[configKey].(map[string]any); ok {
		if policy == nil {
			policy = map[string]any{}
		}
		maps.Copy(policy, own)
	}
	merged[configKey] = policy
	if len(policy) == 0 {
		delete(merged, configKey)
	}
	raw, err := json.Marshal(merged)
	if err != nil {
		return reconcile.Result{}, err
	}
	operator.Spec.ObservedConfig = runtime.RawExtension{Raw: raw}
	if err := r.Client.Update(ctx, &operator); err != nil {
		return reconcile.Result{}, err
	}
	if observed.Event != nil {
		r.Events.Event(&operator, corev1.EventTypeNormal, observed.Event.Reason, observed.Event.Message)
	}
	return reconcile.Result{}, nil
}
