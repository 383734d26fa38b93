package controller

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/osimagestream"
)

// RenderedPrefix begins the name of the machine config that a pool's nodes run.
const RenderedPrefix = "rendered-"

// Pools writes what ForPool says of each pool: the images into the pool's rendered
// machine config, the stream's name and its problems into the pool's status. A pool
// that gets no images keeps those that it has.
type Pools struct {
	Client client.Client
	// Build is what Streams annotates with. Streams of another build are not
	// rendered.
	Build string
	Now   func() metav1.Time
}

// SetupWithManager adds the controller to mgr. A change of any object may concern
// every pool, since custom pools inherit.
func (r *Pools) SetupWithManager(mgr manager.Manager) error {
	all := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, _ client.Object) []reconcile.Request {
		var pools mcfgv1.MachineConfigPoolList
		if err := r.Client.List(ctx, &pools); err != nil {
			return nil
		}
		var requests []reconcile.Request
		for _, p := range pools.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKey{Name: p.Name}})
		}
		return requests
	})
	return builder.ControllerManagedBy(mgr).Named("pool-os-image").
		Watches(&mcfgv1.MachineConfigPool{}, all).
		Watches(&mcfgv1.OSImageStream{}, all).
		Watches(&mcfgv1.MachineConfig{}, all).
		Complete(r)
}

// Reconcile resolves one pool.
func (r *Pools) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	pool, err := operator.Lookup(ctx, r.Client, req.NamespacedName, &mcfgv1.MachineConfigPool{})
	if err != nil || pool == nil {
		return reconcile.Result{}, err
	}
	worker, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: "worker"}, &mcfgv1.MachineConfigPool{})
	if err != nil {
		return reconcile.Result{}, err
	}
	stored, err := operator.Lookup(ctx, r.Client, client.ObjectKey{Name: osimagestream.Name}, &mcfgv1.OSImageStream{})
	if err != nil {
		return reconcile.Result{}, err
	}
	var configs mcfgv1.MachineConfigList
	if err := r.Client.List(ctx, &configs); err != nil {
		return reconcile.Result{}, err
	}
	facts := osimagestream.Pool{Pool: pool, Worker: worker, Stored: stored, Version: r.Build}
	for i := range configs.Items {
		facts.Configs = append(facts.Configs, &configs.Items[i])
	}

	resolution := osimagestream.ForPool(facts)
	next := pool.DeepCopy()
	degraded := mcfgv1.MachineConfigPoolCondition{Type: mcfgv1.MachineConfigPoolRenderDegraded, Status: corev1.ConditionFalse}
	if resolution.Degraded != "" {
		degraded.Status, degraded.Reason = corev1.ConditionTrue, string(resolution.Degraded)
		degraded.Message = resolution.Problems.ToAggregate().Error()
	}
	if resolution.OSImageURL != "" {
		if err := r.render(ctx, pool.Name, resolution); err != nil {
			return reconcile.Result{}, err
		}
		next.Status.OSImageStream.Name = resolution.StatusStream
	}
	return reconcile.Result{}, r.report(ctx, pool, next, degraded)
}

// render writes the pool's machine config.
func (r *Pools) render(ctx context.Context, pool string, resolution osimagestream.Resolution) error {
	key := client.ObjectKey{Name: RenderedPrefix + pool}
	stored, err := operator.Lookup(ctx, r.Client, key, &mcfgv1.MachineConfig{})
	if err != nil {
		return err
	}
	next := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: key.Name}}
	if stored != nil {
		next = stored.DeepCopy()
	}
	metav1.SetMetaDataAnnotation(&next.ObjectMeta, osimagestream.AnnotationGenerated, r.Build)
	next.Spec.OSImageURL = resolution.OSImageURL
	next.Spec.BaseOSExtensionsContainerImage = string(resolution.Images.OSExtensionsImage)
	switch {
	case stored == nil:
		return r.Client.Create(ctx, next)
	case equality.Semantic.DeepEqual(stored, next):
		return nil
	}
	return r.Client.Update(ctx, next)
}

// report writes the status of next, with the condition, if pool has another one.
func (r *Pools) report(ctx context.Context, pool, next *mcfgv1.MachineConfigPool, degraded mcfgv1.MachineConfigPoolCondition) error {
	if i := slices.IndexFunc(next.Status.Conditions, func(c mcfgv1.MachineConfigPoolCondition) bool { return c.Type == degraded.Type }); i < 0 {
		degraded.LastTransitionTime = r.Now()
		next.Status.Conditions = append(next.Status.Conditions, degraded)
	} else {
		degraded.LastTransitionTime = next.Status.Conditions[i].LastTransitionTime
		if next.Status.Conditions[i].Status != degraded.Status {
			degraded.LastTransitionTime = r.Now()
		}
		next.Status.Conditions[i] = degraded
	}
	if equality.Semantic.DeepEqual(pool.Status, next.Status) {
		return nil
	}
	return client.IgnoreNotFound(r.Client.Status().Update(ctx, next))
}
