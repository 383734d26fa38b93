// Package cdi stands for the Containerized Data Importer in tests and stories, as
// far as DataImportCrons go: imports are through at once, and an image is a claim
// without a volume.
//
// It follows kubevirt/containerized-data-importer from 1.60 on, at commit
// f7a8debe7069, pkg/controller/dataimportcron-controller.go: shouldReconcileCron,
// createImportDataVolume, updateSource, updateDataSource and cleanup. Its webhook
// is in the package admission.
package cdi

import (
	"cmp"
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

const (
	finalizer = "cdi.kubevirt.io/dataImportCronFinalizer"
	// volumeOf is the cron whose DataVolume owns a claim. Another cron that finds an
	// image of its digest labels the claim as its own, but not the DataVolume.
	volumeOf = "cdi.example.com/data-volume-of"
	// FirstDigest is what all sources lead to where nothing else is said.
	FirstDigest = "0123456789ab"
)

// Reconciler imports what DataImportCrons ask for.
type Reconciler struct {
	Client client.Client
	// Digest returns what the source of a cron leads to now, or "" while it cannot be
	// imported. Nil means that nothing ever changes.
	Digest func(*cdiv1beta1.DataImportCron) string
}

// SetupWithManager adds the controller to mgr.
func (r *Reconciler) SetupWithManager(mgr manager.Manager) error {
	ofDataSource := handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, ds client.Object) []reconcile.Request {
		var crons cdiv1beta1.DataImportCronList
		if err := r.Client.List(ctx, &crons, client.InNamespace(ds.GetNamespace())); err != nil {
			return nil // the cache of the controller's own kind does not fail
		}
		var requests []reconcile.Request
		for i := range crons.Items {
			if crons.Items[i].Spec.ManagedDataSource == ds.GetName() {
				requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&crons.Items[i])})
			}
		}
		return requests
	})
	return builder.ControllerManagedBy(mgr).Named("cdi").
		For(&cdiv1beta1.DataImportCron{}).
		Watches(&cdiv1beta1.DataSource{}, ofDataSource).
		Complete(r)
}

// All looks at every cron once.
func (r *Reconciler) All(ctx context.Context) error {
	var crons cdiv1beta1.DataImportCronList
	if err := r.Client.List(ctx, &crons); err != nil {
		return err
	}
	for i := range crons.Items {
		if _, err := r.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&crons.Items[i])}); err != nil {
			return err
		}
	}
	return nil
}

// Reconcile imports for one cron, or cleans up behind it.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var cron cdiv1beta1.DataImportCron
	if err := r.Client.Get(ctx, req.NamespacedName, &cron); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !cron.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, r.cleanUp(ctx, &cron)
	}
	if controllerutil.AddFinalizer(&cron, finalizer) {
		if err := r.Client.Update(ctx, &cron); err != nil {
			return reconcile.Result{}, err
		}
	}
	ds := &cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: cron.Namespace, Name: cron.Spec.ManagedDataSource}}
	err := r.Client.Get(ctx, client.ObjectKeyFromObject(ds), ds)
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return reconcile.Result{}, err
	}
	if managed, err := r.byAnother(ctx, &cron, ds); managed || err != nil {
		return reconcile.Result{}, err
	}
	if err := r.importImage(ctx, &cron); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.updateDataSource(ctx, &cron, ds, missing)
}

// byAnother reports whether the label of the DataSource names another cron that
// exists and manages it too: then this one is not looked at.
func (r *Reconciler) byAnother(ctx context.Context, cron *cdiv1beta1.DataImportCron, ds *cdiv1beta1.DataSource) (bool, error) {
	label := ds.Labels[dictexpand.LabelDataImportCron]
	if label == "" || label == cron.Name {
		return false, nil
	}
	var other cdiv1beta1.DataImportCron
	err := r.Client.Get(ctx, client.ObjectKey{Namespace: cron.Namespace, Name: label}, &other)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return other.Spec.ManagedDataSource == cron.Spec.ManagedDataSource, err
}

