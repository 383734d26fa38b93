package server

import (
	"context"

	imagev1 "github.com/openshift/api/image/v1"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	genericregistry "k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
)

var imageResource = schema.GroupResource{Group: imagev1.GroupName, Resource: "images"}

// imageStore keeps the images of the cluster, each under its digest. Only imports
// write it.
func imageStore(g group, options genericregistry.RESTOptionsGetter) (*registry.Store, error) {
	strategy := bareStrategy{ObjectTyper: g.scheme, NameGenerator: names.SimpleNameGenerator, bareResource: bareResource{clusterScoped: true}}
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return &imagev1.Image{} },
		NewListFunc:               func() runtime.Object { return &imagev1.ImageList{} },
		DefaultQualifiedResource:  imageResource,
		SingularQualifiedResource: schema.GroupResource{Group: imageResource.Group, Resource: "image"},
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		TableConvertor:            imageColumns(),
	}
	return store, store.CompleteWithOptions(&genericregistry.StoreOptions{RESTOptions: options})
}

// imageREST serves images: they can be read and deleted. Upstream also creates and
// updates them by hand, for its registry.
type imageREST struct{ store *registry.Store }

var (
	_ rest.Getter               = imageREST{}
	_ rest.Lister               = imageREST{}
	_ rest.Watcher              = imageREST{}
	_ rest.GracefulDeleter      = imageREST{}
	_ rest.Scoper               = imageREST{}
	_ rest.SingularNameProvider = imageREST{}
)

func (r imageREST) New() runtime.Object     { return r.store.New() }
func (r imageREST) NewList() runtime.Object { return r.store.NewList() }
func (r imageREST) Destroy()                { r.store.Destroy() }
func (imageREST) NamespaceScoped() bool     { return false }
func (imageREST) GetSingularName() string   { return "image" }

func (r imageREST) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return r.store.Get(ctx, name, options)
}

func (r imageREST) List(ctx context.Context, options *metainternalversion.ListOptions) (runtime.Object, error) {
	return r.store.List(ctx, options)
}

func (r imageREST) Watch(ctx context.Context, options *metainternalversion.ListOptions) (watch.Interface, error) {
	return r.store.Watch(ctx, options)
}

func (r imageREST) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return r.store.Delete(ctx, name, validate, options)
}

func (r imageREST) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return r.store.ConvertToTable(ctx, object, options)
}

func imageColumns() columns {
	return columns{rest.NewDefaultTableConvertor(imageResource), []metav1.TableColumnDefinition{
		column("Name", metav1.ObjectMeta{}.SwaggerDoc()["name"], 0),
		column("Image Reference", imagev1.Image{}.SwaggerDoc()["dockerImageReference"], 0),
		column("Manifests", "How many images a manifest list holds; empty for a single image.", 1),
	}, func(obj runtime.Object) []any {
		image := obj.(*imagev1.Image)
		var manifests any = ""
		if n := len(image.DockerImageManifests); n > 0 {
			manifests = n
		}
		return []any{image.Name, image.DockerImageReference, manifests}
	}}
}
