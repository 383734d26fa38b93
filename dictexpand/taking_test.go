package dictexpand_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// Whose a DataSource is that should become the reference m.
func TestTaking(t *testing.T) {
	label := func(cron string) map[string]string {
		if cron == "" {
			return nil
		}
		return map[string]string{dictexpand.LabelDataImportCron: cron}
	}
	for _, tt := range []struct {
		name string
		// of and image are the crons of the labels of the DataSource and of its image.
		of, image string
		lost      bool // the image does not exist
		want      string
	}{
		{"82,92: nobody's label", "", "", false, "LeaveAlone NotOwned"},
		{"82,92: no label and no image", "", "", true, "LeaveAlone NotOwned"},
		{"92: the caller's cron", "old", "", false, "Update BecomesReference"},
		{"92: a cron that is gone", "gone", "", true, "Update BecomesReference"},
		{"82,92: somebody else's cron", "s", "old", false, "LeaveAlone NotOwned"},
		{"92: the image is of the caller's cron", "", "old", false, "Update BecomesReference"},
		{"92: the image is of a cron that is gone", "", "gone", false, "Update BecomesReference"},
		{"82,92: the image is of somebody else's cron", "", "s", false, "LeaveAlone NotOwned"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(template("x", "m", "amd64"), template("old", "n", ""))
			w.settle(t)
			w.addStranger("s", "o")
			delete(w.DataSources, key(goldenImages, "m"))
			w.AddDataSource(cdiv1beta1.DataSource{
				ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "m", Labels: label(tt.of)},
				Spec:       cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "image"}}},
			})
			if !tt.lost {
				w.Claims[key(goldenImages, "image")] = metav1.ObjectMeta{Namespace: goldenImages, Name: "image", Labels: label(tt.image)}
			}
			for _, s := range w.plan() {
				if got := string(s.Verb) + " " + string(s.Reason); s.Kind == dictexpand.KindDataSource && s.Name == "m" && got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
			}
		})
	}
}