// importImage makes a claim of the digest that the source leads to, or takes the
// one that is there.
func (r *Reconciler) importImage(ctx context.Context, cron *cdiv1beta1.DataImportCron) error {
	digest := FirstDigest
	if r.Digest != nil {
		digest = r.Digest(cron)
	}
	if digest == "" {
		return nil
	}
	name := cron.Spec.ManagedDataSource + "-" + digest
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: cron.Namespace, Name: name}}
	err := r.Client.Get(ctx, client.ObjectKeyFromObject(claim), claim)
	switch {
	case apierrors.IsNotFound(err):
		own(cron, claim)
		metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volumeOf, cron.Name)
		claim.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: cdiv1beta1.SchemeGroupVersion.String(), Kind: "DataVolume", Name: name, UID: cron.UID,
		}}
		err = r.Client.Create(ctx, claim)
	case err == nil && own(cron, claim):
		err = r.Client.Update(ctx, claim)
	}
	if last := cron.Status.LastImportedPVC; err != nil || last != nil && last.Name == name {
		return err
	}
	cron.Status.LastImportedPVC = &cdiv1beta1.DataVolumeSourcePVC{Namespace: cron.Namespace, Name: name}
	cron.Status.CurrentImports = []cdiv1beta1.ImportStatus{{DataVolumeName: name, Digest: digest}}
	return r.Client.Update(ctx, cron)
}

// updateDataSource leads the DataSource to the last import, if it carries the label
// of this cron.
func (r *Reconciler) updateDataSource(ctx context.Context, cron *cdiv1beta1.DataImportCron, ds *cdiv1beta1.DataSource, missing bool) error {
	if missing {
		own(cron, ds)
		if err := r.Client.Create(ctx, ds); err != nil {
			return err
		}
	}
	if ds.Labels[dictexpand.LabelDataImportCron] != cron.Name {
		return nil
	}
	changed := own(cron, ds)
	if last := cron.Status.LastImportedPVC; last != nil && (ds.Spec.Source.PVC == nil || *ds.Spec.Source.PVC != *last) {
		ds.Spec.Source = cdiv1beta1.DataSourceSource{PVC: last.DeepCopy()}
		changed = true
	}
	if !changed {
		return nil
	}
	return r.Client.Update(ctx, ds)
}

// own labels an object as that of a cron, and reports whether that changes it. A
// cleanup label that is there stays.
func own(cron *cdiv1beta1.DataImportCron, obj client.Object) bool {
	labels := obj.GetLabels()
	want := map[string]string{dictexpand.LabelDataImportCron: cron.Name}
	if p := cron.Spec.RetentionPolicy; p != nil && *p == cdiv1beta1.DataImportCronRetainNone {
		want[dictexpand.LabelDataImportCronCleanup] = "true"
	}
	changed := false
	for k, v := range want {
		if labels[k] != v {
			changed = true
			labels = with(labels, k, v)
		}
	}
	obj.SetLabels(labels)
	return changed
}

func with(m map[string]string, k, v string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[k] = v
	return m
}

// cleanUp deletes what carries the name of the cron and the label for cleanup, and
// the claims that such DataVolumes own.
func (r *Reconciler) cleanUp(ctx context.Context, cron *cdiv1beta1.DataImportCron) error {
	var sources cdiv1beta1.DataSourceList
	var claims corev1.PersistentVolumeClaimList
	inNamespace := client.InNamespace(cron.Namespace)
	if err := cmp.Or(r.Client.List(ctx, &sources, inNamespace), r.Client.List(ctx, &claims, inNamespace)); err != nil {
		return err
	}
	for i := range sources.Items {
		if ds := &sources.Items[i]; marked(ds, ds.Labels[dictexpand.LabelDataImportCron], cron) {
			if err := client.IgnoreNotFound(r.Client.Delete(ctx, ds)); err != nil {
				return err
			}
		}
	}
	for i := range claims.Items {
		claim := &claims.Items[i]
		if marked(claim, claim.Labels[dictexpand.LabelDataImportCron], cron) || marked(claim, claim.Annotations[volumeOf], cron) {
			if err := client.IgnoreNotFound(r.Client.Delete(ctx, claim)); err != nil {
				return err
			}
		}
	}
	if !controllerutil.RemoveFinalizer(cron, finalizer) {
		return nil
	}
	return client.IgnoreNotFound(r.Client.Update(ctx, cron))
}

func marked(obj client.Object, name string, cron *cdiv1beta1.DataImportCron) bool {
	return name == cron.Name && obj.GetLabels()[dictexpand.LabelDataImportCronCleanup] == "true"
}
