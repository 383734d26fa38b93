package controller

import (
	"context"
	"slices"
	"strings"

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

// generatedBy marks the machine configs that the operator makes itself.
const generatedBy = "machineconfiguration.openshift.io/generated-by-controller-version"

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
	override, err := r.osImageURL(ctx, pool)
	if err != nil {
		return reconcile.Result{}, err
	}

	resolution := osimagestream.ForPool(osimagestream.Pool{
		Pool: pool, Worker: worker, Stored: stored, OSImageURL: override, Version: r.Build,
	})
	degraded := mcfgv1.MachineConfigPoolCondition{Type: mcfgv1.MachineConfigPoolRenderDegraded, Status: corev1.ConditionFalse}
	if len(resolution.Problems) > 0 {
		degraded.Status, degraded.Reason = corev1.ConditionTrue, string(resolution.Reason)
		degraded.Message = resolution.Problems.ToAggregate().Error()
	}
	for _, f := range resolution.Findings {
		if f.Code == osimagestream.FindingURLConflict {
			degraded.Status, degraded.Reason, degraded.Message = corev1.ConditionTrue, string(f.Code), f.Detail
		}
	}
	runs := pool.Status.OSImageStream
	if degraded.Status == corev1.ConditionFalse && resolution.Images.Name != "" {
		if err := r.render(ctx, pool.Name, resolution.Images, override); err != nil {
			return reconcile.Result{}, err
		}
		runs.Name = resolution.Images.Name
		if override != "" {
			runs.Name = "" // its nodes run no stream's image
		}
	}
	return reconcile.Result{}, r.report(ctx, pool, runs, degraded)
}

// osImageURL returns what the users' machine configs set for the pool. The last one
// by name wins, as it does in the rendered config.
func (r *Pools) osImageURL(ctx context.Context, pool *mcfgv1.MachineConfigPool) (string, error) {
	selector, err := metav1.LabelSelectorAsSelector(pool.Spec.MachineConfigSelector)
	if err != nil {
		return "", err
	}
	var configs mcfgv1.MachineConfigList
	if err := r.Client.List(ctx, &configs, client.MatchingLabelsSelector{Selector: selector}); err != nil {
		return "", err
	}
	slices.SortFunc(configs.Items, func(a, b mcfgv1.MachineConfig) int { return strings.Compare(a.Name, b.Name) })
	url := ""
	for _, c := range configs.Items {
		if _, generated := c.Annotations[generatedBy]; !generated && c.Spec.OSImageURL != "" {
			url = c.Spec.OSImageURL
		}
	}
	return url, nil
}

// render writes the pool's machine config.
func (r *Pools) render(ctx context.Context, pool string, images mcfgv1.OSImageStreamSet, override string) error {
	key := client.ObjectKey{Name: RenderedPrefix + pool}
	stored, err := operator.Lookup(ctx, r.Client, key, &mcfgv1.MachineConfig{})
	if err != nil {
		return err
	}
	next := &mcfgv1.MachineConfig{ObjectMeta: metav1.ObjectMeta{Name: key.Name}}
	if stored != nil {
		next = stored.DeepCopy()
	}
	metav1.SetMetaDataAnnotation(&next.ObjectMeta, generatedBy, r.Build)
	next.Spec.OSImageURL = string(images.OSImage)
	if override != "" {
		next.Spec.OSImageURL = override
	}
	next.Spec.BaseOSExtensionsContainerImage = string(images.OSExtensionsImage)
	switch {
	case stored == nil:
		return r.Client.Create(ctx, next)
	case equality.Semantic.DeepEqual(stored, next):
		return nil
	}
	return r.Client.Update(ctx, next)
}

// report writes the pool's status.
func (r *Pools) report(ctx context.Context, pool *mcfgv1.MachineConfigPool, runs mcfgv1.OSImageStreamReference, degraded mcfgv1.MachineConfigPoolCondition) error {
	next := pool.DeepCopy()
	next.Status.OSImageStream = runs
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
