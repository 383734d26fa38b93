// Package controller is how the SSP operator would embed dictexpand: it makes
// DataImportCrons and DataSources out of the DataImportCronTemplates of an SSP
// object, one cron for each architecture that the template and the cluster have
// in common. SSP objects are read as they come, without the operator's own types.
//
// What becomes of the objects when an SSP object is deleted is not part of it.
package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// GoldenImages is the namespace of crons whose templates name none.
const GoldenImages = "openshift-virtualization-os-images"

// GroupVersionKind is that of the SSP objects.
var GroupVersionKind = schema.GroupVersionKind{Group: "ssp.kubevirt.io", Version: "v1beta3", Kind: "SSP"}

// AddToScheme adds CDI's types. SSP objects need none.
func AddToScheme(s *runtime.Scheme) error { return cdiv1beta1.AddToScheme(s) }

// Reconciler reconciles SSP objects.
type Reconciler struct {
	Client client.Client
	Events record.EventRecorder
	// Namespace is where the crons of templates without a namespace go.
	Namespace string
	// DataSources holds those that the operator makes per architecture itself, for
	// its virtual machine templates.
	DataSources []dictexpand.CallerDataSource
	Now         func() metav1.Time
}

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
	return builder.ControllerManagedBy(mgr).Named("ssp").
		For(newSSP()).
		Watches(&corev1.Node{}, toAll).
		Watches(&cdiv1beta1.DataImportCron{}, toAll).
		Watches(&cdiv1beta1.DataSource{}, toAll).
		Complete(r)
}

// Reconcile fetches the facts, expands and plans, and takes the steps.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ssp := newSSP()
	if err := r.Client.Get(ctx, req.NamespacedName, ssp); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !ssp.GetDeletionTimestamp().IsZero() {
		return reconcile.Result{}, nil
	}
	spec, err := specOf(ssp)
	if err != nil {
		return reconcile.Result{}, r.report(ctx, ssp, unreadable(err))
	}
	var nodes corev1.NodeList
	var crons cdiv1beta1.DataImportCronList
	var dataSources cdiv1beta1.DataSourceList
	for _, list := range []client.ObjectList{&nodes, &crons, &dataSources} {
		if err := r.Client.List(ctx, list); err != nil {
			return reconcile.Result{}, err
		}
	}

	known := nodearch.FromNodes(nodes.Items)
	have := dictexpand.Existing{Crons: crons.Items, DataSources: dataSources.Items}
	if have.Claims, err = r.metadata(ctx, claims); err != nil {
		return reconcile.Result{}, err
	}
	if have.Snapshots, err = r.metadata(ctx, snapshots); err != nil {
		return reconcile.Result{}, err
	}

	options := r.options(ssp, spec, known)
	options.OwnImages = dictexpand.OwnImages(have)
	expansion := dictexpand.Expand(spec.CommonTemplates.DataImportCronTemplates, options)
	steps := dictexpand.Plan(expansion, have).Steps
	return reconcile.Result{}, errors.Join(r.take(ctx, steps), r.report(ctx, ssp, summary(expansion, steps, known)))
}

// sspSpec is as much of an SSP's spec as is needed.
type sspSpec struct {
	EnableMultipleArchitectures bool `json:"enableMultipleArchitectures"`
	Cluster                     *struct {
		ControlPlaneArchitectures []string `json:"controlPlaneArchitectures"`
		WorkloadArchitectures     []string `json:"workloadArchitectures"`
	} `json:"cluster"`
	CommonTemplates struct {
		DataImportCronTemplates []dictexpand.Template `json:"dataImportCronTemplates"`
	} `json:"commonTemplates"`
}

func specOf(ssp *unstructured.Unstructured) (sspSpec, error) {
	var spec sspSpec
	raw, _, err := unstructured.NestedMap(ssp.Object, "spec")
	if err != nil {
		return spec, err
	}
	return spec, runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &spec)
}

