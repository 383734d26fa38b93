package dictexpand_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// What is lost until the next import, the step says.
func TestLostImages(t *testing.T) {
	t.Run("65,76: the deletion says that there is nothing until the next import", func(t *testing.T) {
		w := newWorld(retainNone(template("x", "m", "")))
		w.settle(t)
		w.templates[0].Spec.Schedule = "0 0 * * *"
		s := w.plan()[0]
		if s.Verb != dictexpand.VerbDelete || s.Data != dictexpand.DataDeleted ||
			!strings.Contains(s.Detail, `"m"`) || !strings.Contains(s.Detail, "until the next import") {
			t.Errorf("step %+v", s)
		}
	})
	t.Run("65: a claim tells that images go with the cron, though the DataSource was moved", func(t *testing.T) {
		w := newWorld(retainNone(template("x", "m", "")))
		w.settle(t)
		w.editCron("x", func(c *cdiv1beta1.DataImportCron) { c.Spec.RetentionPolicy = nil })
		w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels = map[string]string{dictexpand.LabelDataImportCron: "a"} })
		w.templates = []dictexpand.Template{template("a", "m", "")}
		w.apply(t, w.plan())
		if s := w.plan()[1]; s.Name != "x" || s.Reason != dictexpand.ReasonReplacementAwaited {
			t.Errorf("step %+v", s)
		}
	})
	t.Run("100: the label for cleanup goes with the label of the old cron, unless the new one wants it", func(t *testing.T) {
		for _, none := range []bool{false, true} {
			w := newWorld(retainNone(template("x", "m", "")))
			w.settle(t)
			x := template("a", "m", "")
			if none {
				x = retainNone(x)
			}
			w.templates = []dictexpand.Template{x}
			w.apply(t, w.plan())
			w.apply(t, w.plan())
			if labels := w.DataSources[key(goldenImages, "m")].Labels; labels[dictexpand.LabelDataImportCron] != "a" || (labels[dictexpand.LabelDataImportCronCleanup] == "true") != none {
				t.Errorf("labels %v, images go with the new cron: %v", labels, none)
			}
		}
	})
	for _, tc := range []struct {
		name  string
		facts func(*dictexpand.Existing, *metav1.ObjectMeta)
		waits bool
	}{
		{"72: the DataVolume of the claim is the old cron's", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.DataVolumes = []metav1.ObjectMeta{{Namespace: goldenImages, Name: "m-second", Labels: map[string]string{dictexpand.LabelDataImportCron: "x"}}}
		}, true},
		{"72: the DataVolume of the claim is the new cron's", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.DataVolumes = []metav1.ObjectMeta{{Namespace: goldenImages, Name: "m-second", Labels: map[string]string{dictexpand.LabelDataImportCron: "a"}}}
		}, false},
		{"72: nobody lists DataVolumes, and the claim is older than its cron", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.CreationTimestamp = metav1.Unix(1, 0)
		}, true},
		{"72: nobody lists DataVolumes, and the claim is younger than its cron", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.CreationTimestamp = metav1.Unix(3, 0)
		}, false},
		{"72: the claim has no DataVolume", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.OwnerReferences = nil
		}, false},
		{"72: the claim still has the label of the old cron", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.Labels[dictexpand.LabelDataImportCron] = "x"
		}, true},
		{"72: nobody lists claims, and the old cron says that it is importing this", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
			for i := range e.Crons {
				e.Crons[i].Status.CurrentImports = []cdiv1beta1.ImportStatus{{DataVolumeName: "m-second"}}
			}
		}, true},
		{"72: nobody lists DataVolumes, and the cron of the claim's label is gone", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.Labels[dictexpand.LabelDataImportCron] = "gone"
		}, false},
		{"72: the claim has the label of the old cron, and no DataVolume", func(_ *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.OwnerReferences, claim.Labels[dictexpand.LabelDataImportCron] = nil, "x"
		}, true},
		{"72: something else than a DataVolume owns the claim", func(e *dictexpand.Existing, claim *metav1.ObjectMeta) {
			claim.OwnerReferences[0].Kind = "StatefulSet"
			claim.CreationTimestamp = metav1.Unix(1, 0)
		}, false},
		{"72: nobody lists claims, and it is what the old cron imported last", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
			for i := range e.Crons {
				e.Crons[i].Status = cdiv1beta1.DataImportCronStatus{LastImportedPVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "m-second"}}
			}
		}, true},
		{"72: nobody lists claims, and the old cron imported nothing yet", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
			for i := range e.Crons {
				e.Crons[i].Status = cdiv1beta1.DataImportCronStatus{}
			}
		}, false},
		{"72: there is no image, and the old cron says so of its imports", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			for i := range e.DataSources {
				e.DataSources[i].Spec.Source = cdiv1beta1.DataSourceSource{}
			}
			for i := range e.Crons {
				e.Crons[i].Status.LastImportedPVC = &cdiv1beta1.DataVolumeSourcePVC{}
			}
		}, false},
		{"72: nobody lists claims, and the old cron imported something else", func(e *dictexpand.Existing, _ *metav1.ObjectMeta) {
			e.Claims = nil
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(retainNone(template("x", "m", "")))
			w.settle(t)
			w.templates = []dictexpand.Template{retainNone(template("a", "m", ""))}
			w.apply(t, w.plan())
			w.apply(t, w.plan())
			newImages(w)
			w.Run()
			have := w.existing()
			have.DataVolumes = nil
			for i := range have.Crons {
				have.Crons[i].CreationTimestamp = metav1.Unix(2, 0)
			}
			for i := range have.Claims {
				if have.Claims[i].Name == "m-second" {
					tc.facts(&have, &have.Claims[i])
					break
				}
			}
			got := writes(dictexpand.Plan(dictexpand.Expand(w.templates, w.o), have).Steps)
			if waits := !strings.Contains(got, "Delete DataImportCron x"); waits != tc.waits {
				t.Errorf("waits: %v, writes:\n%s", waits, got)
			}
		})
	}
}
