package dictexpandtest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// blockedStories are about templates with mistakes, and nodes without an architecture.
func blockedStories() []Story {
	return []Story{
		{
			Rule: "blocked-crons-stay", Name: "a typo in the annotation",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Templates[0].Annotations[annotationArchitectures] = "adm64" },
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "blocked-crons-stay", Name: "a second template for the DataSource of a live cron",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.Templates = append(w.Templates, TemplateOf("y", "m", "")) },
			Want: `cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "blocked-by-name", Name: "the template lost its name, and the DataSource tells",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Templates[0].Name = "" },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "blocked-crons-stay", Name: "a template of the same name in another namespace is sound",
			Before: []Template{TemplateOf("x", "m", "amd64"), inNamespace("custom", TemplateOf("x", "n", ""))},
			Change: func(w *World) { w.Templates[0] = TemplateOf("x", "changed", ",") },
			Want: `cron custom/x manages n
cron x-amd64 manages m-amd64
DataSource custom/n has an image, updated by x
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "blocked-claims-its-names", Name: "a mistake beside a template of the name of a live cron",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) {
				w.Templates = []Template{RetainNone(TemplateOf("x", "m", "adm64")), TemplateOf("x-amd64", "n", "")}
			},
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "blocked-by-name", Name: "nothing but the label tells the architecture",
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("x", "m", "riscv64")}
				w.Cluster.Supported, w.Cluster.Architectures = nil, []string{"riscv64"}
				_ = w.Reconcile()
				w.Cluster.Architectures = nil
			},
			Want: `cron x-riscv64 manages m-riscv64
DataSource m leads to m-riscv64
DataSource m-riscv64 has an image, updated by x-riscv64
`,
		},
		{
			Rule: "blocked-by-name", Name: "somebody removed the label of the architecture too",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.EditCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, labelArchitecture) })
				w.Templates[0].Annotations[annotationArchitectures] = ","
			},
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "blocked-sharer-keeps-the-image", Name: "one of two templates that share a reference",
			Before: []Template{TemplateOf("a", "m", "arm64"), TemplateOf("i", "m", "amd64")},
			Change: func(w *World) { w.Templates[1].Annotations[annotationArchitectures] = "?" },
			Want: `cron a-arm64 manages m-arm64
cron i-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by i-amd64
DataSource m-arm64 has an image, updated by a-arm64
`,
		},
		{
			Rule: "blocked-crons-stay", Name: "others are still cleaned up",
			Before: []Template{TemplateOf("x", "m", "amd64"), TemplateOf("y", "n", "amd64")},
			Change: func(w *World) { w.Templates = []Template{TemplateOf("x", "m", ",")} },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource n-amd64 has an image
`,
		},
		{
			Rule: "blocked-crons-stay", Name: "another cron may not take the DataSource meanwhile",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("x", "m", ","), TemplateOf("y", "m-amd64", "")}
			},
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "frozen-deletes-nothing", Name: "a node has no architecture yet",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Cluster.Architectures, w.Cluster.Incomplete = []string{"arm64"}, true },
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "frozen-deletes-nothing", Name: "neither a removed template nor a changed spec deletes anything",
			Before: []Template{TemplateOf("x", "m", "amd64"), TemplateOf("y", "n", "")},
			Change: func(w *World) {
				w.Cluster.Incomplete = true
				w.Templates = w.Templates[1:]
				w.Templates[0].Spec.Schedule = "0 0 * * *"
			},
			Want: `cron x-amd64 manages m-amd64
cron y manages n
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "frozen-deletes-nothing", Name: "what is missing is created, and labels are mended",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.Cluster.Incomplete = true
				w.Templates[0].Annotations[annotationArchitectures] = "amd64,arm64"
				w.Templates[0].Labels = map[string]string{"new": "label"}
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) { metav1.SetMetaDataAnnotation(&ds.ObjectMeta, "a", "b") })
			},
			Want: `cron x-amd64 manages m-amd64, with the label new=label
cron x-arm64 manages m-arm64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "frozen-deletes-nothing", Name: "switched on, the old cron goes on",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Cluster.Incomplete = true
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x manages m
cron x-amd64 manages m-amd64, new
DataSource m has an image, updated by x
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "frozen-deletes-nothing", Name: "switched on, and the DataSource is gone",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Cluster.Incomplete = true
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
				delete(w.DataSources, Key(GoldenImages, "m"))
			},
			Want: `cron x manages m
cron x-amd64 manages m-amd64, new
DataSource m has an image, updated by x
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
	}
}
