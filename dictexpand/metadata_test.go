package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// The labels and annotations of a cron are what the template says, empty values too.
func TestEmptyValues(t *testing.T) {
	x := template("x", "m", "")
	x.Labels, x.Annotations = map[string]string{"l": ""}, map[string]string{"a": ""}
	w := newWorld(x)
	w.settle(t)
	for _, tt := range []struct {
		name string
		edit func(*cdiv1beta1.DataImportCron)
		want string
	}{
		{"58: both are there", func(*cdiv1beta1.DataImportCron) {}, "Keep"},
		{"59: the label with the empty value is gone", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, "l") }, "Relabel"},
		{"59: the annotation with the empty value is gone", func(c *cdiv1beta1.DataImportCron) { delete(c.Annotations, "a") }, "Relabel"},
		{"59: the annotation has another value", func(c *cdiv1beta1.DataImportCron) { c.Annotations["a"] = "b" }, "Relabel"},
		{"62: there are others", func(c *cdiv1beta1.DataImportCron) { c.Labels["m"], c.Annotations["b"] = "", "" }, "Keep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			live := w.Crons[key(goldenImages, "x")]
			edited := *live.DeepCopy()
			tt.edit(&edited)
			b := dictexpand.Plan(dictexpand.Expand(w.templates, w.o), dictexpand.Existing{Crons: []cdiv1beta1.DataImportCron{edited}})
			if len(b.Steps) != 1 || string(b.Steps[0].Verb) != tt.want {
				t.Errorf("%s, want %s", all(b.Steps), tt.want)
			}
			if tt.want == "Relabel" {
				if diff := cmp.Diff([]map[string]string{live.Labels, live.Annotations}, []map[string]string{b.Steps[0].Cron.Labels, b.Steps[0].Cron.Annotations}); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

// All others stay.
func TestOtherAnnotationsStay(t *testing.T) {
	x := template("x", "m", "amd64")
	want := map[string]string{"a": "1", "b": "2", "z": "3"}
	for k, v := range want {
		x.Annotations[k] = v
	}
	e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures())
	if diff := cmp.Diff(want, e.Crons[0].Object.Annotations); diff != "" {
		t.Errorf("7: (-want +got):\n%s", diff)
	}
}

// Where the architectures are the only annotation, none is left, not an empty map.
func TestNoAnnotationIsLeft(t *testing.T) {
	e := dictexpand.Expand([]dictexpand.Template{template("x", "m", "amd64")}, twoArchitectures())
	if len(e.Crons) != 1 || e.Crons[0].Object.Annotations != nil {
		t.Errorf("7: %+v", e.Crons)
	}
}