// options gathers what is known of the cluster: the architectures that the spec
// names, else those of the nodes, the control plane's first.
func (r *Reconciler) options(ssp *unstructured.Unstructured, spec sspSpec, nodes nodearch.Nodes) dictexpand.Options {
	o := dictexpand.Options{
		MultiArch:               spec.EnableMultipleArchitectures,
		ArchitecturesIncomplete: nodes.Incomplete,
		Supported:               []string{"amd64", "arm64", "s390x"},
		Namespace:               r.Namespace,
		CallerDataSources:       r.DataSources,
		Owner:                   ownerOf(ssp),
	}
	controlPlane := slices.Collect(nodes.ControlPlane.All())
	o.WorkloadArchitectures = slices.Collect(nodes.Workload.All())
	if c := spec.Cluster; c != nil {
		controlPlane, o.WorkloadArchitectures = c.ControlPlaneArchitectures, c.WorkloadArchitectures
	}
	o.Architectures = slices.Concat(controlPlane, o.WorkloadArchitectures)
	return o
}

// What a DataSource can point to.
var (
	claims    = corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaimList")
	snapshots = schema.GroupVersionKind{Group: "snapshot.storage.k8s.io", Version: "v1", Kind: "VolumeSnapshotList"}
)

// metadata lists the metadata of all objects of a kind. There are none of a kind
// that the cluster does not serve.
func (r *Reconciler) metadata(ctx context.Context, kind schema.GroupVersionKind) ([]metav1.ObjectMeta, error) {
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(kind)
	if err := r.Client.List(ctx, &list); err != nil && !meta.IsNoMatchError(err) {
		return nil, err
	}
	all := make([]metav1.ObjectMeta, len(list.Items))
	for i := range list.Items {
		all[i] = list.Items[i].ObjectMeta
	}
	return all, nil
}

// ownerOf marks objects as the SSP operator does.
func ownerOf(ssp *unstructured.Unstructured) dictexpand.Owner {
	return dictexpand.Owner{
		Labels: map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"},
		Annotations: map[string]string{
			"operator-sdk/primary-resource":      ssp.GetNamespace() + "/" + ssp.GetName(),
			"operator-sdk/primary-resource-type": GroupVersionKind.Kind + "." + GroupVersionKind.Group,
		},
	}
}

// take takes the steps in their order. What fails is planned anew, and keeps the
// others from being taken only where they build on it: no cron is touched before
// its DataSource is as it should be.
func (r *Reconciler) take(ctx context.Context, steps []dictexpand.Step) error {
	var failed []error
	for _, s := range steps {
		if s.Kind == dictexpand.KindDataImportCron && slices.ContainsFunc(failed, ofDataSource) {
			break
		}
		var err error
		switch s.Verb {
		case dictexpand.VerbCreate:
			// One that is there already is still being deleted: its going will be an
			// event.
			if err = r.Client.Create(ctx, objectOf(s)); apierrors.IsAlreadyExists(err) {
				err = nil
			}
		case dictexpand.VerbRelabel, dictexpand.VerbUpdate:
			err = r.Client.Update(ctx, objectOf(s))
		case dictexpand.VerbDelete:
			err = client.IgnoreNotFound(r.Client.Delete(ctx, objectOf(s), client.Preconditions{UID: &s.UID, ResourceVersion: &s.ResourceVersion}))
		}
		if err != nil {
			failed = append(failed, &stepError{s, err})
		}
	}
	return errors.Join(failed...)
}

// A stepError is a step that the API server did not take.
type stepError struct {
	step dictexpand.Step
	err  error
}

func (e *stepError) Error() string {
	return fmt.Sprintf("%s %s %s/%s: %v", e.step.Verb, e.step.Kind, e.step.Namespace, e.step.Name, e.err)
}

func (e *stepError) Unwrap() error { return e.err }

func ofDataSource(err error) bool {
	var e *stepError
	return errors.As(err, &e) && e.step.Kind == dictexpand.KindDataSource
}

// objectOf returns the object to write, or one to delete.
func objectOf(s dictexpand.Step) client.Object {
	switch {
	case s.Cron != nil:
		return s.Cron
	case s.DataSource != nil:
		return s.DataSource
	case s.Kind == dictexpand.KindDataSource:
		return &cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}}
	}
	return &cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}}
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
