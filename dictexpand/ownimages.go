package dictexpand

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// OwnImages returns the DataSources that point to a user's own image, in
// ascending order of namespace and name: an image that somebody put there and
// that no cron may replace. They are what Options.OwnImages takes. It goes by
// the DataSources, Claims and Snapshots of what exists; rules 24 to 29.
//
// A caller that is about to make DataSources itself, as the SSP operator does
// for its common templates, adds those that do not exist yet as it would make
// them: one that points to an old claim is a user's own image from the
// beginning.
func OwnImages(have Existing) []types.NamespacedName {
	claims, snapshots := byKey(have.Claims), byKey(have.Snapshots)
	var own []types.NamespacedName
	for i := range have.DataSources {
		if ds := &have.DataSources[i]; isOwnImage(ds, claims, snapshots) {
			own = append(own, keyOf(&ds.ObjectMeta))
		}
	}
	slices.SortFunc(own, compareKeys)
	return slices.Compact(own)
}

func isOwnImage(ds *cdiv1beta1.DataSource, claims, snapshots map[types.NamespacedName]*metav1.ObjectMeta) bool {
	if _, ofCron := ds.Labels[LabelDataImportCron]; ofCron {
		return false
	}
	var image *metav1.ObjectMeta
	switch source := ds.Spec.Source; {
	case source.PVC != nil:
		image = claims[types.NamespacedName{Namespace: cmp.Or(source.PVC.Namespace, ds.Namespace), Name: source.PVC.Name}]
	case source.Snapshot != nil:
		image = snapshots[types.NamespacedName{Namespace: cmp.Or(source.Snapshot.Namespace, ds.Namespace), Name: source.Snapshot.Name}]
	default:
		return false
	}
	if image == nil {
		return isReady(ds)
	}
	_, imported := image.Labels[LabelDataImportCron]
	return !imported
}

func isReady(ds *cdiv1beta1.DataSource) bool {
	return slices.ContainsFunc(ds.Status.Conditions, func(c cdiv1beta1.DataSourceCondition) bool {
		return c.Type == cdiv1beta1.DataSourceReady && c.Status == corev1.ConditionTrue
	})
}

func byKey(list []metav1.ObjectMeta) map[types.NamespacedName]*metav1.ObjectMeta {
	m := make(map[types.NamespacedName]*metav1.ObjectMeta, len(list))
	for i := range list {
		m[keyOf(&list[i])] = &list[i]
	}
	return m
}
