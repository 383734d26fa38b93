package dictexpand_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// leadTo makes the DataSource a reference of the caller, whether it exists or not.
func (w *world) leadTo(name, target string) {
	o := owner()
	w.AddDataSource(cdiv1beta1.DataSource{
		ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: name, Labels: o.Labels, Annotations: o.Annotations},
		Spec: cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{
			DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: goldenImages, Name: target},
		}},
	})
}

// setLabel gives the DataSource the label of a cron, or none.
func (w *world) setLabel(name, cron string) {
	w.editDataSource(name, func(ds *cdiv1beta1.DataSource) {
		delete(ds.Labels, dictexpand.LabelDataImportCron)
		if cron != "" {
			metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCron, cron)
		}
	})
}

// step takes the steps of one plan, and lets CDI do its part.
func (w *world) step() {
	w.apply(noFatal{}, w.plan())
	w.Run()
}

// What a cron that is to go stays for, and what it does not stay for.
func TestAwaited(t *testing.T) {
	x, xAMD64 := []dictexpand.Template{template("x", "m", "")}, []dictexpand.Template{template("x", "m", "amd64")}
	testPlan(t, []planRow{
		{
			name: "72: the DataSource is nobody's, and the new cron does not exist", before: x,
			change: func(w *world) { w.setLabel("m", ""); w.templates = []dictexpand.Template{template("a", "m", "")} },
			want:   "Update DataSource m: CronLabel\nCreate DataImportCron a: Missing\nWait DataImportCron x: ReplacementAwaited\n",
		},
		{
			name: "72: the new cron is there, and the DataSource is gone", before: x,
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("a", "m", "")}
				w.step()
				delete(w.DataSources, key(goldenImages, "m"))
			},
			want: "Delete DataImportCron x: TemplateRemoved data Kept\nKeep DataImportCron a: UpToDate\n",
		},
		{
			name: "72: a cron that should manage another DataSource waits for the one that takes its place", before: x,
			change: func(w *world) { w.templates = []dictexpand.Template{template("x", "n", ""), template("a", "m", "")} },
			want:   "Create DataImportCron a: Missing\nWait DataImportCron x: ReplacementAwaited\nWait DataSource m: ReplacementAwaited\n",
		},
		{
			name: "72,76: it waits for one that runs, though another DataSource leads to the same and is to be its own", before: x,
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "n", ""), template("a", "m", "")}
				w.step()
				w.leadTo("n", "m")
				w.setLabel("m", "x")
			},
			want: "Update DataSource m: CronLabel\nKeep DataImportCron a: UpToDate\nWait DataImportCron x: ReplacementAwaited\nWait DataSource n: ReplacementAwaited\n",
		},
		{
			name: "72,76: it waits for one whose name somebody else's cron has", before: append([]dictexpand.Template{template("j", "j", "")}, x...),
			change: func(w *world) {
				w.foreign("j")
				w.setLabel("j", "j")
				w.leadTo("k", "j")
				w.templates = []dictexpand.Template{template("j", "m", ""), template("x", "k", "")}
			},
			want: "LeaveAlone DataImportCron j: NotOwned\nWait DataImportCron x: ReplacementAwaited\nWait DataSource k: ReplacementAwaited\n",
		},
		{
			name: "74: the new cron has taken over, and another DataSource still leads there", before: x,
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("a", "m", "")}
				w.step()
				w.setLabel("m", "a")
				w.templates = append(w.templates, template("y", "n", ""))
				w.leadTo("n", "m")
			},
			want: "Update DataSource n: BackToCron\nCreate DataImportCron y: Missing\nKeep DataImportCron a: UpToDate\nWait DataImportCron x: ReplacementAwaited\n",
		},
		{
			name: "74: what another DataSource leads to has no image", before: xAMD64,
			change: func(w *world) {
				w.editDataSource("m-amd64", func(ds *cdiv1beta1.DataSource) { ds.Spec.Source = cdiv1beta1.DataSourceSource{} })
				w.templates = []dictexpand.Template{template("y", "m", "arm64")}
			},
			want: "Update DataSource m: Redirected\nDelete DataImportCron x-amd64: TemplateRemoved data Kept\nCreate DataImportCron y-arm64: Missing\n",
		},
		{
			name: "73: a reference that has the label of the cron is one already", before: xAMD64,
			change: func(w *world) {
				o := owner()
				c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "x", Labels: o.Labels, Annotations: o.Annotations}}
				c.Spec.ManagedDataSource = "m"
				w.AddCron(c)
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.LabelDataImportCron, "x")
				})
			},
			want: "Update DataSource m: BecomesReference\nDelete DataImportCron x: MultiArchSwitched data Kept\nKeep DataImportCron x-amd64: UpToDate\n",
		},
		{
			name: "73,75: the DataSource is gone", before: x,
			change: func(w *world) { w.templates = xAMD64; delete(w.DataSources, key(goldenImages, "m")) },
			want:   "Create DataSource m: Missing\nCreate DataImportCron x-amd64: Missing\nWait DataImportCron x: ReplacementAwaited\n",
		},
		{
			name: "73: the DataSource is nobody's, and its image goes with the cron", before: []dictexpand.Template{retainNone(x[0])},
			change: func(w *world) {
				w.templates = []dictexpand.Template{retainNone(xAMD64[0])}
				w.setLabel("m", "")
				w.apply(noFatal{}, w.plan())
				w.Look(key(goldenImages, "x-amd64"))
			},
			want: "Update DataSource m: BecomesReference\nWait DataImportCron x: ReplacementAwaited\nKeep DataImportCron x-amd64: UpToDate\n",
		},
		{
			name: "57,76: both crons of a template that names another DataSource", before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates = []dictexpand.Template{template("x", "o", "amd64,arm64")} },
			want: `Delete DataSource m: Unused
Create DataSource o: Missing
Delete DataImportCron x-amd64: SpecChanged data Kept
Delete DataImportCron x-arm64: SpecChanged data Kept
Create DataImportCron x-amd64: SpecChanged
Create DataImportCron x-arm64: SpecChanged
`,
		},
		{
			name: "76: a third cron waits for two that exchange their DataSources", before: []dictexpand.Template{template("x", "m", ""), template("y", "n", "")},
			change: func(w *world) {
				o := owner()
				c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "z", Labels: o.Labels, Annotations: o.Annotations}}
				c.Spec.ManagedDataSource = "n"
				w.AddCron(c)
				w.templates = []dictexpand.Template{template("x", "n", ""), template("y", "m", "")}
			},
			want: `Delete DataImportCron x: SpecChanged data Kept
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Create DataImportCron y: SpecChanged
Wait DataImportCron z: ReplacementAwaited
Wait DataSource m: ReplacementAwaited
Wait DataSource n: ReplacementAwaited
`,
		},
		{
			name: "56,63: two crons are to exchange their DataSources, and somebody else's holds one", before: []dictexpand.Template{template("x", "m", ""), template("y", "n", "")},
			change: func(w *world) {
				w.addStranger("s", "m")
				w.templates = []dictexpand.Template{template("x", "n", ""), template("y", "m", "")}
			},
			want: `LeaveAlone DataImportCron s: NotOwned
LeaveAlone DataImportCron x: DataSourceTaken
LeaveAlone DataImportCron y: DataSourceTaken
LeaveAlone DataSource m: DataSourceTaken
LeaveAlone DataSource n: DataSourceTaken
`,
		},
		{
			name:   "57,76: the cron for the default architecture, for another one now",
			before: x,
			change: func(w *world) {
				w.o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"amd64", "arm64"}}}
				for range 3 {
					w.step()
				}
				w.o.Architectures = []string{"arm64"}
			},
			want: `Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Wait DataSource m: ReplacementAwaited
`,
		},
	})
}

