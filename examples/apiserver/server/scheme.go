package server

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// A group is one API group version of compiled-in types.
type group struct {
	version schema.GroupVersion
	scheme  *runtime.Scheme
	codecs  serializer.CodecFactory
}

// newGroup makes a scheme in which the external types stand for the internal
// ones too, so there is nothing to convert. It registers no defaulting either:
// a defaulter runs whenever an object is decoded, be it from a request or from
// storage, and cannot see what is stored.
func newGroup(version schema.GroupVersion, types ...runtime.Object) group {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version, types...)
	scheme.AddKnownTypes(schema.GroupVersion{Group: version.Group, Version: runtime.APIVersionInternal}, types...)
	metav1.AddToGroupVersion(scheme, version)
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return group{version: version, scheme: scheme, codecs: serializer.NewCodecFactory(scheme)}
}

// storageCodec stores JSON, which etcdctl can show.
func (g group) storageCodec() runtime.Codec { return g.codecs.LegacyCodec(g.version) }

// info describes the group with the given storage for installing it.
func (g group) info(served map[string]rest.Storage) *genericapiserver.APIGroupInfo {
	info := genericapiserver.NewDefaultAPIGroupInfo(g.version.Group, g.scheme, runtime.NewParameterCodec(g.scheme), g.codecs)
	info.VersionedResourcesStorageMap[g.version.Version] = served
	return &info
}
