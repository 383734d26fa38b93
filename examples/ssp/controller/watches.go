package controller

import (
	"context"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// SetupWithManager adds the controller to mgr.
func (r *Reconciler) SetupWithManager(mgr manager.Manager) error {
	toAll := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, _ client.Object) []reconcile.Request {
		var requests []reconcile.Request
		all := newSSPList()
		if err := r.Client.List(ctx, all); err != nil {
			return nil // the cache of the controller's own kind does not fail
		}
		for i := range all.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&all.Items[i])})
		}
		return requests
	})
	if r.Reader == nil {
		r.Reader = mgr.GetAPIReader()
	}
	return builder.ControllerManagedBy(mgr).Named("ssp").
		For(newSSP()).
		Watches(&corev1.Node{}, toAll, builder.WithPredicates(NodesThatMatter())).
		Watches(&cdiv1beta1.DataImportCron{}, toAll).
		Watches(&cdiv1beta1.DataSource{}, toAll).
		Complete(r)
}

// NodesThatMatter keeps out the updates of a node that nodearch sees no difference
// in. Kubelets send one every few seconds or minutes, from every node.
func NodesThatMatter() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, ok := e.ObjectOld.(*corev1.Node)
		now, isNode := e.ObjectNew.(*corev1.Node)
		return !ok || !isNode || !reflect.DeepEqual(nodearch.FromNodes([]corev1.Node{*was}), nodearch.FromNodes([]corev1.Node{*now}))
	}}
}
