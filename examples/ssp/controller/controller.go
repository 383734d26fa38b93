// Package controller is how the SSP operator would embed dictexpand: it makes
// DataImportCrons and DataSources out of the DataImportCronTemplates of an SSP
// object, one cron for each architecture that the template and the cluster have
// in common, and takes them away again when the SSP object goes. SSP objects are
// read as they come, without the operator's own types.
package controller

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// GoldenImages is the namespace of crons whose templates name none.
const GoldenImages = "openshift-virtualization-os-images"

// Finalizer is the SSP operator's. It keeps an SSP object until what was made for
// it is gone.
const Finalizer = "finalize.ssp.kubevirt.io"

// GroupVersionKind is that of the SSP objects.
var GroupVersionKind = schema.GroupVersionKind{Group: "ssp.kubevirt.io", Version: "v1beta3", Kind: "SSP"}

// AddToScheme adds CDI's types. SSP objects need none.
func AddToScheme(s *runtime.Scheme) error { return cdiv1beta1.AddToScheme(s) }

// Reconciler reconciles SSP objects.
type Reconciler struct {
	Client client.Client
	// Reader reads past the cache of Client: what was made a moment ago must not be
	// overlooked when it is to go. Nil is the manager's.
	Reader client.Reader
	Events record.EventRecorder
	// Namespace is where the crons of templates without a namespace go.
	Namespace string
	// DataSources holds those that the operator makes per architecture itself, for
	// its virtual machine templates.
	DataSources []dictexpand.CallerDataSource
	// Grace is for how long an architecture that left the cluster keeps its crons:
	// its nodes may come back.
	Grace time.Duration
	// Took is told of each step that the API server took. It may be nil.
	Took func(dictexpand.Step)
	Now  func() metav1.Time

	told   tellings
	absent absences
}

// Reconcile plans for an SSP object that is there, and cleans up after one that is
// being deleted.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ssp := newSSP()
	if err := r.Client.Get(ctx, req.NamespacedName, ssp); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !ssp.GetDeletionTimestamp().IsZero() {
		return reconcile.Result{}, r.cleanUp(ctx, ssp)
	}
	// Nothing is made that nobody would take away.
	if controllerutil.AddFinalizer(ssp, Finalizer) {
		if err := r.Client.Update(ctx, ssp); err != nil {
			return reconcile.Result{}, err
		}
	}
	spec, err := specOf(ssp)
	if err != nil {
		return reconcile.Result{}, r.report(ctx, ssp, unreadable(err))
	}
	f, err := r.facts(ctx, r.Client)
	if err != nil {
		return reconcile.Result{}, err
	}
	options, dropAfter := r.options(ssp, spec, f)
	expansion := dictexpand.Expand(spec.CommonTemplates.DataImportCronTemplates, options)
	err = r.carryOut(ctx, ssp, expansion, f)
	return reconcile.Result{RequeueAfter: dropAfter}, err
}

// carryOut plans, takes the steps, and tells what came of it.
func (r *Reconciler) carryOut(ctx context.Context, ssp *unstructured.Unstructured, e dictexpand.Expansion, f facts) error {
	plan, failed := r.plan(ctx, e, f.existing)
	failed = append(failed, r.take(ctx, ssp, plan.Steps)...)
	return errors.Join(joined(failed), r.report(ctx, ssp, summary(e, plan, failed, f.nodes)))
}

// cleanUp plans for an SSP object without templates, until nothing of it is left.
func (r *Reconciler) cleanUp(ctx context.Context, ssp *unstructured.Unstructured) error {
	if !controllerutil.ContainsFinalizer(ssp, Finalizer) {
		return nil
	}
	f, err := r.facts(ctx, r.Reader)
	if err != nil {
		return err
	}
	expansion := dictexpand.Expand(nil, dictexpand.Options{
		Namespace: r.Namespace, CallerDataSources: r.DataSources, Owner: ownerOf(ssp),
	})
	if unfinished(dictexpand.Plan(expansion, f.existing).Steps) {
		return r.carryOut(ctx, ssp, expansion, f)
	}
	r.absent.forget(ssp.GetUID())
	r.told.forget(ssp.GetUID())
	controllerutil.RemoveFinalizer(ssp, Finalizer)
	return client.IgnoreNotFound(r.Client.Update(ctx, ssp))
}

func newSSP() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(GroupVersionKind)
	return u
}

func newSSPList() *unstructured.UnstructuredList {
	l := &unstructured.UnstructuredList{}
	l.SetGroupVersionKind(GroupVersionKind.GroupVersion().WithKind(GroupVersionKind.Kind + "List"))
	return l
}
