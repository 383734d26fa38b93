package dictexpand_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// What becomes of the reference m, which leads to m-amd64.
func TestRedirections(t *testing.T) {
	claim := &cdiv1beta1.DataVolumeSourcePVC{Name: "m-amd64-0123456789ab"}
	snapshot := &cdiv1beta1.DataVolumeSourceSnapshot{Name: "snapshot"}
	toARM := func(w *world) { w.templates = []dictexpand.Template{template("x", "m", "arm64")} }
	edit := func(name string, edit func(*cdiv1beta1.DataSource)) func(*world) {
		return func(w *world) { w.editDataSource(name, edit) }
	}
	lead := func(namespace, name string) func(*world) {
		return edit("m", func(ds *cdiv1beta1.DataSource) {
			ds.Spec.Source = cdiv1beta1.DataSourceSource{DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: namespace, Name: name}}
		})
	}
	setLabel := func(label string) func(*world) {
		return edit("m", func(ds *cdiv1beta1.DataSource) { metav1.SetMetaDataLabel(&ds.ObjectMeta, label, "true") })
	}
	ready := func(status corev1.ConditionStatus, kind cdiv1beta1.DataSourceConditionType) func(*world) {
		return edit("m-amd64", func(ds *cdiv1beta1.DataSource) {
			c := cdiv1beta1.DataSourceCondition{Type: kind}
			c.Status = status
			ds.Status.Conditions = []cdiv1beta1.DataSourceCondition{c}
		})
	}
	source := func(name string, source cdiv1beta1.DataSourceSource) func(*world) {
		return edit(name, func(ds *cdiv1beta1.DataSource) { ds.Spec.Source = source })
	}
	alone := func(w *world) {
		w.editDataSource("m-amd64", func(ds *cdiv1beta1.DataSource) { ds.Spec.Source = cdiv1beta1.DataSourceSource{} })
	}
	const awaited, update, becomes, keep = "Wait ReplacementAwaited", "Update Redirected", "Update BecomesReference", "Keep UpToDate"
	for _, tt := range []struct {
		name   string
		change []func(*world)
		want   string
	}{
		{"83: as it should be", nil, keep},
		{"89,93: what it leads to has an image", []func(*world){toARM}, awaited},
		{"89,93: what it leads to has a snapshot", []func(*world){toARM, source("m-amd64", cdiv1beta1.DataSourceSource{Snapshot: snapshot})}, awaited},
		{"91,93: what it leads to has no image", []func(*world){toARM, alone}, update},
		{"91,93: what it leads to does not exist", []func(*world){toARM, lead(goldenImages, "none")}, update},
		{"89,93: it leads into another namespace", []func(*world){toARM, lead("elsewhere", "none")}, awaited},
		{"89,93: it leads to another reference", []func(*world){toARM, source("m-amd64", cdiv1beta1.DataSourceSource{DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Name: "n"}})}, awaited},
		{"90: it has an image of its own, and the target has one", []func(*world){source("m", cdiv1beta1.DataSourceSource{PVC: claim})}, becomes},
		{"90: it has the label of a cron", []func(*world){setLabel(dictexpand.LabelDataImportCron)}, becomes},
		{"90: it has the label for cleanup", []func(*world){setLabel(dictexpand.LabelDataImportCronCleanup)}, becomes},
		{"90: it has the label for cleanup, and the target has no image", []func(*world){setLabel(dictexpand.LabelDataImportCronCleanup), alone}, becomes},
		{"90: it has the label for cleanup, and the target is not ready", []func(*world){setLabel(dictexpand.LabelDataImportCronCleanup), ready(corev1.ConditionFalse, cdiv1beta1.DataSourceReady)}, becomes},
		{"90: it has the label for cleanup, and the cron of the target is being deleted", []func(*world){setLabel(dictexpand.LabelDataImportCronCleanup), func(w *world) { w.deleting("x-amd64") }}, becomes},
		{"91: it leads elsewhere, and another reference leads to it", []func(*world){lead("elsewhere", "m-amd64"), func(w *world) {
			w.templates = append(w.templates, template("y", "n", "amd64"))
			w.leadTo("n", "m")
		}}, update},
		{"91: it leads elsewhere, and the target has an image", []func(*world){lead("elsewhere", "m-amd64")}, update},
		{"91: it leads elsewhere, and nobody says whether the target is ready", []func(*world){lead("elsewhere", "m-amd64"), ready(corev1.ConditionFalse, "Running")}, update},
		{"91: it leads elsewhere, and the target is ready", []func(*world){lead("elsewhere", "m-amd64"), ready(corev1.ConditionTrue, cdiv1beta1.DataSourceReady)}, update},
		{"89: it leads elsewhere, and the target is not ready", []func(*world){lead("elsewhere", "m-amd64"), ready(corev1.ConditionFalse, cdiv1beta1.DataSourceReady)}, awaited},
		{"90: it has nothing, and the target is not ready", []func(*world){edit("m", func(ds *cdiv1beta1.DataSource) { ds.Spec.Source = cdiv1beta1.DataSourceSource{} }), ready(corev1.ConditionFalse, cdiv1beta1.DataSourceReady)}, becomes},
		{"90: it has a claim too", []func(*world){edit("m", func(ds *cdiv1beta1.DataSource) { ds.Spec.Source.PVC = claim })}, becomes},
		{"90: it has a snapshot too", []func(*world){edit("m", func(ds *cdiv1beta1.DataSource) { ds.Spec.Source.Snapshot = snapshot })}, becomes},
		{"89: it has a claim too, and the target has none", []func(*world){edit("m", func(ds *cdiv1beta1.DataSource) { ds.Spec.Source.PVC = claim }), alone}, awaited},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(template("x", "m", "amd64"))
			w.settle(t)
			for _, change := range tt.change {
				change(w)
			}
			found := false
			for _, s := range w.plan() {
				if s.Kind == dictexpand.KindDataSource && s.Name == "m" {
					found = true
					if got := string(s.Verb) + " " + string(s.Reason); got != tt.want {
						t.Errorf("%s (%s), want %s", got, s.Detail, tt.want)
					}
				}
			}
			if !found {
				t.Error("no step")
			}
		})
	}
}
