package server

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericregistry "k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage/names"
)

// A bareResource is a Kubernetes resource that is stored as it is sent: no
// validation but that of metadata, no defaults, no controller behind it. It is
// there for clients that keep their facts in such objects.
type bareResource struct {
	plural, singular, short string
	object, list            runtime.Object
	clusterScoped           bool
	// onCreate sets what the type's own strategy would set.
	onCreate func(obj runtime.Object)
	// copySpec and copyStatus are nil for types without a status.
	copySpec, copyStatus func(to, from runtime.Object)
}

var coreResources = []bareResource{
	{plural: "configmaps", singular: "configmap", short: "cm", object: &corev1.ConfigMap{}, list: &corev1.ConfigMapList{}},
	{plural: "events", singular: "event", short: "ev", object: &corev1.Event{}, list: &corev1.EventList{}},
	{
		plural: "namespaces", singular: "namespace", short: "ns", object: &corev1.Namespace{}, list: &corev1.NamespaceList{},
		clusterScoped: true,
		onCreate: func(obj runtime.Object) {
			obj.(*corev1.Namespace).Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
		},
		copySpec:   func(to, from runtime.Object) { to.(*corev1.Namespace).Spec = from.(*corev1.Namespace).Spec },
		copyStatus: func(to, from runtime.Object) { to.(*corev1.Namespace).Status = from.(*corev1.Namespace).Status },
	},
	{
		plural: "nodes", singular: "node", short: "no", object: &corev1.Node{}, list: &corev1.NodeList{},
		clusterScoped: true,
		// A kubelet registers its node with the status.
		copySpec:   func(to, from runtime.Object) { to.(*corev1.Node).Spec = from.(*corev1.Node).Spec },
		copyStatus: func(to, from runtime.Object) { to.(*corev1.Node).Status = from.(*corev1.Node).Status },
	},
	{
		plural: "persistentvolumeclaims", singular: "persistentvolumeclaim", short: "pvc",
		object: &corev1.PersistentVolumeClaim{}, list: &corev1.PersistentVolumeClaimList{},
	},
	{plural: "secrets", singular: "secret", object: &corev1.Secret{}, list: &corev1.SecretList{}},
}

var batchResources = []bareResource{
	{
		plural: "jobs", singular: "job", object: &batchv1.Job{}, list: &batchv1.JobList{},
		onCreate:   func(obj runtime.Object) { obj.(*batchv1.Job).Status = batchv1.JobStatus{} },
		copySpec:   func(to, from runtime.Object) { to.(*batchv1.Job).Spec = from.(*batchv1.Job).Spec },
		copyStatus: func(to, from runtime.Object) { to.(*batchv1.Job).Status = from.(*batchv1.Job).Status },
	},
}

func bareGroup(version schema.GroupVersion, resources []bareResource) group {
	var types []runtime.Object
	for _, r := range resources {
		types = append(types, r.object, r.list)
	}
	return newGroup(version, types...)
}

// bareResources serves the resources under the group's name.
func bareResources(g group, options genericregistry.RESTOptionsGetter, resources []bareResource) (*genericapiserver.APIGroupInfo, error) {
	served := map[string]rest.Storage{}
	for _, r := range resources {
		store, status, err := r.storage(g, options)
		if err != nil {
			return nil, err
		}
		served[r.plural] = store
		if status != nil {
			served[r.plural+"/status"] = status
		}
	}
	return g.info(served), nil
}

func (r bareResource) storage(g group, options genericregistry.RESTOptionsGetter) (store, status rest.Storage, err error) {
	resource := schema.GroupResource{Group: g.version.Group, Resource: r.plural}
	strategy := bareStrategy{ObjectTyper: g.scheme, NameGenerator: names.SimpleNameGenerator, bareResource: r}
	all := &registry.Store{
		NewFunc:                   r.object.DeepCopyObject,
		NewListFunc:               r.list.DeepCopyObject,
		DefaultQualifiedResource:  resource,
		SingularQualifiedResource: schema.GroupResource{Group: g.version.Group, Resource: r.singular},
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		TableConvertor:            rest.NewDefaultTableConvertor(resource),
	}
	if err := all.CompleteWithOptions(&genericregistry.StoreOptions{RESTOptions: options}); err != nil {
		return nil, nil, err
	}
	if r.copyStatus == nil {
		return namedREST{all, r.short}, nil, nil
	}
	onlyStatus := *all
	onlyStatus.UpdateStrategy = bareStatusStrategy{strategy}
	return namedREST{all, r.short}, statusREST{&onlyStatus}, nil
}

type bareStrategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	bareResource
}

func (s bareStrategy) NamespaceScoped() bool         { return !s.clusterScoped }
func (bareStrategy) AllowCreateOnUpdate() bool       { return false }
func (bareStrategy) AllowUnconditionalUpdate() bool  { return true }
func (bareStrategy) Canonicalize(obj runtime.Object) {}

func (s bareStrategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	if s.onCreate != nil {
		s.onCreate(obj)
	}
}

func (s bareStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	if s.copyStatus != nil {
		s.copyStatus(obj, old)
	}
}

func (bareStrategy) Validate(context.Context, runtime.Object) field.ErrorList { return nil }
func (bareStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}
func (bareStrategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }
func (bareStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// bareStatusStrategy changes the status and leaves the spec.
type bareStatusStrategy struct{ bareStrategy }

func (s bareStatusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	s.copySpec(obj, old)
}
