package server

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericregistry "k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// layered puts the layers of this server around storage: what etcd says while it is
// unavailable becomes an answer to clients first, then sizes are bounded.
type layered struct {
	genericregistry.RESTOptionsGetter
}

func (g layered) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (genericregistry.RESTOptions, error) {
	options, err := g.RESTOptionsGetter.GetRESTOptions(resource, example)
	decorate := options.Decorator
	options.Decorator = func(config *storagebackend.ConfigForResource, prefix string, keyOf func(runtime.Object) (string, error), newObject, newList func() runtime.Object,
		attributes storage.AttrFunc, trigger storage.IndexerFuncs, indexers *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
		s, destroy, err := decorate(config, prefix, keyOf, newObject, newList, attributes, trigger, indexers)
		return guardedStorage{retriableStorage{s, resource, silenceTimeout}, resource, newObject, newList}, destroy, err
	}
	return options, err
}

// A guardedStorage reads long lists in pages, and says what is wrong with an object
// that etcd does not take.
type guardedStorage struct {
	storage.Interface
	resource           schema.GroupResource
	newObject, newList func() runtime.Object
}
