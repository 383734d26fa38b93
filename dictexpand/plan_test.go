package dictexpand_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// A world is a model with the options and templates of the last plan.
type world struct {
	*model
	o         dictexpand.Options
	templates []dictexpand.Template
	later     func() // of the story, nil if there is none
}

func newWorld(templates ...dictexpand.Template) *world {
	w := &world{model: newModel(), o: twoArchitectures(), templates: templates}
	w.o.Owner = owner()
	return w
}

func (w *world) plan() []dictexpand.Step {
	return w.model.plan(dictexpand.Expand(w.templates, w.o)).Steps
}

// settle reconciles until nothing is to be written, with CDI in between.
func (w *world) settle(t testing.TB) {
	t.Helper()
	for range 8 {
		w.apply(t, w.plan())
		w.Run()
		w.FinishDeletions()
	}
	if s := writes(w.plan()); s != "" {
		t.Fatalf("does not settle; still wants to:\n%s", s)
	}
}

// foreign gives the object of that name to somebody else.
func (w *world) foreign(name string) {
	k := key(goldenImages, name)
	if c, ok := w.Crons[k]; ok {
		c.Labels, c.Annotations = nil, nil
		w.Crons[k] = c
	}
	if ds, ok := w.DataSources[k]; ok {
		ds.Labels, ds.Annotations = nil, nil
		w.DataSources[k] = ds
	}
}

func (w *world) deleting(name string) {
	k := key(goldenImages, name)
	if c, ok := w.Crons[k]; ok {
		c.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		w.Crons[k] = c
	}
	if ds, ok := w.DataSources[k]; ok {
		ds.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		w.DataSources[k] = ds
	}
}

func (w *world) editCron(name string, edit func(*cdiv1beta1.DataImportCron)) {
	k := key(goldenImages, name)
	c := w.Crons[k]
	edit(&c)
	w.Crons[k] = c
}

func (w *world) editDataSource(name string, edit func(*cdiv1beta1.DataSource)) {
	k := key(goldenImages, name)
	ds := w.DataSources[k]
	edit(&ds)
	w.DataSources[k] = ds
}

// A planRow is a plan after a change of a settled world.
type planRow struct {
	// name is the numbers of rules, and the name of a story of package dictexpandtest
	// unless there is a change.
	name string
	// before is what the world was settled for; change is what happened then.
	before []dictexpand.Template
	change func(*world)
	want   string
}

func testPlan(t *testing.T, rows []planRow) {
	t.Helper()
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			var w *world
			if tc.change != nil {
				w = newWorld(tc.before...)
				w.settle(t)
				tc.change(w)
			} else {
				w = worldOf(tc.name, false)
			}
			if diff := cmp.Diff(tc.want, all(w.plan())); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			// Whatever it is, CDI must take it.
			w.apply(t, w.plan())
			w.Run()
			w.apply(t, w.plan())
		})
	}
}

// worldOf returns the world of a story of package dictexpandtest after its change.
func worldOf(row string, before160 bool) *world {
	_, name, _ := strings.Cut(row, ": ")
	s := dictexpandtest.StoryNamed(name)
	played := dictexpandtest.NewWorld(s.Before...)
	played.Operator, played.Before160 = ours.Operator{}.Reconcile, before160
	if s.Prepare != nil {
		s.Prepare(played)
	}
	played.Settle()
	s.Change(played)
	w := &world{model: &model{CDI: played.CDI}}
	read := func() {
		w.o, w.templates = ours.Options(played.Cluster), ours.Templates(played.Templates)
		w.o.OwnImages = dictexpand.OwnImages(w.existing())
	}
	read()
	if s.Later != nil {
		w.later = func() {
			s.Later(played)
			read()
		}
	}
	return w
}

// noFatal is for steps that a table row takes before its plan; what is wrong with
// them shows in the plan.
type noFatal struct{}

func (noFatal) Helper()               {}
func (noFatal) Fatalf(string, ...any) {}

func TestLeftAloneSaysWhy(t *testing.T) {
	w := newWorld(template("x", "m", "amd64"))
	w.settle(t)
	w.foreign("x-amd64")
	w.templates = []dictexpand.Template{template("y", "m-amd64", "")}
	for _, s := range w.plan() {
		if s.Name == "y" && (s.Reason != dictexpand.ReasonDataSourceTaken || s.Detail == "") {
			t.Errorf("step %+v", s)
		}
	}
}
