package dictexpand

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

func isReference(ds *cdiv1beta1.DataSource) bool { return ds.Spec.Source.DataSource != nil }

// hasSource reports whether the DataSource names an image.
func hasSource(ds *cdiv1beta1.DataSource) bool { return sourceName(ds) != "" }

// sourceName returns the name of the claim or snapshot of the DataSource, or "".
func sourceName(ds *cdiv1beta1.DataSource) string {
	switch s := ds.Spec.Source; {
	case s.PVC != nil:
		return s.PVC.Name
	case s.Snapshot != nil:
		return s.Snapshot.Name
	}
	return ""
}

// hasImage reports whether machines can boot from the DataSource, as far as it
// tells: CDI sets the source when an import is through.
func hasImage(ds *cdiv1beta1.DataSource) bool {
	return ds != nil && hasSource(ds) && readiness(ds) != corev1.ConditionFalse
}

// mayHaveImage reports whether something would be lost if the DataSource led
// elsewhere. When in doubt it does.
func (f *facts) mayHaveImage(ds *cdiv1beta1.DataSource) bool {
	if hasSource(ds) {
		return true
	}
	to := ds.Spec.Source.DataSource
	if to == nil {
		return false
	}
	if to.Namespace != ds.Namespace {
		return true // who knows
	}
	target := f.dataSources[types.NamespacedName{Namespace: to.Namespace, Name: to.Name}]
	return target != nil && (hasSource(target) || isReference(target))
}

// readiness returns the status of the DataSource's condition Ready, or "".
func readiness(ds *cdiv1beta1.DataSource) corev1.ConditionStatus {
	for i := range ds.Status.Conditions {
		if c := &ds.Status.Conditions[i]; c.Type == cdiv1beta1.DataSourceReady {
			return c.Status
		}
	}
	return ""
}

// image returns the metadata of the image of a DataSource, or nil if it is not
// among the facts.
func (i images) image(ds *cdiv1beta1.DataSource) *metav1.ObjectMeta {
	switch source := ds.Spec.Source; {
	case source.PVC != nil:
		return i.claims[imageKey(ds, source.PVC.Namespace, source.PVC.Name)]
	case source.Snapshot != nil:
		return i.snapshots[imageKey(ds, source.Snapshot.Namespace, source.Snapshot.Name)]
	}
	return nil
}

// images is the metadata of what DataSources can point to.
type images struct {
	claims, snapshots, volumes map[types.NamespacedName]*metav1.ObjectMeta
}

func imagesOf(have *Existing) images {
	return images{byKey(have.Claims), byKey(have.Snapshots), byKey(have.DataVolumes)}
}

// imageKey returns the key of an image; one without a namespace is in that of the
// DataSource.
func imageKey(ds *cdiv1beta1.DataSource, namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: cmp.Or(namespace, ds.Namespace), Name: name}
}

// volumeOf returns the name of the DataVolume that owns the image, or "".
func volumeOf(image *metav1.ObjectMeta) string {
	for _, r := range image.OwnerReferences {
		if r.Kind == "DataVolume" {
			return r.Name
		}
	}
	return ""
}

func byKey(list []metav1.ObjectMeta) map[types.NamespacedName]*metav1.ObjectMeta {
	m := make(map[types.NamespacedName]*metav1.ObjectMeta, len(list))
	for i := range list {
		m[keyOf(&list[i])] = &list[i]
	}
	return m
}
