package server

import (
	"context"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	osimagestreamadmission "github.com/polyarch/polyarch/examples/osimagestream/admission"
	sspadmission "github.com/polyarch/polyarch/examples/ssp/admission"
	"github.com/polyarch/polyarch/osimagestream"
)

// plugins returns the admission plugins: what clusters have webhooks and policies
// for, where the definitions alone do not refuse it.
func plugins(loopback *rest.Config) (genericadmission.Interface, error) {
	pools, err := poolStreams(loopback)
	if err != nil {
		return nil, err
	}
	return genericadmission.NewChainHandler(pools, sspadmission.New()), nil
}

// poolStreams holds what machine config pools may name against the OSImageStream
// as it is stored at that moment, which the server's own client reads.
func poolStreams(loopback *rest.Config) (genericadmission.Interface, error) {
	scheme := runtime.NewScheme()
	if err := mcfgv1.Install(scheme); err != nil {
		return nil, err
	}
	config := rest.CopyConfig(loopback)
	config.QPS = -1
	// The definitions are not served yet, so nobody is asked for them.
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{mcfgv1.GroupVersion})
	mapper.Add(mcfgv1.GroupVersion.WithKind("OSImageStream"), meta.RESTScopeRoot)
	reader, err := client.New(config, client.Options{Scheme: scheme, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	return osimagestreamadmission.New(func(ctx context.Context) (*mcfgv1.OSImageStream, error) {
		singleton := new(mcfgv1.OSImageStream)
		err := reader.Get(ctx, client.ObjectKey{Name: osimagestream.Name}, singleton)
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		return singleton, err
	}), nil
}
