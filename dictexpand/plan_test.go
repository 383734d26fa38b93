package dictexpand_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// A world is a model with the options and templates of the last plan.
type world struct {
	*model
	o         dictexpand.Options
	templates []dictexpand.Template
}

func newWorld(templates ...dictexpand.Template) *world {
	w := &world{model: newModel(), o: twoArchitectures(), templates: templates}
	w.o.Owner = owner()
	return w
}

func (w *world) plan() []dictexpand.Step {
	return dictexpand.Plan(dictexpand.Expand(w.templates, w.o), w.existing(), w.o)
}

// settle reconciles until nothing is to be written, with CDI in between.
func (w *world) settle(t testing.TB) {
	t.Helper()
	for range 5 {
		w.apply(t, w.plan())
		w.runCDI()
		w.finishDeletions()
	}
	if s := writes(w.plan()); s != "" {
		t.Fatalf("does not settle; still wants to:\n%s", s)
	}
}

// foreign gives the object of that name to somebody else.
func (w *world) foreign(name string) {
	k := key(goldenImages, name)
	if c, ok := w.crons[k]; ok {
		c.Labels, c.Annotations = nil, nil
		w.crons[k] = c
	}
	if ds, ok := w.dataSources[k]; ok {
		ds.Labels, ds.Annotations = nil, nil
		w.dataSources[k] = ds
	}
}

func (w *world) deleting(name string) {
	k := key(goldenImages, name)
	if c, ok := w.crons[k]; ok {
		c.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		w.crons[k] = c
	}
	if ds, ok := w.dataSources[k]; ok {
		ds.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		w.dataSources[k] = ds
	}
}

func (w *world) editCron(name string, edit func(*cdiv1beta1.DataImportCron)) {
	k := key(goldenImages, name)
	c := w.crons[k]
	edit(&c)
	w.crons[k] = c
}

func (w *world) editDataSource(name string, edit func(*cdiv1beta1.DataSource)) {
	k := key(goldenImages, name)
	ds := w.dataSources[k]
	edit(&ds)
	w.dataSources[k] = ds
}

func retainNone(t dictexpand.Template) dictexpand.Template {
	t.Spec.RetentionPolicy = ptr(cdiv1beta1.DataImportCronRetainNone)
	return t
}

func inNamespace(ns string, t dictexpand.Template) dictexpand.Template {
	t.Namespace = ns
	return t
}

func TestPlan(t *testing.T) {
	for _, tc := range []struct {
		name string
		// before is what the world was settled for; change is what happened then.
		before []dictexpand.Template
		change func(*world)
		want   string
	}{
		{
			name:   "create: nothing exists",
			change: func(w *world) { w.templates = []dictexpand.Template{template("x", "m", "amd64,arm64")} },
			want: `Create DataSource m: Missing
Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
`,
		},
		{
			name:   "keep: nothing changed",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64"), template("y", "n", "")},
			change: func(*world) {},
			want: `Keep DataImportCron x-amd64: UpToDate
Keep DataImportCron x-arm64: UpToDate
Keep DataImportCron y: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "keep: the CRD prunes the metadata of the DataVolume",
			before: []dictexpand.Template{full()},
			change: func(*world) {},
			want: `Keep DataImportCron rhel10-image-cron-amd64: UpToDate
Keep DataImportCron rhel10-image-cron-arm64: UpToDate
Keep DataSource rhel10: UpToDate
`,
		},
		{
			name:   "keep: CDI's annotations and labels of others do not matter",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.editCron("x", func(c *cdiv1beta1.DataImportCron) {
					metav1.SetMetaDataAnnotation(&c.ObjectMeta, "cdi.kubevirt.io/storage.import.lastCronTime", "now")
					metav1.SetMetaDataLabel(&c.ObjectMeta, "team", "a")
				})
			},
			want: "Keep DataImportCron x: UpToDate\n",
		},
		{
			name:   "replace: the spec changed",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates[0].Spec.Schedule = "0 0 * * *" },
			want: `Delete DataImportCron x-amd64: SpecChanged data Kept
Delete DataImportCron x-arm64: SpecChanged data Kept
Create DataImportCron x-amd64: SpecChanged
Create DataImportCron x-arm64: SpecChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "replace: deletions come before creations where two crons exchange their DataSources",
			before: []dictexpand.Template{template("x", "m", ""), template("y", "n", "")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "n", ""), template("y", "m", "")}
			},
			want: `Delete DataImportCron x: SpecChanged data Kept
Delete DataImportCron y: SpecChanged data Kept
Create DataImportCron x: SpecChanged
Create DataImportCron y: SpecChanged
`,
		},
		{
			name:   "replace: the template was renamed, so another cron takes the DataSource",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.templates[0].Name = "a" },
			want: `Delete DataImportCron x: TemplateRemoved data Kept
Create DataImportCron a: Missing
`,
		},
		{
			name:   "relabel: a label of the template changed",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates[0].Labels = map[string]string{"new": "label"} },
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "relabel: an annotation of the template changed",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates[0].Annotations["new"] = "annotation" },
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "relabel: somebody removed the label of the architecture",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, dictexpand.ArchitectureLabel) })
			},
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "delete: an architecture left the annotation, the rest stays",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates[0].Annotations[dictexpand.ArchitecturesAnnotation] = "arm64" },
			want: `Update DataSource m: Redirected
Delete DataImportCron x-amd64: ArchitectureRemoved data Kept
Keep DataImportCron x-arm64: UpToDate
`,
		},
		{
			name:   "delete: an architecture left the cluster",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.o.Architectures = []string{"amd64"} },
			want: `Delete DataImportCron x-arm64: ArchitectureRemoved data Kept
Keep DataImportCron x-amd64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "delete: the template was removed",
			before: []dictexpand.Template{template("x", "m", "amd64"), template("y", "n", "")},
			change: func(w *world) { w.templates = w.templates[1:] },
			want: `Delete DataSource m: Unused
