package dictexpandtest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// An OwnImageCase is a DataSource, ns/m, and the images that there are.
type OwnImageCase struct {
	Rule, Name        string
	DataSource        cdiv1beta1.DataSource
	Claims, Snapshots []metav1.ObjectMeta
	// Own is whether the DataSource points to a user's own image.
	Own bool
}

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

// OwnImageCases are DataSources of users, of crons, and in between.
func OwnImageCases() []OwnImageCase {
	imported := map[string]string{cronLabel: "x"}
	image := func(labels map[string]string) []metav1.ObjectMeta {
		return []metav1.ObjectMeta{{Namespace: "ns", Name: "image", Labels: labels}}
	}
	var cases []OwnImageCase
	for _, c := range []struct {
		Rule, Name        string
		source            cdiv1beta1.DataSourceSource
		labels            map[string]string
		conditions        []cdiv1beta1.DataSourceCondition
		claims, snapshots []metav1.ObjectMeta
		own               bool
	}{
		{
			Rule: "labeled-is-not-own", Name: "the label of a cron",
			source: toClaim("ns", "image"), labels: imported, conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			Rule: "labeled-is-not-own", Name: "the label with an empty value",
			source: toClaim("ns", "image"), labels: map[string]string{cronLabel: ""},
			conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			Rule: "reference-is-not-own", Name: "a reference",
			source: cdiv1beta1.DataSourceSource{DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{
				Namespace: "ns", Name: "image",
			}},
			conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			Rule: "reference-is-not-own", Name: "no source at all",
			conditions: ready(corev1.ConditionTrue), claims: image(nil),
		},
		{
			Rule: "imported-is-not-own", Name: "a DataSource that lost its label, its claim was imported",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionTrue), claims: image(imported),
		},
		{
			Rule: "imported-is-not-own", Name: "a DataSource that lost its label, its snapshot was imported",
			source: toSnapshot("ns", "image"), conditions: ready(corev1.ConditionTrue), snapshots: image(imported),
		},
		{
			Rule: "image-is-own", Name: "an old claim",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionTrue), claims: image(map[string]string{"app": "mine"}),
			own: true,
		},
		{
			Rule: "image-is-own", Name: "a snapshot",
			source: toSnapshot("ns", "image"), conditions: ready(corev1.ConditionTrue), snapshots: image(nil),
			own: true,
		},
		{
			Rule: "image-is-own", Name: "a claim in the namespace of the DataSource, which does not name it",
			source: toClaim("", "image"), claims: image(nil),
			own: true,
		},
		{
			Rule: "image-is-own", Name: "a snapshot in the namespace of the DataSource, which does not name it",
			source: toSnapshot("", "image"), snapshots: image(nil),
			own: true,
		},
		{
			Rule: "image-is-own", Name: "a claim that is still being uploaded",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionFalse), claims: image(nil),
			own: true,
		},
		{
			Rule: "image-is-own", Name: "CDI has not looked at the DataSource yet",
			source: toClaim("ns", "image"), claims: image(nil),
			own: true,
		},
		{
			Rule: "ready-is-own", Name: "CDI says that it is ready, and nobody listed its claim",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionTrue),
			own: true,
		},
		{
			Rule: "placeholder-is-not-own", Name: "a placeholder for a claim that does not exist",
			source: toClaim("ns", "image"), conditions: ready(corev1.ConditionFalse),
		},
		{
			Rule: "placeholder-is-not-own", Name: "a placeholder that CDI has not looked at yet",
			source: toClaim("ns", "image"),
		},
		{
			Rule: "placeholder-is-not-own", Name: "a claim of that name in another namespace",
			source: toClaim("elsewhere", "image"), conditions: ready(corev1.ConditionUnknown), claims: image(nil),
		},
		{
			Rule: "placeholder-is-not-own", Name: "a claim under the name of the snapshot",
			source: toSnapshot("ns", "image"), claims: image(nil),
		},
	} {
		ds := cdiv1beta1.DataSource{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "m", Labels: c.labels},
			Spec:       cdiv1beta1.DataSourceSpec{Source: c.source},
			Status:     cdiv1beta1.DataSourceStatus{Conditions: c.conditions},
		}
		cases = append(cases, OwnImageCase{c.Rule, c.Name, ds, c.claims, c.snapshots, c.own})
	}
	return cases
}

func ownImageRows() []row {
	var all []row
	for _, c := range OwnImageCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasOwnImages, Call: func(i Impl) outcome {
			want := []types.NamespacedName{}
			if c.Own {
				want = append(want, Key("ns", "m"))
			}
			got := i.OwnImages([]cdiv1beta1.DataSource{*c.DataSource.DeepCopy()}, c.Claims, c.Snapshots)
			return outcome{Input: c, Want: want, Got: append([]types.NamespacedName{}, got...)}
		}})
	}
	return all
}
