package server

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"time"

	openshiftopenapi "github.com/openshift/api/openapi/generated_openapi"
	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	apiextensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericregistry "k8s.io/apiserver/pkg/registry/generic"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/apiserver/pkg/util/webhook"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/kube-openapi/pkg/common"

	"github.com/polyarch/polyarch/examples/apiserver/internal/batchopenapi"
)

// StoragePrefix begins every key in etcd. An object's key goes on with group
// (none for the core group), resource, namespace (if it has one) and name.
const StoragePrefix = "/registry"

const (
	// shutdownGrace is how long a stopping server waits for open requests. They
	// are short; watches are told to end at once.
	shutdownGrace = 5 * time.Second
	watchGrace    = time.Second
)

// newServer makes the server for CustomResourceDefinitions and their objects.
// The groups of compiled-in types are installed on the same server, so all of
// them share discovery, OpenAPI and readiness.
func newServer(o Options, listener net.Listener, id identity, serving dynamiccertificates.CertKeyContentProvider, groups []group) (*apiextensionsapiserver.CustomResourceDefinitions, *genericoptions.EtcdOptions, error) {
	config := genericapiserver.NewRecommendedConfig(apiextensionsapiserver.Codecs)
	config.EffectiveVersion = effectiveVersion{compatibility.DefaultBuildEffectiveVersion()}
	config.ExternalAddress = listener.Addr().String()
	config.MergedResourceConfig = apiextensionsapiserver.DefaultAPIResourceConfigSource()
	config.EnableProfiling = false
	config.ShutdownWatchTerminationGracePeriod = watchGrace
	markClients(&config.Config, o.IgnoreLegacyFrom)
	boundLists(&config.Config)

	if err := secure(&config.Config, listener, id, serving); err != nil {
		return nil, nil, err
	}
	var err error
	if config.AdmissionControl, err = plugins(config.LoopbackClientConfig); err != nil {
		return nil, nil, err
	}

	etcd := genericoptions.NewEtcdOptions(storagebackend.NewDefaultConfig(StoragePrefix, apiextensionsapiserver.Codecs.LegacyCodec(apiextensionsv1.SchemeGroupVersion)))
	transport := &etcd.StorageConfig.Transport
	transport.ServerList, transport.TrustedCAFile = o.EtcdServers, o.EtcdCAFile
	transport.CertFile, transport.KeyFile = o.EtcdCertFile, o.EtcdKeyFile
	if !slices.ContainsFunc(o.EtcdServers, isSocket) {
		transport.EgressLookup = dialEtcd
	}
	etcd.StorageConfig.StorageObjectCountTracker = config.StorageObjectCountTracker
	// A watch cache knows nothing of before its own start, so after a restart
	// every client would have to list anew, and back off before it does. etcd
	// itself lets a watch go on where it was.
	etcd.EnableWatchCache = false
	etcd.StorageConfig.Transformer = newMeasuring()
	if err := etcd.ApplyTo(&config.Config); err != nil {
		return nil, nil, err
	}
	config.RESTOptionsGetter = layered{config.RESTOptionsGetter}

	schemes := []*runtime.Scheme{apiextensionsapiserver.Scheme}
	for _, g := range groups {
		schemes = append(schemes, g.scheme)
	}
	namer := openapinamer.NewDefinitionNamer(schemes...)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(openAPIDefinitions, namer)
	config.OpenAPIConfig.Info.Title = "polyarch reference apiserver"
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(openAPIDefinitions, namer)
	config.OpenAPIV3Config.Info.Title = "polyarch reference apiserver"

	unstructuredCodec := runtime.NewCodec(unstructured.UnstructuredJSONScheme, unstructured.UnstructuredJSONScheme)
	completed := (&apiextensionsapiserver.Config{
		GenericConfig: config,
		ExtraConfig: apiextensionsapiserver.ExtraConfig{
			CRDRESTOptionsGetter: restOptions(etcd, unstructuredCodec),
			MasterCount:          1,
			ServiceResolver:      noServices{},
			AuthResolverWrapper:  webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, config.LoopbackClientConfig, noopoteltrace.NewTracerProvider()),
		},
	}).Complete()
	// Completing turns discovery off, since an aggregator is expected in front.
	completed.GenericConfig.EnableDiscovery = true
	// It has also put an authenticator of the server's own client before the other.
	refusals := &countedRefusals{Request: completed.GenericConfig.Authentication.Authenticator}
	completed.GenericConfig.Authentication.Authenticator = refusals
	server, err := completed.New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, nil, err
	}
	server.GenericAPIServer.ShutdownTimeout = shutdownGrace
	return server, etcd, server.GenericAPIServer.AddPreShutdownHook("tell-of-refusals", func() error {
		refusals.flush()
		return nil
	})
}

// secure sets up TLS, the one user there is, and the server's own client.
func secure(config *genericapiserver.Config, listener net.Listener, id identity, serving dynamiccertificates.CertKeyContentProvider) error {
	own, err := dynamiccertificates.NewStaticSNICertKeyContent("loopback", id.certPEM, id.keyPEM, genericapiserver.LoopbackClientServerNameOverride)
	if err != nil {
		return err
	}
	config.SecureServing = &genericapiserver.SecureServingInfo{
		Listener: listener,
		Cert:     serving,
		SNICerts: []dynamiccertificates.SNICertKeyContentProvider{own},
	}
	config.LoopbackClientConfig, err = config.SecureServing.NewLoopbackClientConfig(newToken(), id.certPEM)
	if err != nil {
		return err
	}
	// There must be an authenticator: with none, nobody is asked who they are.
	// This one knows no anonymous user, and the authorizer would refuse one.
	config.Authentication.Authenticator = bearertoken.New(tokenfile.New(map[string]*user.DefaultInfo{
		id.token: {Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}},
	}))
	config.Authorization.Authorizer = authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	return nil
}

// restOptions stores with the given codec what etcd's options say.
func restOptions(etcd *genericoptions.EtcdOptions, codec runtime.Codec) genericregistry.RESTOptionsGetter {
	config := etcd.StorageConfig
	config.Codec = codec
	return layered{etcd.CreateRESTOptionsGetter(&genericoptions.SimpleStorageFactory{StorageConfig: config}, nil)}
}

func openAPIDefinitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	definitions := openshiftopenapi.GetOpenAPIDefinitions(ref)
	maps.Copy(definitions, apiextensionsopenapi.GetOpenAPIDefinitions(ref))
	maps.Copy(definitions, batchopenapi.GetOpenAPIDefinitions(ref))
	return definitions
}

// noServices answers for the webhooks that a CustomResourceDefinition may name.
type noServices struct{}

func (noServices) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return nil, errors.New("this server resolves no services: CustomResourceDefinitions with a conversion webhook are not supported")
}

// effectiveVersion tells clients a version that they can parse: the one of the
// library is filled in by the build of Kubernetes, which this is not.
type effectiveVersion struct {
	basecompatibility.EffectiveVersion
}

func (v effectiveVersion) Info() *version.Info {
	info := *v.EffectiveVersion.Info()
	info.GitVersion = fmt.Sprintf("v%s.%s.0-polyarch", info.Major, info.Minor)
	return &info
}