Delete DataImportCron x-amd64: TemplateRemoved data Kept
Keep DataImportCron y: UpToDate
`,
		},
		{
			name:   "delete: retentionPolicy None takes the imported data along",
			before: []dictexpand.Template{retainNone(template("x", "m", "amd64"))},
			change: func(w *world) { w.templates = nil },
			want: `Delete DataSource m: Unused
Delete DataImportCron x-amd64: TemplateRemoved data Deleted
`,
		},
		{
			name:   "delete: data imported under retentionPolicy None goes along under another policy",
			before: []dictexpand.Template{retainNone(template("x", "m", ""))},
			change: func(w *world) {
				w.editCron("x", func(c *cdiv1beta1.DataImportCron) { c.Spec.RetentionPolicy = nil })
				w.templates = nil
			},
			want: "Delete DataImportCron x: TemplateRemoved data Deleted\n",
		},
		{
			name:   "delete: the DataSource points to a user's own image now",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.o.OwnImages = []types.NamespacedName{key(goldenImages, "m-amd64")} },
			want: `Delete DataImportCron x-amd64: AutoUpdateOff data Kept
Keep DataImportCron x-arm64: UpToDate
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "switched on: the DataSource becomes a reference, the imported data stays",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "amd64,arm64")}
			},
			want: `Update DataSource m: BecomesReference
Delete DataImportCron x: MultiArchSwitched data Kept
Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
`,
		},
		{
			name:   "switched off: the DataSource is the cron's again",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.o.MultiArch = false },
			want: `Update DataSource m: BackToCron
Delete DataImportCron x-amd64: MultiArchSwitched data Kept
Delete DataImportCron x-arm64: MultiArchSwitched data Kept
Create DataImportCron x: Missing
`,
		},
		{
			name:   "switched on with the DataSource made per architecture: the cron is replaced under its name",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.o.DataSources = []dictexpand.DataSource{{Name: "m", Architectures: []string{"amd64"}}}
			},
			want: `Update DataSource m: BecomesReference
Delete DataImportCron x: SpecChanged data Kept
Create DataImportCron x: SpecChanged
`,
		},
		{
			name:   "wait: a cron that should exist is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.deleting("x-amd64") },
			want: `Wait DataImportCron x-amd64: BeingDeleted
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "wait: a cron that should not exist is being deleted",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.templates = nil; w.deleting("x") },
			want:   "Wait DataImportCron x: BeingDeleted\n",
		},
		{
			name:   "wait: a reference is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.deleting("m") },
			want: `Keep DataImportCron x-amd64: UpToDate
Wait DataSource m: BeingDeleted
`,
		},
		{
			name:   "wait: a reference that nothing needs is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates = nil; w.deleting("m") },
			want: `Delete DataImportCron x-amd64: TemplateRemoved data Kept
Wait DataSource m: BeingDeleted
`,
		},
		{
			name:   "wait: the DataSource of a new cron is still that of one that is being deleted",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.templates[0].Name = "a"; w.deleting("x") },
			want: `Wait DataImportCron a: DataSourceTaken
Wait DataImportCron x: BeingDeleted
`,
		},
		{
			name:   "wait: a DataSource that was a reference is being deleted",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.o.MultiArch = false; w.deleting("m") },
			want: `Delete DataImportCron x-amd64: MultiArchSwitched data Kept
Create DataImportCron x: Missing
Wait DataSource m: BeingDeleted
`,
		},
		{
			name:   "leave alone: the cron of somebody else, of a name that should exist",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.foreign("x-amd64"); w.templates[0].Spec.Schedule = "0 0 * * *" },
			want: `LeaveAlone DataImportCron x-amd64: NotOwned
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "leave alone: the cron of somebody else, of a name that should not exist",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.foreign("x"); w.templates = nil },
			want:   "LeaveAlone DataImportCron x: NotOwned\n",
		},
		{
			name:   "leave alone: switched off, and the cron of somebody else has the name",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.o.MultiArch = false
				stranger := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "x"}}
				stranger.Spec.ManagedDataSource = "other"
				w.addCron(stranger)
			},
			want: `Delete DataImportCron x-amd64: MultiArchSwitched data Kept
LeaveAlone DataImportCron x: NotOwned
`,
		},
		{
			name:   "leave alone: the DataSource of a new cron is that of somebody else's cron",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.foreign("x"); w.templates[0].Name = "a" },
			want: `LeaveAlone DataImportCron a: DataSourceTaken
LeaveAlone DataImportCron x: NotOwned
`,
		},
		{
			name:   "leave alone: a replaced cron would get a DataSource that is taken, and keeps its own from a third",
			before: []dictexpand.Template{template("x", "m", ""), template("y", "n", ""), template("z", "o", "")},
			change: func(w *world) {
				w.foreign("z")
				w.templates = []dictexpand.Template{template("x", "n", ""), template("y", "o", ""), template("new", "m", "")}
			},
			want: `LeaveAlone DataImportCron new: DataSourceTaken
LeaveAlone DataImportCron x: DataSourceTaken
LeaveAlone DataImportCron y: DataSourceTaken
LeaveAlone DataImportCron z: NotOwned
`,
		},
		{
			name:   "leave alone: the DataSource of somebody else, without a cron",
			before: nil,
			change: func(w *world) {
				w.addDataSource(cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "m"}})
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "leave alone: the DataSource of somebody else's cron",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.foreign("x")
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.DataImportCronLabel, "x")
				})
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: NotOwned
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "leave alone: a reference of somebody else that nothing needs",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.foreign("m"); w.templates = nil },
			want:   "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n",
		},
		{
			name:   "leave alone: references that the caller makes for DataSources without a template",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.templates = nil
				w.o.DataSources = []dictexpand.DataSource{{Name: "m", Architectures: []string{"amd64"}}}
			},
			want: "Delete DataImportCron x-amd64: TemplateRemoved data Kept\n",
		},
		{
			name:   "reference: taken over from a cron that is gone",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				delete(w.crons, key(goldenImages, "x"))
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Update DataSource m: BecomesReference
Create DataImportCron x-amd64: Missing
`,
		},
		{
			name:   "reference: not taken over from a cron that is gone and was nobody's template",
			before: []dictexpand.Template{template("other", "m", "")},
			change: func(w *world) {
				delete(w.crons, key(goldenImages, "other"))
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataSource m: NotOwned
`,
		},
		{
			name:   "reference: redirected by somebody",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					ds.Spec.Source.DataSource = &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: "elsewhere", Name: "m"}
				})
			},
			want: `Update DataSource m: Redirected
Keep DataImportCron x-amd64: UpToDate
`,
		},
		{
			name:   "reference: somebody put the label of a cron on it",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, dictexpand.DataImportCronLabel, "x")
				})
			},
			want: `Update DataSource m: BecomesReference
Keep DataImportCron x-amd64: UpToDate
`,
		},

		// Nothing of a blocked template is deleted.
		{
			name:   "blocked: a typo in the annotation",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates[0].Annotations[dictexpand.ArchitecturesAnnotation] = "adm64" },
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataImportCron x-arm64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "blocked: a second template for the DataSource of a live cron",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.templates = append(w.templates, template("y", "m", "")) },
			want:   "LeaveAlone DataImportCron x: TemplateBlocked\n",
		},
		{
			name:   "blocked: the template lost its name, the DataSource tells",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates[0].Name = "" },
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "blocked: a template of the same name in another namespace is sound",
			before: []dictexpand.Template{template("x", "m", "amd64"), inNamespace("custom", template("x", "n", ""))},
			change: func(w *world) { w.templates[0] = template("x", "changed", ",") },
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name:   "blocked: nothing but the label knows the architecture any more",
			before: nil,
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "riscv64")}
				w.o.Supported, w.o.Architectures = nil, []string{"riscv64"}
				w.apply(noFatal{}, w.plan())
				w.o.Architectures = nil
			},
			want: `LeaveAlone DataImportCron x-riscv64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "blocked: somebody removed the label of the architecture too",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, dictexpand.ArchitectureLabel) })
				w.templates[0].Annotations[dictexpand.ArchitecturesAnnotation] = ","
			},
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "blocked: one of two templates that share a reference",
			before: []dictexpand.Template{template("a", "m", "arm64"), template("i", "m", "amd64")},
			change: func(w *world) { w.templates[1].Annotations[dictexpand.ArchitecturesAnnotation] = "?" },
			want: `Keep DataImportCron a-arm64: UpToDate
