package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func toClaim(namespace, name string) cdiv1beta1.DataSourceSource {
	return cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: namespace, Name: name}}
}

func toSnapshot(namespace, name string) cdiv1beta1.DataSourceSource {
	return cdiv1beta1.DataSourceSource{Snapshot: &cdiv1beta1.DataVolumeSourceSnapshot{Namespace: namespace, Name: name}}
}

func ready(status corev1.ConditionStatus) []cdiv1beta1.DataSourceCondition {
	return []cdiv1beta1.DataSourceCondition{
		{Type: "Other", ConditionState: cdiv1beta1.ConditionState{Status: corev1.ConditionTrue}},
		{Type: cdiv1beta1.DataSourceReady, ConditionState: cdiv1beta1.ConditionState{Status: status}},
	}
}

func TestOwnImages(t *testing.T) {
	imported := map[string]string{dictexpand.LabelDataImportCron: "x"}
	image := func(labels map[string]string) []metav1.ObjectMeta {
		return []metav1.ObjectMeta{{Namespace: "ns", Name: "image", Labels: labels}}
	}
	for _, tc := range []struct {
		name              string
		source            cdiv1beta1.DataSourceSource
		labels            map[string]string
		conditions        []cdiv1beta1.DataSourceCondition
		claims, snapshots []metav1.ObjectMeta
		want              bool
	}{
		{
			name:   "35: the label of a cron",
			source: toClaim("ns", "image"), labels: imported, conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			name:   "35: the label with an empty value",
			source: toClaim("ns", "image"), labels: map[string]string{dictexpand.LabelDataImportCron: ""},
			conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			name: "36: a reference",
			source: cdiv1beta1.DataSourceSource{DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{
				Namespace: "ns", Name: "image",
			}},
			conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			name:       "36: no source at all",
			conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			name:   "37: a DataSource that lost its label, its claim was imported",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionTrue), claims: image(imported),
		},
		{
			name:   "37: a DataSource that lost its label, its snapshot was imported",
			source: toSnapshot("ns", "image"), conditions: ready(corev1.ConditionTrue), snapshots: image(imported),
		},
		{
			name:   "38: an old claim",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionTrue), claims: image(map[string]string{"app": "mine"}),
			want: true,
		},
		{
			name:   "38: a snapshot",
			source: toSnapshot("ns", "image"), conditions: ready(corev1.ConditionTrue), snapshots: image(nil),
			want: true,
		},
		{
			name:   "38: a claim in the namespace of the DataSource, which does not name it",
			source: toClaim("", "image"), claims: image(nil),
			want: true,
		},
		{
			name:   "38: a snapshot in the namespace of the DataSource, which does not name it",
			source: toSnapshot("", "image"), snapshots: image(nil),
			want: true,
		},
		{
			name:   "38: a claim that is still being uploaded",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionFalse), claims: image(nil),
			want: true,
		},
		{
			name:   "38: CDI has not looked at the DataSource yet",
			source: toClaim("ns", "image"), claims: image(nil),
			want: true,
		},
		{
			name:   "39: CDI says that it is ready, and nobody listed its claim",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionTrue),
			want: true,
		},
		{
			name:   "40: a placeholder for a claim that does not exist",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionFalse),
		},
		{
			name:   "40: a placeholder that CDI has not looked at yet",
			source: toClaim("ns", "image"),
		},
		{
			name:   "40: a claim of that name in another namespace",
			source: toClaim("elsewhere", "image"), conditions: ready(corev1.ConditionUnknown), claims: image(nil),
		},
		{
			name:   "40: a claim under the name of the snapshot",
			source: toSnapshot("ns", "image"), claims: image(nil),
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ds := cdiv1beta1.DataSource{
				ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "m", Labels: tc.labels},
				Spec:       cdiv1beta1.DataSourceSpec{Source: tc.source},
				Status:     cdiv1beta1.DataSourceStatus{Conditions: tc.conditions},
			}
			var want []types.NamespacedName
			if tc.want {
				want = append(want, key("ns", "m"))
			}
			have := dictexpand.Existing{DataSources: []cdiv1beta1.DataSource{ds}, Claims: tc.claims, Snapshots: tc.snapshots}
			if diff := cmp.Diff(want, dictexpand.OwnImages(have)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What CDI imported never counts as a user's own image, whatever somebody does to
// the label of its DataSource, and the order of the facts does not show.
func TestOwnImagesOfCronsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		have := dictexpand.Existing{Claims: []metav1.ObjectMeta{
			{Namespace: "ns", Name: "imported", Labels: map[string]string{dictexpand.LabelDataImportCron: "x"}},
			{Namespace: "ns", Name: "own"},
		}}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 4, rapid.ID).Draw(t, "names") {
			ds := cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
			ds.Spec.Source = toClaim("ns", rapid.SampledFrom([]string{"imported", "own", "none"}).Draw(t, "claim"))
			if rapid.Bool().Draw(t, "labeled") {
				metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCron, "x")
			}
			have.DataSources = append(have.DataSources, ds)
		}
		got := dictexpand.OwnImages(have)
		for _, ds := range have.DataSources {
			own := ds.Labels == nil && ds.Spec.Source.PVC.Name == "own"
			found := false
			for _, k := range got {
				found = found || k == key(ds.Namespace, ds.Name)
			}
			if found != own {
				t.Fatalf("%+v: own image is %v", ds, found)
			}
		}
		shuffled := have
		shuffled.DataSources = rapid.Permutation(append(have.DataSources, have.DataSources[0])).Draw(t, "order, and one twice")
		if diff := cmp.Diff(got, dictexpand.OwnImages(shuffled)); diff != "" {
			t.Fatalf("the order shows:\n%s", diff)
		}
	})
}
