package judge

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"
)

// dump writes the objects that the run looked at and, if it made some, its own, a
// file for each, where "oc adm inspect" puts them.
func (r *run) dump(ctx context.Context, made bool) error {
	var errs []error
	for _, of := range []struct {
		name string
		obj  client.Object
	}{
		{"version", &configv1.ClusterVersion{}},
		{"cluster", &configv1.FeatureGate{}},
		{"cluster", &configv1.Image{}},
		{"cluster", &operatorv1.OpenShiftAPIServer{}},
		{"image-registry", &configv1.ClusterOperator{}},
		{"openshift-apiserver", &configv1.ClusterOperator{}},
	} {
		err := r.client.Get(ctx, client.ObjectKey{Name: of.name}, of.obj)
		if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
			continue
		}
		if err == nil {
			err = r.write(of.obj)
		}
		errs = append(errs, err)
	}
	if !made {
		return errors.Join(errs...)
	}
	streams, err := r.streams(ctx, client.MatchingLabels(r.labels()))
	errs = append(errs, err)
	for i := range streams {
		errs = append(errs, r.write(&streams[i]))
	}
	var records corev1.ConfigMapList
	errs = append(errs, r.client.List(ctx, &records, client.InNamespace(r.namespace), client.MatchingLabels(r.labels())))
	for i := range records.Items {
		errs = append(errs, r.write(&records.Items[i]))
	}
	return errors.Join(errs...)
}

// write writes one object as YAML.
func (r *run) write(obj client.Object) error {
	kind, err := r.client.GroupVersionKindFor(obj)
	if err != nil {
		return err
	}
	mapping, err := r.client.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	obj.GetObjectKind().SetGroupVersionKind(kind)
	obj.SetManagedFields(nil)
	content, err := yaml.Marshal(obj)
	if err != nil {
		return err
	}
	group := kind.Group
	if group == "" {
		group = "core"
	}
	dir := filepath.Join(r.Dump, "cluster-scoped-resources", group, mapping.Resource.Resource)
	if ns := obj.GetNamespace(); ns != "" {
		dir = filepath.Join(r.Dump, "namespaces", ns, group, mapping.Resource.Resource)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, obj.GetName()+".yaml"), append([]byte("---\n"), content...), 0o600)
}
