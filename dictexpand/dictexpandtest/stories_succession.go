package dictexpandtest

import (
	"strings"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// successionStories are about what works and goes only when what takes its place works.
func successionStories() []Story {
	return []Story{
		{
			Rule: "takeover-is-awaited", Name: "a renamed template",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.Templates[0].Name = "a" },
			Want: `cron a manages m, new
DataSource m has an image, updated by a
`,
		},
		{
			Rule: "takeover-is-awaited", Name: "a renamed template whose images go with the old cron",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) { w.Templates[0].Name = "a" },
			Later:  func(w *World) { w.NewImages("m") },
			Want: `cron a manages m, new
DataSource m has an image, updated by a
`,
		},
		{
			Rule: "takeover-is-awaited", Name: "the same image: its DataVolume is still the old cron's, which stays until there is another",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) { w.Templates[0].Name = "a" },
			Want: `cron a manages m, new
cron x manages m
DataSource m has an image, updated by a
`,
		},
		{
			Rule: "takeover-is-awaited", Name: "CDI refuses the cron of the new name, and the old one stays",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) {
				w.Templates[0].Name = "a"
				w.Refuses = func(c cdiv1beta1.DataImportCron) string { return strings.TrimPrefix(c.Name, "x") }
			},
			Want: `cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "takeover-is-awaited", Name: "renamed with an annotation, each architecture for itself",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) { w.Templates[0].Name = "a" },
			Later:  func(w *World) { w.NewImages("m") },
			Want: `cron a-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by a-amd64
`,
		},
		{
			Rule: "takeover-is-awaited", Name: "what a cron imported before it was made anew for another DataSource",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) {
				w.Templates[0].Spec.ManagedDataSource = "o"
				_ = w.Reconcile()
				w.Run()
				w.Templates = []Template{RetainNone(TemplateOf("a", "m", "amd64"))}
			},
			Later: func(w *World) { w.NewImages("m") },
			Want: `cron a-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by a-amd64
`,
		},
		{
			Rule: "reference-is-awaited", Name: "a template gains its annotation",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) { w.Templates = []Template{RetainNone(TemplateOf("x", "m", "amd64,arm64"))} },
			Want: `cron x-amd64 manages m-amd64, new
cron x-arm64 manages m-arm64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "reference-is-awaited", Name: "the image of the architecture cannot be imported, and the old cron stays",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) {
				w.Templates = []Template{RetainNone(TemplateOf("x", "m", "amd64"))}
				w.Images["docker://quay.io/containerdisks/m amd64"] = ""
			},
			Want: `cron x manages m
cron x-amd64 manages m-amd64, new
DataSource m has an image, updated by x
DataSource m-amd64 has no image, updated by x-amd64
`,
		},
		{
			Rule: "reference-is-awaited", Name: "renamed and annotated at once",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.Templates = []Template{TemplateOf("a", "m", "arm64")} },
			Want: `cron a-arm64 manages m-arm64, new
DataSource m leads to m-arm64
DataSource m-arm64 has an image, updated by a-arm64
`,
		},
		{
			Rule: "led-to-is-kept", Name: "switched off, what the DataSource leads to stays until it has an image of its own",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64,arm64"))},
			Change: func(w *World) { w.Cluster.MultiArch = false },
			Want: `cron x manages m, new
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "led-to-is-kept", Name: "the default architecture leaves the annotation",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64,arm64"))},
			Change: func(w *World) { w.Templates = []Template{RetainNone(TemplateOf("x", "m", "arm64"))} },
			Want: `cron x-arm64 manages m-arm64
DataSource m leads to m-arm64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "led-to-is-kept", Name: "one architecture takes the place of another",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) { w.Templates = []Template{RetainNone(TemplateOf("x", "m", "arm64"))} },
			Want: `cron x-arm64 manages m-arm64, new
DataSource m leads to m-arm64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "replacement-is-awaited", Name: "switched off, and CDI refuses the one cron: those of the architectures stay",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64,arm64"))},
			Change: func(w *World) {
				w.Cluster.MultiArch = false
				w.Refuses = func(c cdiv1beta1.DataImportCron) string { return strings.TrimPrefix("x", c.Name) + "no" }
			},
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "no-endless-waiting", Name: "two crons exchange their DataSources, and CDI leaves no way but through the deletion",
			Before: []Template{TemplateOf("x", "m", ""), TemplateOf("y", "n", "")},
			Change: func(w *World) {
				w.Templates[0].Spec.ManagedDataSource, w.Templates[1].Spec.ManagedDataSource = "n", "m"
			},
			Want: `cron x manages n, made anew
cron y manages m, made anew
DataSource m has an image, updated by y
DataSource n has an image, updated by x
`,
		},
		{
			Rule: "no-endless-waiting", Name: "a chain has an end: each waits for the next",
			Before: []Template{TemplateOf("x", "m", ""), TemplateOf("y", "n", "")},
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("x", "n", ""), TemplateOf("y", "o", ""), TemplateOf("z", "m", "")}
			},
			Want: `cron x manages n, made anew
cron y manages o, made anew
cron z manages m, new
DataSource m has an image, updated by z
DataSource n has an image, updated by x
DataSource o has an image, updated by y
`,
		},
		{
			Rule: "no-endless-waiting", Name: "the replacement has the name of the old cron",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Cluster.Made = map[string][]string{"m": {"amd64"}}
			},
			Want: `cron x manages m-amd64, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x
`,
		},
		{
			Rule: "label-names-the-cron", Name: "somebody takes the label away",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) { delete(ds.Labels, cronLabel) })
			},
			Want: `cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "label-names-the-cron", Name: "the template that the DataSource was of is gone, and another one names it",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Templates = nil
				_ = w.Reconcile()
				w.Run()
				w.Templates = []Template{TemplateOf("a", "m", "")}
			},
			Want: `cron a manages m, new
DataSource m has an image, updated by a
`,
		},
		{
			Rule: "made-by-cdi-is-ours", Name: "the template that the DataSource was of is gone, and another one makes it a reference",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Templates = nil
				_ = w.Reconcile()
				w.Run()
				w.Templates = []Template{TemplateOf("a", "m", "amd64")}
			},
			Want: `cron a-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by a-amd64
`,
		},
		{
			Rule: "made-by-cdi-is-ours", Name: "a DataSource that lost its label, and its image has one",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) { delete(ds.Labels, cronLabel) })
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
	}
}