// What a cron imported for a DataSource that it managed before, nobody listing DataVolumes.
func TestFormerImages(t *testing.T) {
	for _, tt := range []struct {
		name string
		x    dictexpand.Template
		want string
	}{
		{"72: the image goes with it", retainNone(template("x", "m", "amd64")), "Wait DataImportCron x-amd64: ReplacementAwaited\n"},
		{"72: the image stays", template("x", "m", "amd64"), "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(tt.x)
			w.settle(t)
			w.templates[0].Spec.ManagedDataSource = "o"
			w.step()
			w.templates = []dictexpand.Template{template("a", "m", "amd64")}
			have := w.existing()
			have.DataVolumes = nil
			if got := all(dictexpand.Plan(dictexpand.Expand(w.templates, w.o), have).Steps); !strings.Contains(got, tt.want) {
				t.Errorf("%swant %s", got, tt.want)
			}
		})
	}
}

// Of several DataSources that lead to one, a step names the first.
func TestFirstThatLeads(t *testing.T) {
	w := newWorld(template("x", "m", ""))
	w.settle(t)
	for _, name := range []string{"d", "b", "e", "c"} {
		w.leadTo(name, "m")
		w.templates = append(w.templates, template("y"+name, name, ""))
	}
	w.templates = w.templates[1:]
	for range 20 { // facts are in maps
		for _, s := range w.plan() {
			if s.Name == "x" && s.Detail != `the DataSource "b" still leads to "m"` {
				t.Fatalf("74: %+v", s)
			}
		}
	}
}
