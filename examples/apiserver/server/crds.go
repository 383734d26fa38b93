package server

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/yaml"
)

// openshiftCRDs are the CustomResourceDefinitions that are served as OpenShift
// ships them: files of the module github.com/openshift/api. Where a feature set
// decides what a definition holds, Default has every field that we need.
var openshiftCRDs = []string{
	"config/v1/zz_generated.crd-manifests/0000_00_cluster-version-operator_01_clusteroperators.crd.yaml",
	"config/v1/zz_generated.crd-manifests/0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml",
	"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_featuregates.crd.yaml",
	"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_images.crd.yaml",
	"config/v1/zz_generated.crd-manifests/0000_10_config-operator_01_infrastructures-Default.crd.yaml",
	"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigpools-SelfManagedHA.crd.yaml",
	"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineconfigs.crd.yaml",
	"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineosbuilds.crd.yaml",
	"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_machineosconfigs.crd.yaml",
	"machineconfiguration/v1/zz_generated.crd-manifests/0000_80_machine-config_01_osimagestreams-SelfManagedHA.crd.yaml",
	"operator/v1/zz_generated.crd-manifests/0000_30_openshift-apiserver_01_openshiftapiservers-Default.crd.yaml",
}

func readCRDs(ctx context.Context, o Options) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	openshift := o.OpenShiftAPIDir
	if openshift == "" {
		var err error
		if openshift, err = moduleDir(ctx, openshiftAPI); err != nil {
			return nil, fmt.Errorf("finding the manifests of %s (--openshift-api-dir spares the search): %w", openshiftAPI, err)
		}
	}
	files := make([]string, 0, len(openshiftCRDs))
	for _, name := range openshiftCRDs {
		files = append(files, filepath.Join(openshift, filepath.FromSlash(name)))
	}
	for _, dir := range o.CRDDirs {
		found, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("--crds %s: no *.yaml file there", dir)
		}
		slices.Sort(found)
		files = append(files, found...)
	}
	crds := make([]*apiextensionsv1.CustomResourceDefinition, 0, len(files))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := new(apiextensionsv1.CustomResourceDefinition)
		if err := yaml.UnmarshalStrict(content, crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if crd.Kind != "CustomResourceDefinition" {
			return nil, fmt.Errorf("%s: kind is %q, want CustomResourceDefinition", file, crd.Kind)
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

// installCRDs writes the definitions and returns when their resources are
// served. What is stored already is overwritten, so that a newer openshift/api
// shows on old data.
func installCRDs(ctx context.Context, loopback *rest.Config, crds []*apiextensionsv1.CustomResourceDefinition) error {
	config := rest.CopyConfig(loopback)
	config.QPS = -1
	client, err := apiextensionsclient.NewForConfig(config)
	if err != nil {
		return err
	}
	definitions := client.CustomResourceDefinitions()
	for _, crd := range crds {
		if err := writeCRD(ctx, definitions, crd); err != nil {
			return fmt.Errorf("CustomResourceDefinition %s: %w", crd.Name, err)
		}
	}
	for _, crd := range crds {
		err := wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
			stored, err := definitions.Get(ctx, crd.Name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			return apihelpers.IsCRDConditionTrue(stored, apiextensionsv1.Established) && served(ctx, client.RESTClient(), crd), nil
		})
		if err != nil {
			return fmt.Errorf("CustomResourceDefinition %s: not served: %w", crd.Name, err)
		}
	}
	return nil
}

func writeCRD(ctx context.Context, definitions apiextensionsclient.CustomResourceDefinitionInterface, crd *apiextensionsv1.CustomResourceDefinition) error {
	// Another server that starts on the same storage makes the same definitions, and
	// its controllers write their status.
	overtaken := func(err error) bool { return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) }
	backoff := wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 10}
	return retry.OnError(backoff, overtaken, func() error {
		// Any write compiles all the rules of the definition, so at a restart it
		// is worth a look whether there is anything to write.
		stored, err := definitions.Get(ctx, crd.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			_, err = definitions.Create(ctx, crd, metav1.CreateOptions{})
			return err
		}
		if err != nil {
			return err
		}
		want := crd.DeepCopy()
		apiextensionsapiserver.Scheme.Default(want)
		if equality.Semantic.DeepEqual(stored.Spec, want.Spec) && maps.Equal(stored.Annotations, want.Annotations) {
			return nil
		}
		stored.Annotations, stored.Spec = want.Annotations, want.Spec
		_, err = definitions.Update(ctx, stored, metav1.UpdateOptions{})
		return err
	})
}

// served asks discovery, which lists what the handler serves, without making the
// handler compile the schema before anybody needs it.
func served(ctx context.Context, client rest.Interface, crd *apiextensionsv1.CustomResourceDefinition) bool {
	groups := new(metav1.APIGroupList)
	if err := client.Get().AbsPath("/apis").Do(ctx).Into(groups); err != nil {
		return false
	}
	if !slices.ContainsFunc(groups.Groups, func(g metav1.APIGroup) bool { return g.Name == crd.Spec.Group }) {
		return false
	}
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		resources := new(metav1.APIResourceList)
		if err := client.Get().AbsPath("/apis", crd.Spec.Group, version.Name).Do(ctx).Into(resources); err != nil {
			return false
		}
		if !slices.ContainsFunc(resources.APIResources, func(r metav1.APIResource) bool { return r.Name == crd.Spec.Names.Plural }) {
			return false
		}
	}
	return true
}
