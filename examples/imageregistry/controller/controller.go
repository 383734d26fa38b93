// Package controller is how the cluster image registry operator would embed
// payloadarch and importmode: it writes the import mode that they decide to the
// status of the cluster's image configuration, and what they say about a fleet
// evaluation to the operator's ClusterOperator.
package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// The names of the singletons that the adapter reads and writes.
const (
	clusterName         = "cluster"
	clusterVersionName  = "version"
	clusterOperatorName = "image-registry"
)

// ImportMode writes status.imageStreamImportMode of the image configuration.
// It watches the ClusterVersion and the FeatureGate as well, so that it answers
// to a migration at once.
type ImportMode struct {
	Client client.Client
	Events record.EventRecorder
}

// SetupWithManager adds the controller to mgr.
func (r *ImportMode) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("import-mode").
		For(&configv1.Image{}).
		Watches(&configv1.ClusterVersion{}, operator.ToCluster()).
		Watches(&configv1.FeatureGate{}, operator.ToCluster()).
		Complete(r)
}

// Reconcile fetches the facts, decides, and writes the decision if the status
// would change.
func (r *ImportMode) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.Name != clusterName {
		return reconcile.Result{}, nil
	}
	var image configv1.Image
	if err := r.Client.Get(ctx, req.NamespacedName, &image); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	version, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: clusterVersionName}, &configv1.ClusterVersion{})
	if err != nil {
		return reconcile.Result{}, err
	}
	gates, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: clusterName}, &configv1.FeatureGate{})
	if err != nil {
		return reconcile.Result{}, err
	}
	if gates == nil {
		// To payloadarch, no FeatureGate means that it was not asked for. Here
		// it was, and no gate is known yet.
		gates = &configv1.FeatureGate{}
	}

	payload := payloadarch.FromClusterVersion(version, gates)
	decision := importmode.Decide(importmode.Input{
		Spec:    image.Spec.ImageStreamImportMode,
		Payload: payload.Kind,
		Current: image.Status.ImageStreamImportMode,
	})
	for _, p := range append(payload.Problems, decision.Problems...) {
		r.Events.Event(&image, corev1.EventTypeWarning, string(decision.Reason), p.Error())
	}
	if !decision.StatusChanges {
		return reconcile.Result{}, nil
	}
	was := image.Status.ImageStreamImportMode
	image.Status.ImageStreamImportMode = decision.Mode
	if err := r.Client.Status().Update(ctx, &image); err != nil {
		return reconcile.Result{}, err
	}
	r.Events.Event(&image, corev1.EventTypeNormal, string(decision.Reason),
		fmt.Sprintf("import mode %q is now %q: payload %s (%s)", was, decision.Mode, payload.Kind, payload.Reason))
	for _, f := range payload.Findings {
		r.Events.Event(&image, corev1.EventTypeNormal, string(f.Code), f.String())
	}
	for _, f := range decision.Findings {
		r.Events.Event(&image, corev1.EventTypeNormal, string(f.Code), f.String())
	}
	return reconcile.Result{}, nil
}

// Evaluation writes the condition EvaluationConditionsDetected of the
// operator's ClusterOperator. Others share the condition; their part of it is
// kept.
type Evaluation struct {
	Client client.Client
	Now    func() metav1.Time
}

// SetupWithManager adds the controller to mgr.
func (r *Evaluation) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("evaluation").
		For(&configv1.Image{}).
		Watches(&configv1.ClusterOperator{}, operator.ToCluster()).
		Complete(r)
}

// Reconcile joins the condition into the ClusterOperator, if there is one.
func (r *Evaluation) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if req.Name != clusterName {
		return reconcile.Result{}, nil
	}
	var image configv1.Image
	if err := r.Client.Get(ctx, req.NamespacedName, &image); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	registry, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: clusterOperatorName}, &configv1.ClusterOperator{})
	if err != nil || registry == nil {
		return reconcile.Result{}, err
	}
	conditions, changed := importmode.ClusterOperatorConditions(registry.Status.Conditions,
		configv1.EvaluationConditionsDetected, importmode.Evaluate(image.Spec.ImageStreamImportMode), r.Now())
	if !changed {
		return reconcile.Result{}, nil
	}
	registry.Status.Conditions = conditions
	return reconcile.Result{}, r.Client.Status().Update(ctx, registry)
}
