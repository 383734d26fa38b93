package dictexpand_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// addStranger adds a cron of somebody else.
func (w *world) addStranger(name, managed string) {
	c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: name}}
	c.Spec.ManagedDataSource = managed
	w.AddCron(c)
}

// Which cron of somebody else is a problem, for the wanted cron x of the DataSource m.
func TestStrangers(t *testing.T) {
	label := func(w *world, cron string) {
		w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels = map[string]string{dictexpand.LabelDataImportCron: cron} })
	}
	x := func(w *world) { w.templates = []dictexpand.Template{template("x", "m", "")} }
	for _, tt := range []struct {
		name   string
		before []dictexpand.Template
		change func(*world)
		want   bool
	}{
		{"66: it is there first", nil, func(w *world) { w.addStranger("s", "m"); x(w) }, true},
		{"66: it is being deleted", nil, func(w *world) { w.addStranger("s", "m"); w.deleting("s"); x(w) }, false},
		{"66: it has the name of the cron, so that there is no second one", nil, func(w *world) { w.addStranger("x", "m"); x(w) }, false},
		{"66: it manages another DataSource", nil, func(w *world) { w.addStranger("s", "n"); x(w) }, false},
		{"45,66: it is one of the caller's, which stays for a blocked template", []dictexpand.Template{template("b", "m", "")}, func(w *world) {
			w.templates = []dictexpand.Template{template("b", "n", "adm64"), template("x", "m", "")}
		}, false},
		{"66: the cron runs, and the label is its own", []dictexpand.Template{template("x", "m", "")}, func(w *world) { w.addStranger("s", "m") }, false},
		{"66: the cron runs, and the label is nobody's", []dictexpand.Template{template("x", "m", "")}, func(w *world) { w.addStranger("s", "m"); label(w, "") }, false},
		{"66: the cron runs, and the label is the stranger's", []dictexpand.Template{template("x", "m", "")}, func(w *world) { w.addStranger("s", "m"); label(w, "s") }, true},
		{"66: the cron runs, and the DataSource is gone", []dictexpand.Template{template("x", "m", "")}, func(w *world) {
			w.addStranger("s", "m")
			delete(w.DataSources, key(goldenImages, "m"))
		}, false},
		{"66: the cron is being deleted", []dictexpand.Template{template("x", "m", "")}, func(w *world) { w.addStranger("s", "m"); w.deleting("x") }, true},
		{"66: the cron manages something else until now", []dictexpand.Template{template("x", "n", "")}, func(w *world) { w.addStranger("s", "m"); x(w) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(tt.before...)
			w.settle(t)
			tt.change(w)
			b := w.model.plan(dictexpand.Expand(w.templates, w.o))
			if got := len(b.Problems) > 0; got != tt.want {
				t.Errorf("problems %v; steps:\n%s", b.Problems, all(b.Steps))
			}
			for _, p := range b.Problems {
				if p.Field != "dataImportCronTemplates[x].spec.managedDataSource" || p.BadValue != "m" {
					t.Errorf("problem %v", p)
				}
			}
		})
	}
}