LeaveAlone DataImportCron i-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "blocked: others are still cleaned up",
			before: []dictexpand.Template{template("x", "m", "amd64"), template("y", "n", "amd64")},
			change: func(w *world) { w.templates = []dictexpand.Template{template("x", "m", ",")} },
			want: `Delete DataSource n: Unused
Delete DataImportCron y-amd64: TemplateRemoved data Kept
LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "blocked: another cron may not take the DataSource meanwhile",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", ","), template("y", "m-amd64", "")}
			},
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataImportCron y: DataSourceTaken
LeaveAlone DataSource m: TemplateBlocked
`,
		},

		// Nothing is deleted while an architecture may be missing.
		{
			name:   "incomplete: a node that has no architecture yet",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.o.Architectures, w.o.ArchitecturesIncomplete = []string{"arm64"}, true },
			want: `LeaveAlone DataImportCron x-amd64: ArchitecturesIncomplete
Keep DataImportCron x-arm64: UpToDate
LeaveAlone DataSource m: ArchitecturesIncomplete
`,
		},
		{
			name:   "incomplete: neither a removed template nor a changed spec deletes anything",
			before: []dictexpand.Template{template("x", "m", "amd64"), template("y", "n", "")},
			change: func(w *world) {
				w.o.ArchitecturesIncomplete = true
				w.templates = w.templates[1:]
				w.templates[0].Spec.Schedule = "0 0 * * *"
			},
			want: `LeaveAlone DataImportCron x-amd64: ArchitecturesIncomplete
LeaveAlone DataImportCron y: ArchitecturesIncomplete
LeaveAlone DataSource m: ArchitecturesIncomplete
`,
		},
		{
			name:   "incomplete: what is missing is created, and labels are mended",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.o.ArchitecturesIncomplete = true
				w.templates[0].Annotations[dictexpand.ArchitecturesAnnotation] = "amd64,arm64"
				w.templates[0].Labels = map[string]string{"new": "label"}
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { metav1.SetMetaDataAnnotation(&ds.ObjectMeta, "a", "b") })
			},
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Create DataImportCron x-arm64: Missing
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "incomplete: switched on, the old cron goes on",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.o.ArchitecturesIncomplete = true
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: ArchitecturesIncomplete
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name:   "incomplete: switched on, and the DataSource is gone",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) {
				w.o.ArchitecturesIncomplete = true
				w.templates = []dictexpand.Template{template("x", "m", "amd64")}
				delete(w.dataSources, key(goldenImages, "m"))
			},
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: ArchitecturesIncomplete
LeaveAlone DataSource m: DataSourceTaken
`,
		},

		// What goes wrong upstream.
		{
			name:   "upstream: switching on and off again leaves no cron, no reference behind",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) {
				w.o.MultiArch = false
				w.apply(noFatal{}, w.plan())
				w.runCDI()
				w.o.MultiArch = true
			},
			want: `Update DataSource m: BecomesReference
