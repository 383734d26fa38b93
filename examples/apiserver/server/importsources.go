package server

import (
	"context"
	"crypto/x509"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	configv1 "github.com/openshift/api/config/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/importer"
	"github.com/polyarch/polyarch/examples/apiserver/validation"
)

// imports is what imports need besides the streams and the images.
type imports struct {
	importer *importer.Importer
	// reader reads the cluster's configuration and secrets, as they are stored at that
	// moment.
	reader client.Reader
	// maxTags is how many tags of a repository are imported; negative is all.
	maxTags int
	timeout time.Duration
	allowed validation.AllowedRegistries
}

// defaultMaxTags is upstream's default of maxImagesBulkImportedPerRepository.
const defaultMaxTags = 50

// newImports reads the configuration. The reader is set when there is a server to read
// from.
func newImports(o Options, config openshiftcontrolplanev1.ImagePolicyConfig) (imports, error) {
	options := importer.Options{Limits: importer.Limits{Parallel: o.ImportParallel, Exchange: min(o.ImportTimeout, importer.DefaultLimits.Exchange)}}
	if o.ImportPlatform != "" {
		os, arch, _ := strings.Cut(o.ImportPlatform, "/")
		options.Host = ocispec.Platform{OS: os, Architecture: arch}
	}
	if file := config.AdditionalTrustedCA; file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			return imports{}, fmt.Errorf("imagePolicyConfig.additionalTrustedCA: %w", err)
		}
		if options.CAs, err = x509.SystemCertPool(); err != nil {
			options.CAs = x509.NewCertPool()
		}
		if !options.CAs.AppendCertsFromPEM(pem) {
			return imports{}, fmt.Errorf("imagePolicyConfig.additionalTrustedCA: %s has no certificate", file)
		}
	}
	allowed, err := validation.NewAllowedRegistries(config.AllowedRegistriesForImport)
	if err != nil {
		return imports{}, err
	}
	maxTags := config.MaxImagesBulkImportedPerRepository
	if maxTags == 0 {
		maxTags = defaultMaxTags
	}
	return imports{importer: importer.New(options), maxTags: maxTags, timeout: o.ImportTimeout, allowed: allowed}, nil
}

// ownReader is the server's own client. The definitions are not served yet when it
// is made, so nobody is asked for them.
func ownReader(loopback *rest.Config) (client.Reader, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, configv1.Install} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	config := rest.CopyConfig(loopback)
	config.QPS = -1
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion, configv1.GroupVersion})
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Secret"), meta.RESTScopeNamespace)
	mapper.Add(configv1.GroupVersion.WithKind("Image"), meta.RESTScopeRoot)
	return client.New(config, client.Options{Scheme: scheme, Mapper: mapper})
}

// policy reads which registries are blocked or insecure. Without a configuration
// none is.
func (i imports) policy(ctx context.Context) (importer.Policy, error) {
	var config configv1.Image
	err := i.reader.Get(ctx, client.ObjectKey{Name: "cluster"}, &config)
	if err != nil && !apierrors.IsNotFound(err) {
		return importer.Policy{}, unread("images.config.openshift.io/cluster", err)
	}
	sources := config.Spec.RegistrySources
	return importer.Policy{Blocked: sources.BlockedRegistries, InsecureRegistries: sources.InsecureRegistries}, nil
}

// unread is the answer when the server cannot read what it serves itself: it has begun
// to end and takes no more connections, or etcd is silent.
func unread(what string, err error) error {
	answer := apierrors.NewServiceUnavailable(fmt.Sprintf("%s cannot be read, please try again: %v", what, err))
	answer.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: int32(etcdRetryAfter.Seconds())}
	return answer
}

// keychain reads the credentials of the namespace, those of the secret first whose
// name is.
func (i imports) keychain(ctx context.Context, namespace string) (authn.Keychain, error) {
	var secrets corev1.SecretList
	if err := i.reader.List(ctx, &secrets, client.InNamespace(namespace)); err != nil {
		return nil, unread("secrets of namespace "+namespace, err)
	}
	slices.SortFunc(secrets.Items, func(a, b corev1.Secret) int { return strings.Compare(a.Name, b.Name) })
	return importer.Keychain(secrets.Items), nil
}

// session begins to import for one request.
func (i imports) session(ctx context.Context, namespace string) (*importer.Session, error) {
	policy, err := i.policy(ctx)
	if err != nil {
		return nil, err
	}
	keychain, err := i.keychain(ctx, namespace)
	if err != nil {
		return nil, err
	}
	return i.importer.Session(policy, keychain), nil
}
