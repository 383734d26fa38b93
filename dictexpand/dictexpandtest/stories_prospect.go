package dictexpandtest

import (
	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// prospectStories are about what cannot be made: nothing that works is taken away for it.
func prospectStories() []Story {
	return []Story{
		{
			Rule: "missing-target-is-not-led-to", Name: "somebody else's cron has the name of the architecture's",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.AddStranger("x-amd64", "other")
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x manages m
cron x-amd64 manages other
DataSource m has an image, updated by x
DataSource other has no image, updated by x-amd64
`,
		},
		{
			Rule: "missing-target-is-not-led-to", Name: "nothing exists, and nothing will",
			Change: func(w *World) {
				w.AddStranger("x-amd64", "other")
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x-amd64 manages other
DataSource other has no image, updated by x-amd64
`,
		},
		{
			Rule: "missing-is-created", Name: "the cron of the target is still being deleted",
			Before: []Template{TemplateOf("x", "n", "amd64")},
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
				w.Deleting("x-amd64")
			},
			Want: `cron x-amd64 manages m-amd64, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource n-amd64 has an image
`,
		},
		{
			Rule: "target-image-is-awaited", Name: "what the reference leads to works, and the other has no image yet",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Templates = []Template{TemplateOf("x", "m", "arm64")} },
			Want: `cron x-arm64 manages m-arm64, new
DataSource m leads to m-arm64
DataSource m-amd64 has an image
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "target-image-is-awaited", Name: "a reference that cannot go back to a cron still leads to the DataSource",
			Before: []Template{TemplateOf("x", "m", "amd64"), TemplateOf("y", "n", "arm64")},
			Change: func(w *World) {
				w.AddStranger("s", "m")
				delete(w.Crons, Key(GoldenImages, "x-amd64"))
				w.Templates = []Template{TemplateOf("x", "m", ""), TemplateOf("y", "m-amd64", "arm64")}
				_ = w.Reconcile()
				w.Run()
			},
			Want: `cron s manages m
cron y-arm64 manages m-amd64-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image
DataSource m-amd64-arm64 has an image, updated by y-arm64
DataSource n-arm64 has an image
`,
		},
		{
			Rule: "reference-is-awaited", Name: "the reference is to lead to a user's own image",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) {
				w.Templates = []Template{RetainNone(TemplateOf("x", "m", "amd64"))}
				w.AddOwnImage("m-amd64")
			},
			Want: `DataSource m leads to m-amd64
DataSource m-amd64 has an image
`,
		},
		{
			Rule: "led-to-is-kept", Name: "the reference is to lead from one architecture to a user's own image",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) {
				w.Templates = []Template{RetainNone(TemplateOf("x", "m", "arm64"))}
				w.AddOwnImage("m-arm64")
			},
			Want: `DataSource m leads to m-arm64
DataSource m-arm64 has an image
`,
		},
		{
			Rule: "redirected", Name: "what the reference leads to does not exist",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("x", "m", "arm64")}
				delete(w.DataSources, Key(GoldenImages, "m-amd64"))
			},
			Want: `cron x-arm64 manages m-arm64, new
DataSource m leads to m-arm64
DataSource m-amd64 has an image
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "blocked-sharer-keeps-the-image", Name: "a blocked template shares a reference that dangles",
			Before: []Template{TemplateOf("a", "m", "arm64"), TemplateOf("i", "m", "amd64")},
			Change: func(w *World) {
				w.Templates[1].Annotations[annotationArchitectures] = "?"
				delete(w.DataSources, Key(GoldenImages, "m-amd64"))
			},
			Want: `cron a-arm64 manages m-arm64
cron i-amd64 manages m-amd64
DataSource m leads to m-arm64
DataSource m-amd64 has an image, updated by i-amd64
DataSource m-arm64 has an image, updated by a-arm64
`,
		},
		{
			Rule: "others-reference-stays", Name: "somebody else made the DataSource a reference",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) {
					ds.Labels = nil
					ds.Spec.Source = cdiv1beta1.DataSourceSource{DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: GoldenImages, Name: "mine"}}
				})
			},
			Want: `cron x manages m
DataSource m leads to mine, which has no image
`,
		},
		{
			Rule: "label-names-the-cron", Name: "the label names a cron that manages something else",
			Before: []Template{TemplateOf("x", "m", ""), TemplateOf("y", "n", "")},
			Change: func(w *World) {
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels[cronLabel] = "y" })
			},
			Want: `cron x manages m
cron y manages n
DataSource m has an image, updated by x
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "label-names-the-cron", Name: "somebody else's cron manages it too, and the label is nobody's",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.AddStranger("s", "m")
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) { delete(ds.Labels, cronLabel) })
			},
			Want: `cron s manages m
cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "taken-is-not-labeled", Name: "the label is that of somebody else's cron",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.AddStranger("s", "m")
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) { ds.Labels[cronLabel] = "s" })
			},
			Want: `cron s manages m
cron x manages m
DataSource m has an image, updated by s
`,
		},
	}
}
