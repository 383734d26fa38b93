package dictexpandtest

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

var (
	cronResource       = schema.GroupResource{Group: cdiv1beta1.SchemeGroupVersion.Group, Resource: "dataimportcrons"}
	dataSourceResource = schema.GroupResource{Group: cdiv1beta1.SchemeGroupVersion.Group, Resource: "datasources"}
)

// CreateCron is what the API server does with a new cron. Validation and webhooks come
// before the check of the name.
func (m *CDI) CreateCron(c cdiv1beta1.DataImportCron, dryRun bool) error {
	if why := m.Refuses(c); why != "" {
		return invalidCron(c.Name, why)
	}
	if _, exists := m.Crons[Key(c.Namespace, c.Name)]; exists {
		return apierrors.NewAlreadyExists(cronResource, c.Name)
	}
	if !dryRun {
		c = *c.DeepCopy()
		c.Spec.Template.ObjectMeta = metav1.ObjectMeta{} // pruned
		c.Status, c.DeletionTimestamp = cdiv1beta1.DataImportCronStatus{}, nil
		m.AddCron(c)
	}
	return nil
}

// UpdateCron is what the API server does with a changed cron. CDI's webhook admits no
// change of a spec, and the status is not written.
func (m *CDI) UpdateCron(c cdiv1beta1.DataImportCron) error {
	live, exists := m.Crons[Key(c.Namespace, c.Name)]
	switch {
	case !exists:
		return apierrors.NewNotFound(cronResource, c.Name)
	case c.UID != "" && live.UID != c.UID:
		return apierrors.NewConflict(cronResource, c.Name, nil)
	}
	c = *c.DeepCopy()
	c.Spec.Template.ObjectMeta = metav1.ObjectMeta{} // pruned
	if !equality.Semantic.DeepEqual(live.Spec, c.Spec) {
		return invalidCron(c.Name, "Cannot update DataImportCron Spec")
	}
	c.UID, c.Status, c.DeletionTimestamp = live.UID, live.Status, live.DeletionTimestamp
	m.Crons[Key(c.Namespace, c.Name)] = c
	return nil
}

func invalidCron(name, why string) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: cronResource.Group, Kind: "DataImportCron"}, name,
		field.ErrorList{field.Forbidden(field.NewPath("spec"), why)})
}

// DeleteCron deletes the cron of that name, if it has that UID or the UID is "".
func (m *CDI) DeleteCron(k types.NamespacedName, uid types.UID) error {
	live, exists := m.Crons[k]
	switch {
	case !exists:
		return apierrors.NewNotFound(cronResource, k.Name)
	case uid != "" && live.UID != uid:
		return apierrors.NewConflict(cronResource, k.Name, nil)
	}
	if m.Slow {
		live.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		m.Crons[k] = live
		return nil
	}
	delete(m.Crons, k)
	m.gone[k] = true
	return nil
}

// CreateDataSource is what the API server does with a new DataSource.
func (m *CDI) CreateDataSource(ds cdiv1beta1.DataSource) error {
	if _, exists := m.DataSources[Key(ds.Namespace, ds.Name)]; exists {
		return apierrors.NewAlreadyExists(dataSourceResource, ds.Name)
	}
	m.AddDataSource(*ds.DeepCopy())
	return nil
}

// UpdateDataSource is what the API server does with a changed DataSource.
func (m *CDI) UpdateDataSource(ds cdiv1beta1.DataSource) error {
	live, exists := m.DataSources[Key(ds.Namespace, ds.Name)]
	switch {
	case !exists:
		return apierrors.NewNotFound(dataSourceResource, ds.Name)
	case ds.UID != "" && live.UID != ds.UID:
		return apierrors.NewConflict(dataSourceResource, ds.Name, nil)
	}
	ds = *ds.DeepCopy()
	ds.UID, ds.Status, ds.DeletionTimestamp = live.UID, live.Status, live.DeletionTimestamp
	m.DataSources[Key(ds.Namespace, ds.Name)] = ds
	return nil
}

// DeleteDataSource deletes the DataSource of that name, if it has that UID or the UID
// is "".
func (m *CDI) DeleteDataSource(k types.NamespacedName, uid types.UID) error {
	live, exists := m.DataSources[k]
	switch {
	case !exists:
		return apierrors.NewNotFound(dataSourceResource, k.Name)
	case uid != "" && live.UID != uid:
		return apierrors.NewConflict(dataSourceResource, k.Name, nil)
	}
	delete(m.DataSources, k)
	return nil
}

// FinishDeletions removes what only had its timestamp set.
func (m *CDI) FinishDeletions() {
	for k, c := range m.Crons {
		if c.DeletionTimestamp != nil {
			delete(m.Crons, k)
			m.gone[k] = true
		}
	}
	for k, ds := range m.DataSources {
		if ds.DeletionTimestamp != nil {
			delete(m.DataSources, k)
		}
	}
}
