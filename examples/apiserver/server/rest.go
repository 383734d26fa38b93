package server

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// statusREST shows a store as a subresource: it can be read, updated and
// patched, but not created, listed or deleted.
type statusREST struct{ store *registry.Store }

var _ rest.Patcher = statusREST{}

func (r statusREST) New() runtime.Object { return r.store.New() }

// Destroy does nothing: the main resource owns the storage.
func (r statusREST) Destroy() {}

func (r statusREST) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return r.store.Get(ctx, name, options)
}

func (r statusREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, createValidation rest.ValidateObjectFunc, updateValidation rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return r.store.Update(ctx, name, info, createValidation, updateValidation, false, options)
}

func (r statusREST) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return r.store.GetResetFields()
}

func (r statusREST) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return r.store.ConvertToTable(ctx, object, options)
}

var _ rest.ShortNamesProvider = namedREST{}

// namedREST adds the short name that kubectl and oc users type.
type namedREST struct {
	*registry.Store
	short string
}

func (r namedREST) ShortNames() []string {
	if r.short == "" {
		return nil
	}
	return []string{r.short}
}
