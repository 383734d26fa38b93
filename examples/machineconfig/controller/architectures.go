package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// Architectures keeps, of each pool, the architectures of its nodes where builds
// read them: in an annotation of the pool and in a ConfigMap.
type Architectures struct {
	// Client lists out of a cache, Reader reads the ConfigMap as it is stored.
	Client client.Client
	Reader client.Reader
}

// SetupWithManager adds the controller to mgr. Which pool a node is in depends on
// all pools, so whatever changes is looked at as a whole.
func (r *Architectures) SetupWithManager(mgr manager.Manager) error {
	all := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{{}}
	})
	return builder.ControllerManagedBy(mgr).Named("pool-architectures").
		Watches(&mcfgv1.MachineConfigPool{}, all).
		Watches(&corev1.Node{}, all).
		Complete(r)
}

// Reconcile writes the architectures of every pool.
func (r *Architectures) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	pools, nodes, err := read(ctx, r.Client)
	if err != nil {
		return reconcile.Result{}, err
	}
	sets := map[string]string{}
	for _, p := range inPools(pools, nodes) {
		sets[p.Name] = p.Architectures.String()
	}
	if err := r.writeConfigMap(ctx, sets); err != nil {
		return reconcile.Result{}, err
	}
	for i := range pools {
		p := pools[i].DeepCopy()
		if p.Annotations[buildplan.AnnotationArchitectures] == sets[p.Name] {
			continue
		}
		metav1.SetMetaDataAnnotation(&p.ObjectMeta, buildplan.AnnotationArchitectures, sets[p.Name])
		if err := r.Client.Update(ctx, p); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, nil
}

func (r *Architectures) writeConfigMap(ctx context.Context, sets map[string]string) error {
	c := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: buildplan.Namespace, Name: buildplan.ConfigMapArchitectures}}
	err := r.Reader.Get(ctx, client.ObjectKeyFromObject(c), c)
	switch {
	case apierrors.IsNotFound(err):
		c.Data = sets
		return r.Client.Create(ctx, c)
	case err != nil:
		return err
	}
	same := len(c.Data) == len(sets)
	for pool, set := range sets {
		have, ok := c.Data[pool]
		same = same && ok && have == set
	}
	if same {
		return nil
	}
	c.Data = sets
	return r.Client.Update(ctx, c)
}