Delete DataImportCron x: MultiArchSwitched data Kept
Create DataImportCron x-amd64: Missing
Create DataImportCron x-arm64: Missing
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(tc.before...)
			w.settle(t)
			tc.change(w)
			if diff := cmp.Diff(tc.want, all(w.plan())); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			// Whatever it is, CDI must take it.
			w.apply(t, w.plan())
			w.runCDI()
			w.apply(t, w.plan())
		})
	}
}

// noFatal is for steps that a table row takes before its plan; what is wrong with
// them shows in the plan.
type noFatal struct{}

func (noFatal) Helper()               {}
func (noFatal) Fatalf(string, ...any) {}

// With a zero Owner nothing that exists is the caller's.
func TestPlanWithoutOwner(t *testing.T) {
	w := newWorld(template("x", "m", "amd64"))
	w.o.Owner = dictexpand.Owner{}
	w.apply(t, w.plan())
	w.templates = []dictexpand.Template{template("y", "n", "")}
	want := `Create DataImportCron y: Missing
LeaveAlone DataImportCron x-amd64: NotOwned
`
	if diff := cmp.Diff(want, all(w.plan())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A created object carries the marks, which win over labels of the template.
func TestMarks(t *testing.T) {
	x := template("x", "m", "amd64")
	x.Labels = map[string]string{"app.kubernetes.io/managed-by": "me", "mine": "too"}
	w := newWorld(x)
	steps := w.plan()
	w.apply(t, steps)
	if s := writes(w.plan()); s != "" {
		t.Errorf("a second plan wants to:\n%s", s)
	}
	for _, s := range steps {
		var meta *metav1.ObjectMeta
		want := map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"}
		if s.Cron != nil {
			meta = &s.Cron.ObjectMeta
			want["mine"], want[dictexpand.ArchitectureLabel], want[dictexpand.DataSourceNameLabel] = "too", "amd64", "m"
		} else {
			meta = &s.DataSource.ObjectMeta
		}
		if diff := cmp.Diff(want, meta.Labels); diff != "" {
			t.Errorf("labels of %s %s, -want +got:\n%s", s.Kind, s.Name, diff)
		}
		if diff := cmp.Diff(map[string]string{"operator-sdk/primary-resource": "kubevirt/ssp"}, meta.Annotations); diff != "" {
			t.Errorf("annotations of %s %s, -want +got:\n%s", s.Kind, s.Name, diff)
		}
	}
}

// Switching on, the reference must survive the deletion of the cron whose data
// goes with it.
func TestCleanupLabelGoes(t *testing.T) {
	w := newWorld(retainNone(template("x", "m", "")))
	w.settle(t)
	if w.dataSources[key(goldenImages, "m")].Labels[dictexpand.DataImportCronCleanupLabel] != "true" {
		t.Fatal("the model does not do what CDI does")
	}
	w.templates = []dictexpand.Template{template("x", "m", "amd64")}
	w.apply(t, w.plan())
	ds, ok := w.dataSources[key(goldenImages, "m")]
	if !ok {
		t.Fatal("the reference went with the cron")
	}
	if len(ds.Labels) != 1 || ds.Spec.Source.DataSource == nil || ds.Spec.Source.PVC != nil {
		t.Errorf("reference with labels %v and source %+v", ds.Labels, ds.Spec.Source)
	}
}

// A step tells which object it was planned for.
func TestDeletesAreConditional(t *testing.T) {
	w := newWorld(template("x", "m", "amd64"))
	w.settle(t)
	w.editCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { c.ResourceVersion = "42" })
	w.templates = nil
	s := w.plan()[1]
	if s.Kind != dictexpand.KindDataImportCron || s.Verb != dictexpand.Delete || s.UID == "" || s.ResourceVersion != "42" {
		t.Errorf("step %+v", s)
	}
}

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

func TestWrites(t *testing.T) {
	for verb, want := range map[dictexpand.Verb]bool{
		dictexpand.Create: true, dictexpand.Relabel: true, dictexpand.Update: true, dictexpand.Delete: true,
		dictexpand.Keep: false, dictexpand.Wait: false, dictexpand.LeaveAlone: false, "": false,
	} {
		if got := (dictexpand.Step{Verb: verb}).Writes(); got != want {
			t.Errorf("Step{Verb: %q}.Writes() = %v", verb, got)
		}
	}
}
