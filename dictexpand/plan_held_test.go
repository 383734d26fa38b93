package dictexpand_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// Nothing of a blocked template is deleted.
func TestPlanBlockedTemplates(t *testing.T) {
	testPlan(t, []planRow{
		{
			name:   "42,45,102: a typo in the annotation",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.templates[0].Annotations[dictexpand.AnnotationArchitectures] = "adm64" },
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataImportCron x-arm64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "42,45: a second template for the DataSource of a live cron",
			before: []dictexpand.Template{template("x", "m", "")},
			change: func(w *world) { w.templates = append(w.templates, template("y", "m", "")) },
			want:   "LeaveAlone DataImportCron x: TemplateBlocked\n",
		},
		{
			name:   "42,45: the template lost its name, and the DataSource tells",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) { w.templates[0].Name = "" },
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "45,58,104: a template of the same name in another namespace is sound",
			before: []dictexpand.Template{template("x", "m", "amd64"), inNamespace("custom", template("x", "n", ""))},
			change: func(w *world) { w.templates[0] = template("x", "changed", ",") },
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name:   "28,42,45: a mistake beside a template of the name of a live cron",
			before: []dictexpand.Template{retainNone(template("x", "m", "amd64"))},
			change: func(w *world) {
				w.templates = []dictexpand.Template{retainNone(template("x", "m", "adm64")), template("x-amd64", "n", "")}
			},
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "42: nothing but the label tells the architecture",
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
			name:   "42: somebody removed the label of the architecture too",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.editCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, dictexpand.LabelArchitecture) })
				w.templates[0].Annotations[dictexpand.AnnotationArchitectures] = ","
			},
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "45,85: one of two templates that share a reference",
			before: []dictexpand.Template{template("a", "m", "arm64"), template("i", "m", "amd64")},
			change: func(w *world) { w.templates[1].Annotations[dictexpand.AnnotationArchitectures] = "?" },
			want: `Keep DataImportCron a-arm64: UpToDate
LeaveAlone DataImportCron i-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "45,50,105: others are still cleaned up",
			before: []dictexpand.Template{template("x", "m", "amd64"), template("y", "n", "amd64")},
			change: func(w *world) { w.templates = []dictexpand.Template{template("x", "m", ",")} },
			want: `Delete DataSource n: Unused
Delete DataImportCron y-amd64: TemplateRemoved data Kept
LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name:   "45,60: another cron may not take the DataSource meanwhile",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", ","), template("y", "m-amd64", "")}
			},
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataImportCron y: DataSourceTaken
LeaveAlone DataSource m: TemplateBlocked
LeaveAlone DataSource m-amd64: DataSourceTaken
`,
		},
	})
}

// Nothing is deleted while an architecture may be missing.
func TestPlanIncompleteArchitectures(t *testing.T) {
	testPlan(t, []planRow{
		{
			name:   "46,86: a node has no architecture yet",
			before: []dictexpand.Template{template("x", "m", "amd64,arm64")},
			change: func(w *world) { w.o.Architectures, w.o.ArchitecturesIncomplete = []string{"arm64"}, true },
			want: `LeaveAlone DataImportCron x-amd64: ArchitecturesIncomplete
Keep DataImportCron x-arm64: UpToDate
LeaveAlone DataSource m: ArchitecturesIncomplete
`,
		},
		{
			name:   "46,52,103: neither a removed template nor a changed spec deletes anything",
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
			name:   "59,61: what is missing is created, and labels are mended",
			before: []dictexpand.Template{template("x", "m", "amd64")},
			change: func(w *world) {
				w.o.ArchitecturesIncomplete = true
				w.templates[0].Annotations[dictexpand.AnnotationArchitectures] = "amd64,arm64"
				w.templates[0].Labels = map[string]string{"new": "label"}
				w.editDataSource("m", func(ds *cdiv1beta1.DataSource) { metav1.SetMetaDataAnnotation(&ds.ObjectMeta, "a", "b") })
			},
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Create DataImportCron x-arm64: Missing
Keep DataSource m: UpToDate
`,
		},
		{
			name:   "46,84: switched on, the old cron goes on",
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
			name:   "46,77: switched on, and the DataSource is gone",
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
	})
}
