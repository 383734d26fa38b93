package dictexpand_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// bothWays calls f with the templates in their order, and in the opposite one.
func bothWays(templates []dictexpand.Template, f func([]dictexpand.Template)) {
	f(templates)
	templates = slices.Clone(templates)
	slices.Reverse(templates)
	f(templates)
}

// Templates of one name are in several namespaces. What is left of one that moved from
// the namespace of the others is judged by the first of them, a blocked one before.
func TestTemplatesOfOneName(t *testing.T) {
	in := inNamespace
	for _, tt := range []struct {
		name      string
		templates []dictexpand.Template
		want      string
	}{
		{"42: one is blocked", []dictexpand.Template{in("a", template("x", "m", "amd64")), in("b", template("x", "n", "adm64"))}, "LeaveAlone TemplateBlocked"},
		{"42: the first one is blocked", []dictexpand.Template{in("a", template("x", "m", "adm64")), in("b", template("x", "n", "amd64"))}, "LeaveAlone TemplateBlocked"},
		{"49: the first one has no annotation", []dictexpand.Template{in("a", template("x", "m", "")), in("b", template("x", "n", "arm64"))}, "Delete MultiArchSwitched"},
		{"51: the first one has another architecture", []dictexpand.Template{in("a", template("x", "m", "arm64")), in("b", template("x", "n", ""))}, "Delete ArchitectureRemoved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bothWays(tt.templates, func(templates []dictexpand.Template) {
				w := newWorld(template("x", "gone", "amd64"))
				w.settle(t)
				w.templates = templates
				// The others have settled too, so that nothing is awaited.
				var last string
				for range 6 {
					for _, s := range w.plan() {
						if s.Kind == dictexpand.KindDataImportCron && s.Namespace == goldenImages {
							last = fmt.Sprint(s.Verb, " ", s.Reason)
						}
					}
					w.apply(t, w.plan())
					w.Run()
					w.FinishDeletions()
				}
				if last != tt.want {
					t.Errorf("%s in the end, want %s", last, tt.want)
				}
			})
		})
	}
}

// Of several blocked templates for one DataSource, the first by name is named.
func TestBlockedTemplatesOfOneDataSource(t *testing.T) {
	bothWays([]dictexpand.Template{template("b", "m", "adm64"), template("a", "m", "adm64"), template("c", "m", "adm64")}, func(templates []dictexpand.Template) {
		w := newWorld(template("x", "m", ""))
		w.settle(t)
		w.templates = templates
		steps := w.plan()
		if len(steps) != 1 || steps[0].Reason != dictexpand.ReasonTemplateBlocked || !strings.Contains(steps[0].Detail, `"a"`) {
			t.Errorf("45: %+v", steps)
		}
	})
}

// Why a cron goes that its template no longer makes.
func TestSwitched(t *testing.T) {
	perCaller := func(o *dictexpand.Options) {
		o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"amd64", "arm64"}}}
	}
	for _, tt := range []struct {
		name          string
		before, after dictexpand.Template
		options       func(*dictexpand.Options)
		want          string
	}{
		{"49: the annotation is gone", template("x", "m", "amd64"), template("x", "m", ""), nil, "Delete x-amd64: MultiArchSwitched"},
		{"49: the annotation is gone, and the caller makes the DataSource", template("x", "m", "amd64"), template("x", "m", ""), perCaller, "Delete x-amd64: MultiArchSwitched"},
		{"49: multiple architectures are switched off", template("x", "m", "amd64"), template("x", "m", "amd64"), func(o *dictexpand.Options) { o.MultiArch = false }, "Delete x-amd64: MultiArchSwitched"},
		{"49: a template that ends in an architecture gains the annotation", template("x-amd64", "m", ""), template("x-amd64", "m", "amd64"), nil, "Delete x-amd64: MultiArchSwitched"},
		{"51: another architecture", template("x", "m", "amd64"), template("x", "m", "arm64"), nil, "Delete x-amd64: ArchitectureRemoved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(tt.before)
			w.settle(t)
			w.templates = []dictexpand.Template{tt.after}
			if tt.options != nil {
				tt.options(&w.o)
			}
			var got []string
			for range 6 {
				for _, s := range w.plan() {
					if s.Verb == dictexpand.VerbDelete && s.Kind == dictexpand.KindDataImportCron {
						got = append(got, fmt.Sprintf("Delete %s: %s", s.Name, s.Reason))
					}
				}
				w.apply(t, w.plan())
				w.Run()
				w.FinishDeletions()
			}
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What stands in conflict, and what does not.
func TestClaims(t *testing.T) {
	ownImage := func(o *dictexpand.Options) { o.OwnImages = []types.NamespacedName{key(goldenImages, "m-arm64")} }
	testExpand(t, []expandRow{
		{
			name:      "12,13: what templates lack, they do not both need",
			templates: []dictexpand.Template{template("x", "", "amd64"), template("y", "", "amd64")},
			want: `blocked x: Invalid
blocked y: Invalid
problem Required at [x].spec.managedDataSource
problem Required at [y].spec.managedDataSource
`,
		},
		{
			name:      "12,13: without a namespace there are no names",
			templates: []dictexpand.Template{template("x", "m", "amd64"), template("x", "m", "amd64")},
			options:   func(o *dictexpand.Options) { o.Namespace = "" },
			want: `blocked x: Invalid
blocked x: Invalid
problem Required at [x].metadata.namespace
problem Required at [x].metadata.namespace
`,
		},
		{
			name:      "28: a user's own image keeps the names of the listed architectures only",
			templates: []dictexpand.Template{template("x", "m", "amd64,arm64"), template("x-s390x", "n", "")},
			options:   ownImage,
			want: `cron x-amd64 manages m-amd64 arch amd64
cron x-s390x manages n arch any
reference m to m-amd64
x: PerArchitecture
x-s390x: NoAnnotation
reference m: FirstWithWorkload
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
		{
			name:      "28: a name is needed once by one template",
			templates: []dictexpand.Template{template("x", "m", "amd64,arm64"), template("x-amd64", "n", "")},
			options:   ownImage,
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
	})
}

// A text names the templates in ascending order, however many there are.
func TestConflictNamesInOrder(t *testing.T) {
	var templates []dictexpand.Template
	for i := range 40 {
		templates = append(templates, template(fmt.Sprintf("x%02d", i*7%40), "m", ""))
	}
	e := dictexpand.Expand(templates, twoArchitectures())
	if len(e.Problems) != 40 {
		t.Fatalf("%d problems", len(e.Problems))
	}
	const first = `the DataSource "m" in namespace "` + goldenImages + `" is needed by the templates `
	for i, p := range e.Problems {
		var others []string
		for k := range 40 {
			if k != i && len(others) < 10 {
				others = append(others, fmt.Sprintf(`"x%02d"`, k))
			}
		}
		if want := first + strings.Join(others, ", ") + " and 29 more as well; change one of them"; p.Detail != want {
			t.Errorf("13: problem %d: %s\nwant %s", i, p.Detail, want)
		}
	}
}

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
