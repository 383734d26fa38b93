package controller

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// SetupWithManager adds the controller to mgr.
func (r *Builds) SetupWithManager(mgr manager.Manager) error {
	request := func(config string) []reconcile.Request {
		if config == "" {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: config}}}
	}
	ofBuild := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return request(o.(*mcfgv1.MachineOSBuild).Spec.MachineOSConfig.Name)
	})
	ofJob := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return request(o.GetAnnotations()[buildplan.AnnotationConfig])
	})
	ofPool := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []reconcile.Request {
		var configs mcfgv1.MachineOSConfigList
		if err := r.Client.List(ctx, &configs); err != nil {
			return nil
		}
		var all []reconcile.Request
		for _, c := range configs.Items {
			if c.Spec.MachineConfigPool.Name == o.GetName() {
				all = append(all, request(c.Name)...)
			}
		}
		return all
	})
	ours, err := labels.NewRequirement(buildplan.LabelLayering, selection.Exists, nil)
	if err != nil {
		return err
	}
	reports, err := cache.New(mgr.GetConfig(), cache.Options{
		Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper(),
		ByObject: map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Namespaces: map[string]cache.Config{
			buildplan.Namespace: {LabelSelector: labels.NewSelector().Add(*ours)},
		}}},
	})
	if err != nil {
		return err
	}
	if err := mgr.Add(reports); err != nil {
		return err
	}
	r.Reports = reports
	return builder.ControllerManagedBy(mgr).Named("machine-os-build").
		For(&mcfgv1.MachineOSConfig{}).
		Watches(&mcfgv1.MachineOSBuild{}, ofBuild).
		Watches(&batchv1.Job{}, ofJob).
		WatchesRawSource(source.Kind[client.Object](reports, &corev1.ConfigMap{}, ofJob)).
		Watches(&mcfgv1.MachineConfigPool{}, ofPool).
		Complete(r)
}
