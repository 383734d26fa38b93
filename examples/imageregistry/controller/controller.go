// Package controller is how the cluster image registry operator would embed
// payloadarch and importmode: it writes the import mode that they decide to the
// status of the cluster's image configuration, and what they say about a fleet
// evaluation to the operator's ClusterOperator.
package controller

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// The names of the singletons that the adapter reads and writes.
const (
	clusterName         = "cluster"
	clusterVersionName  = "version"
	clusterOperatorName = "image-registry"
)

// ImportMode writes status.imageStreamImportMode of the image configuration.
// It watches the ClusterVersion and the FeatureGate as well, so that it answers
// to a migration at once. Nodes decide nothing: that they are all alike is worth a
// hint, once it is certain.
type ImportMode struct {
	Client client.Client
	Events record.EventRecorder

	told []string // the hints and complaints of the last reconciliation
}

// SetupWithManager adds the controller to mgr.
func (r *ImportMode) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("import-mode").
		For(&configv1.Image{}).
		Watches(&configv1.ClusterVersion{}, operator.ToCluster()).
		Watches(&configv1.FeatureGate{}, operator.ToCluster()).
		Watches(&corev1.Node{}, operator.ToCluster(), builder.WithPredicates(architectureChanges())).
		Complete(r)
}

// architectureChanges lets nodes through that come, go or change what nodearch looks
// at. Kubelets write their nodes all the time.
func architectureChanges() predicate.Predicate {
	facts := func(o client.Object) [2]string {
		node, ok := o.(*corev1.Node)
		if !ok {
			return [2]string{}
		}
		return [2]string{node.Labels[corev1.LabelArchStable], node.Status.NodeInfo.Architecture}
	}
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return facts(e.ObjectOld) != facts(e.ObjectNew) }}
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
	var list corev1.NodeList
	if err := r.Client.List(ctx, &list); err != nil {
		return reconcile.Result{}, err
	}

	payload, nodes := payloadarch.FromClusterVersion(version, gates), nodearch.FromNodes(list.Items)
	decision := importmode.Decide(importmode.Input{
		Spec:            image.Spec.ImageStreamImportMode,
		Payload:         payload,
		Current:         image.Status.ImageStreamImportMode,
		Nodes:           nodes.All,
		NodesIncomplete: nodes.Incomplete,
	})
	if decision.StatusChanges {
		was := image.Status.ImageStreamImportMode
		image.Status.ImageStreamImportMode = decision.Mode
		if err := r.Client.Status().Update(ctx, &image); err != nil {
			return reconcile.Result{}, err
		}
		r.Events.Event(&image, corev1.EventTypeNormal, string(decision.Reason),
			fmt.Sprintf("image.config.openshift.io/cluster: the import mode %q is now %q, and openshift-apiserver rolls out; the payload is %s (%s)",
				was, decision.Mode, payload.Kind, payload.Reason))
	}
	r.tell(&image, payload, decision)
	return reconcile.Result{}, nil
}

// tell records what is wrong or odd, and nothing that it recorded the last time.
func (r *ImportMode) tell(image *configv1.Image, payload payloadarch.Verdict, decision importmode.Decision) {
	const ofVersion = "ClusterVersion/version: "
	var telling []string
	say := func(kind, reason, text string) {
		telling = append(telling, text)
		if !slices.Contains(r.told, text) {
			r.Events.Event(image, kind, reason, text)
		}
	}
	for _, p := range payload.Problems {
		say(corev1.EventTypeWarning, string(payload.Reason), ofVersion+p.Error())
	}
	for _, p := range decision.Problems {
		say(corev1.EventTypeWarning, string(decision.Reason), p.Error())
	}
	for _, f := range payload.Findings {
		say(corev1.EventTypeNormal, string(f.Code), ofVersion+f.String())
	}
	for _, f := range decision.Findings {
		say(corev1.EventTypeNormal, string(f.Code), f.String())
	}
	r.told = telling
}

// Evaluation writes the condition EvaluationConditionsDetected of the
// operator's ClusterOperator. Others share the condition; their part of it is
// kept.
//
// In the operator itself, this is a call within generatorClusterOperator.syncConditions
// (pkg/resource/clusteroperator.go). The operator writes its ClusterOperator without
// library-go's status controller: its own union makes Available, Progressing and
// Degraded out of the operator's conditions, sets these three and leaves any other
// type as it finds it. So the condition needs no prefix there, and stays.
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
