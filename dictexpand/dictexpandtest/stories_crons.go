package dictexpandtest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// cronStories are about the crons that should exist, and those that should not.
func cronStories() []Story {
	return []Story{
		{
			Rule: "missing-is-created", Name: "nothing exists",
			Change: func(w *World) { w.Templates = []Template{TemplateOf("x", "m", "amd64,arm64")} },
			Want: `cron x-amd64 manages m-amd64, new
cron x-arm64 manages m-arm64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "nothing-to-do", Name: "nothing changed",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64"), TemplateOf("y", "n", "")},
			Change: func(*World) {},
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
cron y manages n
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "pruned-metadata-does-not-count", Name: "the CRD prunes the metadata of the DataVolume",
			Before: []Template{FullTemplate()},
			Change: func(*World) {},
			Want: `cron rhel10-image-cron-amd64 manages rhel10-amd64
cron rhel10-image-cron-arm64 manages rhel10-arm64
DataSource rhel10 leads to rhel10-amd64
DataSource rhel10-amd64 has an image, updated by rhel10-image-cron-amd64
DataSource rhel10-arm64 has an image, updated by rhel10-image-cron-arm64
`,
		},
		{
			Rule: "others-metadata-stays", Name: "CDI's annotations and the labels of others do not matter",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.EditCron("x", func(c *cdiv1beta1.DataImportCron) {
					metav1.SetMetaDataAnnotation(&c.ObjectMeta, "cdi.kubevirt.io/storage.import.lastCronTime", "now")
					metav1.SetMetaDataLabel(&c.ObjectMeta, "team", "a")
				})
			},
			Want: `cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "changed-spec-is-a-new-cron", Name: "the spec changed",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Templates[0].Spec.Schedule = "0 0 * * *" },
			Want: `cron x-amd64 manages m-amd64, made anew
cron x-arm64 manages m-arm64, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "lost-metadata-is-mended", Name: "a label of the template changed",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Templates[0].Labels = map[string]string{"new": "label"} },
			Want: `cron x-amd64 manages m-amd64, with the label new=label
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "lost-metadata-is-mended", Name: "an annotation of the template changed",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Templates[0].Annotations["new"] = "annotation" },
			Want: `cron x-amd64 manages m-amd64, with the annotation new=annotation
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "lost-metadata-is-mended", Name: "somebody removed the label of the architecture",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) {
				w.EditCron("x-amd64", func(c *cdiv1beta1.DataImportCron) { delete(c.Labels, labelArchitecture) })
			},
			Want: `cron x-amd64 manages m-amd64, with the label template.kubevirt.io/architecture=amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "redirected", Name: "an architecture left the annotation, and the rest stays",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Templates[0].Annotations[annotationArchitectures] = "arm64" },
			Want: `cron x-arm64 manages m-arm64
DataSource m leads to m-arm64
DataSource m-amd64 has an image
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "removed-architecture-goes", Name: "an architecture left the cluster",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Cluster.Architectures = []string{"amd64"} },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image
`,
		},
		{
			Rule: "removed-template-goes", Name: "the template was removed",
			Before: []Template{TemplateOf("x", "m", "amd64"), TemplateOf("y", "n", "")},
			Change: func(w *World) { w.Templates = w.Templates[1:] },
			Want: `cron y manages n
DataSource m-amd64 has an image
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "removed-template-goes", Name: "retentionPolicy None takes the imported data along",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) { w.Templates = nil },
			Want:   "",
		},
		{
			Rule: "removed-template-goes", Name: "data imported under retentionPolicy None goes along under another policy",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) {
				w.EditCron("x", func(c *cdiv1beta1.DataImportCron) { c.Spec.RetentionPolicy = nil })
				w.Templates = nil
			},
			Want: "",
		},
		{
			Rule: "own-image-ends-its-cron", Name: "the DataSource points to a user's own image now",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) {
				delete(w.DataSources, Key(GoldenImages, "m-amd64"))
				w.AddOwnImage("m-amd64")
			},
			Want: `cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "missing-is-created", Name: "a cron that should exist is being deleted",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.Deleting("x-amd64") },
			Want: `cron x-amd64 manages m-amd64, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "nothing-to-do", Name: "a cron that should not exist is being deleted",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.Templates = nil; w.Deleting("x") },
			Want: `DataSource m has an image
`,
		},
		{
			Rule: "taken-makes-no-cron", Name: "the DataSource of a new cron is still that of one that is being deleted",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.Templates[0].Name = "a"; w.Deleting("x") },
			Want: `cron a manages m, new
DataSource m has an image, updated by a
`,
		},
		{
			Rule: "others-crons-stay", Name: "somebody else's cron has a name that should exist",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.GiveAway("x-amd64"); w.Templates[0].Spec.Schedule = "0 0 * * *" },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "others-crons-stay", Name: "somebody else's cron has a name that should not exist",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.GiveAway("x"); w.Templates = nil },
			Want: `cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "taken-makes-no-cron", Name: "the DataSource of a new cron is that of somebody else's cron",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) { w.GiveAway("x"); w.Templates[0].Name = "a" },
			Want: `cron x manages m
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "taken-makes-no-cron", Name: "two crons manage the DataSource of a new one, and the second of them is being deleted",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Templates[0].Name = "a"
				w.AddStranger("b", "m")
				w.Deleting("x")
			},
			Want: `cron b manages m
DataSource m has an image
`,
			Old: `cron b manages m
DataSource m has an image, updated by b
`,
		},
		{
			Rule: "taken-makes-no-cron", Name: "two crons manage the DataSource of a new one, and the first of them is being deleted",
			Before: []Template{TemplateOf("x", "m", "")},
			Change: func(w *World) {
				w.Templates[0].Name = "a"
				w.AddStranger("z", "m")
				w.Deleting("x")
			},
			Want: `cron z manages m
DataSource m has an image
`,
			Old: `cron z manages m
DataSource m has an image, updated by z
`,
		},
		{
			Rule: "taken-keeps-the-cron", Name: "a cron that would be replaced stays, and keeps its DataSource from a third",
			Before: []Template{TemplateOf("x", "m", ""), TemplateOf("y", "n", ""), TemplateOf("z", "o", "")},
			Change: func(w *World) {
				w.GiveAway("z")
				w.Templates = []Template{TemplateOf("x", "n", ""), TemplateOf("y", "o", ""), TemplateOf("new", "m", "")}
			},
			Want: `cron x manages m
cron y manages n
cron z manages o
DataSource m has an image, updated by x
DataSource n has an image, updated by y
DataSource o has an image, updated by z
`,
		},
	}
}
