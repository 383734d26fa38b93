package dictexpand_test

import (
	"testing"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// Nothing of a blocked template is deleted.
func TestPlanBlockedTemplates(t *testing.T) {
	testPlan(t, []planRow{
		{
			name: "42,45,102: a typo in the annotation",
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataImportCron x-arm64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "42,45: a second template for the DataSource of a live cron",
			want: "LeaveAlone DataImportCron x: TemplateBlocked\n",
		},
		{
			name: "42,45: the template lost its name, and the DataSource tells",
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "45,58,104: a template of the same name in another namespace is sound",
			want: `Keep DataImportCron x: UpToDate
LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "28,42,45: a mistake beside a template of the name of a live cron",
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "42: nothing but the label tells the architecture",
			want: `LeaveAlone DataImportCron x-riscv64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "42: somebody removed the label of the architecture too",
			want: `LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "42: the removed label named an architecture that only the held ones name",
			change: func(w *world) {
				w.templates = []dictexpand.Template{template("x", "m", "riscv64")}
				w.o.Supported, w.o.Architectures = nil, []string{"riscv64"}
				w.settle(t)
				w.o.Architectures, w.o.HeldArchitectures = nil, []string{"riscv64"}
				w.editCron("x-riscv64", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, dictexpand.LabelArchitecture) })
			},
			want: `LeaveAlone DataImportCron x-riscv64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "45,85: one of two templates that share a reference",
			want: `Keep DataImportCron a-arm64: UpToDate
LeaveAlone DataImportCron i-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "45,50,105: others are still cleaned up",
			want: `Delete DataSource n: Unused
Delete DataImportCron y-amd64: TemplateRemoved data Kept
LeaveAlone DataImportCron x-amd64: TemplateBlocked
LeaveAlone DataSource m: TemplateBlocked
`,
		},
		{
			name: "45,60: another cron may not take the DataSource meanwhile",
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
			name: "46,86: a node has no architecture yet",
			want: `LeaveAlone DataImportCron x-amd64: ArchitecturesIncomplete
Keep DataImportCron x-arm64: UpToDate
LeaveAlone DataSource m: ArchitecturesIncomplete
`,
		},
		{
			name: "46,52,103: neither a removed template nor a changed spec deletes anything",
			want: `LeaveAlone DataImportCron x-amd64: ArchitecturesIncomplete
LeaveAlone DataImportCron y: ArchitecturesIncomplete
LeaveAlone DataSource m: ArchitecturesIncomplete
`,
		},
		{
			name: "59,61: what is missing is created, and labels are mended",
			want: `Relabel DataImportCron x-amd64: MetadataChanged
Create DataImportCron x-arm64: Missing
Keep DataSource m: UpToDate
`,
		},
		{
			name: "46,84: switched on, the old cron goes on",
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: ArchitecturesIncomplete
LeaveAlone DataSource m: DataSourceTaken
`,
		},
		{
			name: "46,77: switched on, and the DataSource is gone",
			want: `Create DataImportCron x-amd64: Missing
LeaveAlone DataImportCron x: ArchitecturesIncomplete
LeaveAlone DataSource m: DataSourceTaken
`,
		},
	})
}
