package server

import (
	"context"

	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

func imageGroup(name string) group {
	return newGroup(schema.GroupVersion{Group: name, Version: "v1"},
		&imagev1.ImageStream{}, &imagev1.ImageStreamList{},
		&imagev1.ImageStreamTag{}, &imagev1.ImageStreamTagList{}, &imagev1.ImageStreamImport{},
		&imagev1.ImageStreamImage{}, &imagev1.Image{}, &imagev1.ImageList{})
}

// imageStreams serves images, image streams, and what is a view of them, with the
// modes that importmode decides.
func imageStreams(g group, options genericregistry.RESTOptionsGetter, cluster imagev1.ImportModeType, imports imports) (*genericapiserver.APIGroupInfo, error) {
	var store *registry.Store // which the strategy by which it is written reads, too
	strategy := modeStrategy{newStreamStrategy(g), cluster, func(ctx context.Context, namespace, name string) (*imagev1.ImageStream, error) {
		obj, err := store.Get(request.WithNamespace(ctx, namespace), name, &metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		return obj.(*imagev1.ImageStream), nil
	}, imports.allowed}
	store, err := streamStore(g, options, strategy)
	if err != nil {
		return nil, err
	}
	images, err := imageStore(g, options)
	if err != nil {
		return nil, err
	}
	// The views write the status as well as the spec.
	streams := streamViews{store, withUpdateStrategy(store, viewStrategy{strategy})}
	served := servedStreams(store, streamStatusStrategy{strategy.streamStrategy})
	served["imagestreamtags"] = tagREST{TableConvertor: tagColumns(), streams: streams, images: images, strategy: tagStrategy{g.scheme}, cluster: cluster}
	served["imagestreamimages"] = streamImageREST{TableConvertor: streamImageColumns(), streams: streams, images: images}
	served["imagestreamimports"] = importREST{imports: imports, streams: streams, images: images, cluster: cluster}
	served["images"] = imageREST{images}
	return g.info(served), nil
}

// passThroughStreams serves image streams into which importmode does not look,
// for benchmarks to compare with.
func passThroughStreams(g group, options genericregistry.RESTOptionsGetter) (*genericapiserver.APIGroupInfo, error) {
	strategy := newStreamStrategy(g)
	store, err := streamStore(g, options, strategy)
	if err != nil {
		return nil, err
	}
	return g.info(servedStreams(store, streamStatusStrategy{strategy})), nil
}

// An updateStrategy is a strategy for writes, of the whole or of a subresource.
type updateStrategy interface {
	rest.RESTUpdateStrategy
	rest.ResetFieldsStrategy
}

func streamStore(g group, options genericregistry.RESTOptionsGetter, strategy interface {
	rest.RESTCreateStrategy
	updateStrategy
}) (*registry.Store, error) {
	resource := schema.GroupResource{Group: g.version.Group, Resource: "imagestreams"}
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return &imagev1.ImageStream{} },
		NewListFunc:               func() runtime.Object { return &imagev1.ImageStreamList{} },
		DefaultQualifiedResource:  resource,
		SingularQualifiedResource: schema.GroupResource{Group: resource.Group, Resource: "imagestream"},
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		ResetFieldsStrategy:       strategy,
		TableConvertor:            streamColumns(resource),
	}
	return store, store.CompleteWithOptions(&genericregistry.StoreOptions{RESTOptions: options})
}

// withUpdateStrategy is the same storage, written by another strategy.
func withUpdateStrategy(store *registry.Store, strategy updateStrategy) *registry.Store {
	other := *store
	other.UpdateStrategy, other.ResetFieldsStrategy = strategy, strategy
	if create, ok := strategy.(rest.RESTCreateStrategy); ok {
		other.CreateStrategy = create
	}
	return &other
}

func servedStreams(store *registry.Store, status streamStatusStrategy) map[string]rest.Storage {
	return map[string]rest.Storage{
		"imagestreams":        namedREST{store, "is"},
		"imagestreams/status": statusREST{withUpdateStrategy(store, status)},
	}
}

// streamViews is what the resources that are views of image streams read and
// write.
type streamViews struct {
	*registry.Store
	// views writes spec and status, as UpdateImageStream of openshift-apiserver
	// (pkg/image/apiserver/registry/imagestream/registry.go, 34c2480) does.
	views *registry.Store
}
