package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// A quantity of too many digits for an int64 is behind a pointer, which no two objects may
// share.
func TestRequestsShareNothing(t *testing.T) {
	const small, large = "30Gi", "1000000000000000000.5"
	requests := func(pairs ...string) corev1.ResourceList {
		list := corev1.ResourceList{}
		for ; len(pairs) > 0; pairs = pairs[2:] {
			list[corev1.ResourceName(pairs[0])] = resource.MustParse(pairs[1])
		}
		return list
	}
	for name, list := range map[string]corev1.ResourceList{
		"no list":                           nil,
		"an empty list":                     requests(),
		"a small size":                      requests("storage", small),
		"a large size":                      requests("storage", large),
		"a small size beside another":       requests("storage", small, "other", large),
		"another one without a size":        requests("other", large),
		"a size that is no number of bytes": requests("storage", "2097152500m"),
	} {
		t.Run(name, func(t *testing.T) {
			x := template("x", "m", "")
			x.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "ns", Name: "p"}}
			x.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{Requests: list}}
			templates := []dictexpand.Template{x}
			e := dictexpand.Expand(templates, twoArchitectures())
			if len(e.Crons) != 1 {
				t.Fatalf("problems %v", e.Problems)
			}
			if diff := cmp.Diff(x.Spec, e.Crons[0].Object.Spec); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			disjoint(t, "templates and expansion", templates, e)
		})
	}
}
