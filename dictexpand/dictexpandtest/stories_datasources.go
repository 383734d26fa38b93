package dictexpandtest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// dataSourceStories are about DataSources that are, were or become references.
func dataSourceStories() []Story {
	return []Story{
		{
			Rule: "switched-cron-goes", Name: "switched on, the DataSource becomes a reference",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("x", "m", "amd64,arm64")}
			},
			Want: `cron x-amd64 manages m-amd64, new
cron x-arm64 manages m-arm64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "switched-cron-goes", Name: "switched off, the DataSource is the cron's again",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Cluster.MultiArch = false },
			Want: `cron x manages m, new
DataSource m has an image, updated by x
DataSource m-amd64 has an image
DataSource m-arm64 has an image
`,
		},
		{
			Rule: "missing-is-created", Name: "a reference is being deleted",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Deleting("m") },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "unused-reference-goes", Name: "a reference that nothing needs is being deleted",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Templates = nil; w.Deleting("m") },
			Want: `DataSource m-amd64 has an image
`,
		},
		{
			Rule: "missing-is-created", Name: "a DataSource that was a reference is being deleted",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Cluster.MultiArch = false; w.Deleting("m") },
			Want: `cron x manages m, new
DataSource m has an image, updated by x
DataSource m-amd64 has an image
`,
		},
		{
			Rule: "replacement-is-awaited", Name: "switched off, and somebody else's cron has the name",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.Cluster.MultiArch = false
				w.AddStranger("x", "other")
			},
			Want: `cron x manages other
cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource other has no image, updated by x
`,
		},
		{
			Rule: "replacement-is-awaited", Name: "switched off, and somebody else's cron manages the DataSource",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.Cluster.MultiArch = false
				w.AddStranger("stranger", "m")
			},
			Want: `cron stranger manages m
cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "others-data-source-stays", Name: "somebody else's DataSource, without a cron",
			Change: func(w *World) {
				w.AddDataSource(cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: GoldenImages, Name: "m"}})
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x-amd64 manages m-amd64, new
DataSource m has no image
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "others-data-source-stays", Name: "the DataSource of somebody else's cron",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.GiveAway("x")
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, cronLabel, "x")
				})
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x manages m
cron x-amd64 manages m-amd64, new
DataSource m has an image, updated by x
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "no-other-data-source-is-touched", Name: "somebody else's reference that nothing needs",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.GiveAway("m"); w.Templates = nil },
			Want: `DataSource m leads to m-amd64
DataSource m-amd64 has an image
`,
		},
		{
			Rule: "no-other-data-source-is-touched", Name: "references that the caller makes for DataSources without a template",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.Templates = nil
				w.Cluster.Made = map[string][]string{"m": {"amd64"}}
			},
			Want: `DataSource m leads to m-amd64
DataSource m-amd64 has an image
`,
		},
		{
			Rule: "made-by-cdi-is-ours", Name: "the cron of the DataSource is gone",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				delete(w.Crons, Key(GoldenImages, "x"))
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "made-by-cdi-is-ours", Name: "the cron of the DataSource is gone and had the name of no template",
			Before: []Template{TemplateOf("other", "m", "")},
			Change: func(w *World) {
				delete(w.Crons, Key(GoldenImages, "other"))
				w.Templates = []Template{TemplateOf("x", "m", "amd64")}
			},
			Want: `cron x-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "redirected", Name: "somebody redirected the reference",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) {
					ds.Spec.Source.DataSource = &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: "elsewhere", Name: "m"}
				})
			},
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "cron-labels-go", Name: "somebody put the label of a cron on the reference",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.EditDataSource("m", func(ds *cdiv1beta1.DataSource) {
					metav1.SetMetaDataLabel(&ds.ObjectMeta, cronLabel, "x")
				})
			},
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "cron-labels-go", Name: "switched on, off and on again, nothing is left over",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) {
				w.Cluster.MultiArch = false
				_ = w.Reconcile()
				w.Run()
				w.Cluster.MultiArch = true
			},
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
	}
}
