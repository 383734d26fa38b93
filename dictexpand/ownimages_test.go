package dictexpand_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
)

// The order of the facts does not show, and one that is there twice is returned once.
func TestOwnImagesInOrder(t *testing.T) {
	w := dictexpandtest.NewWorld()
	for _, name := range []string{"b", "c", "a"} {
		w.AddOwnImage(name)
	}
	have := dictexpand.Existing{DataSources: w.Client().DataSources(), Claims: []metav1.ObjectMeta{{Namespace: goldenImages, Name: "mine"}}}
	other := have.DataSources[0]
	other.Namespace, other.Name = "z", "0"
	other.Spec.Source.PVC = &cdiv1beta1.DataVolumeSourcePVC{Namespace: goldenImages, Name: "mine"}
	have.DataSources = append(have.DataSources, other)
	want := []types.NamespacedName{key(goldenImages, "a"), key(goldenImages, "b"), key(goldenImages, "c"), key("z", "0")}
	for range 2 {
		if diff := cmp.Diff(want, dictexpand.OwnImages(have)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		slices.Reverse(have.DataSources)
		have.DataSources = append(have.DataSources, have.DataSources[0])
	}
}
