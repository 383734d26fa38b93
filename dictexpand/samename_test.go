package dictexpand_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// While the cron's namespace has a template of its name, those elsewhere have no say.
func TestTemplatesOfOneNameElsewhere(t *testing.T) {
	// Elsewhere is first in the order of namespaces.
	elsewhere := func(archs string) dictexpand.Template { return inNamespace("a", template("x", "n", archs)) }
	two := func(archs string) []dictexpand.Template {
		return []dictexpand.Template{template("x", "m", "amd64,arm64"), elsewhere(archs)}
	}
	arm64Left := func(w *world) {
		w.o.Architectures, w.o.WorkloadArchitectures, w.o.HeldArchitectures = []string{"amd64"}, nil, []string{"arm64"}
	}
	onArm64 := template("x", "m", "")
	onArm64.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
	testPlan(t, []planRow{
		{
			name:   "47: the architecture is held for the template here",
			before: two(""),
			change: arm64Left,
			want: `Keep DataImportCron x: UpToDate
Keep DataImportCron x-amd64: UpToDate
LeaveAlone DataImportCron x-arm64: ArchitectureHeld
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "47: the architecture is held for the template elsewhere",
			before: two("amd64,arm64"),
			change: func(w *world) {
				arm64Left(w)
				w.templates = []dictexpand.Template{template("x", "m", "amd64"), elsewhere("amd64,arm64")}
			},
			want: `Delete DataImportCron x-arm64: ArchitectureRemoved data Kept
Keep DataImportCron x-amd64: UpToDate
LeaveAlone DataImportCron x-arm64: ArchitectureHeld
Keep DataImportCron x-amd64: UpToDate
Keep DataSource n: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "47: the template here is unclear",
			before: two(""),
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "amd64,amr64"), elsewhere("")}
			},
			want: `Keep DataImportCron x: UpToDate
Keep DataImportCron x-amd64: UpToDate
LeaveAlone DataImportCron x-arm64: TemplateUnclear
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "51: the template elsewhere has no annotation",
			before: two(""),
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "amd64"), elsewhere("")}
			},
			want: `Delete DataImportCron x-arm64: ArchitectureRemoved data Kept
Keep DataImportCron x: UpToDate
Keep DataImportCron x-amd64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "57: the architecture of the cron is held for the template elsewhere",
			before: []dictexpand.Template{onArm64, elsewhere("amd64,arm64")},
			change: func(w *world) {
				arm64Left(w)
				w.templates[0].Spec.Schedule = "0 0 * * *"
			},
			want: `Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Keep DataImportCron x-amd64: UpToDate
LeaveAlone DataImportCron x-arm64: ArchitectureHeld
Keep DataSource n: UpToDate
`,
		},
		{
			name:   "75: the template elsewhere has its cron, the one here has not",
			before: two(""),
			change: func(w *world) {
				w.o.MultiArch = false
				w.AddCron(cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "x"}}) // somebody else's
			},
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataImportCron x: NotOwned
Wait DataImportCron x-amd64: ReplacementAwaited
Wait DataImportCron x-arm64: ReplacementAwaited
`,
		},
	})
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
