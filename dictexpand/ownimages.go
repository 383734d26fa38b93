package dictexpand

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// OwnImages returns the DataSources that point to a user's own image, in
// ascending order of namespace and name: an image that somebody put there and
// that no cron may replace. They are what Options.OwnImages takes. It goes by
// the DataSources, Claims and Snapshots of what exists; rules 35 to 40.
//
// A caller that is about to make DataSources itself, as the SSP operator does
// for its common templates, adds those that do not exist yet as it would make
// them: one that points to an old claim is a user's own image from the
// beginning.
func OwnImages(have Existing) []types.NamespacedName {
	images := imagesOf(&have)
	var own []types.NamespacedName
	for i := range have.DataSources {
		if ds := &have.DataSources[i]; images.isOwn(ds) {
			own = append(own, keyOf(&ds.ObjectMeta))
		}
	}
	slices.SortFunc(own, compareKeys)
	return slices.Compact(own)
}

// isOwn reports whether the DataSource points to a user's own image.
func (i images) isOwn(ds *cdiv1beta1.DataSource) bool {
	if _, ofCron := ds.Labels[LabelDataImportCron]; ofCron {
		return false
	}
	if ds.Spec.Source.PVC == nil && ds.Spec.Source.Snapshot == nil {
		return false
	}
	image := i.image(ds)
	if image == nil {
		return readiness(ds) == corev1.ConditionTrue
	}
	_, imported := image.Labels[LabelDataImportCron]
	return !imported
}
