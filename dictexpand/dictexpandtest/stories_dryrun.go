package dictexpandtest

import (
	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// policy is a schedule that only the API server can judge.
const policy = "13 13 * * *"

// refusePolicy has the API server refuse it.
func refusePolicy(w *World) {
	w.Refuses = func(c cdiv1beta1.DataImportCron) string {
		if c.Spec.Schedule == policy {
			return "policy"
		}
		return Webhook(c)
	}
}

// dryRunStories are about specs that may not be had, and about the marks of the operator.
func dryRunStories() []Story {
	return []Story{
		{
			Rule: "refused-spec-keeps-the-cron", Name: "a schedule that the API server refuses",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64")), TemplateOf("y", "n", "")},
			Change: func(w *World) {
				refusePolicy(w)
				w.Templates[0].Spec.Schedule, w.Templates[1].Spec.Schedule = policy, "1 1 * * *"
			},
			Want: `cron x-amd64 manages m-amd64
cron y manages n, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "blocked-crons-stay", Name: "a schedule that is none",
			Before: []Template{RetainNone(TemplateOf("x", "m", "")), TemplateOf("y", "n", "")},
			Change: func(w *World) { w.Templates[0].Spec.Schedule = "whenever" },
			Want: `cron x manages m
cron y manages n
DataSource m has an image, updated by x
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "refused-spec-keeps-the-cron", Name: "and then it is taken back",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) { refusePolicy(w); w.Templates[0].Spec.Schedule = policy },
			Later:  func(w *World) { w.Templates[0].Spec.Schedule = "1 1 * * *" },
			Want: `cron x manages m, made anew
DataSource m has an image, updated by x
`,
		},
		{
			Rule: "no-answer-holds-all", Name: "nobody knows whether the new spec can be had",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64"))},
			Change: func(w *World) { w.NoAnswer = true; w.Templates[0].Spec.Schedule = "1 1 * * *" },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "no-answer-holds-all", Name: "and then somebody does",
			Before: []Template{TemplateOf("x", "m", "amd64")},
			Change: func(w *World) { w.NoAnswer = true; w.Templates[0].Spec.Schedule = "1 1 * * *" },
			Later:  func(w *World) { w.NoAnswer = false },
			Want: `cron x-amd64 manages m-amd64, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
		{
			Rule: "marks-tell-the-owner", Name: "they are set, and win over the labels of the template",
			Change: func(w *World) {
				x := TemplateOf("x", "m", "amd64")
				x.Labels = map[string]string{"app.kubernetes.io/managed-by": "me", "mine": "too"}
				w.Templates = []Template{x}
				_ = w.Reconcile()
				// What was made is known by its marks now.
				w.Templates = nil
			},
			Want: "",
		},
		{
			Rule: "marks-tell-the-owner", Name: "an operator without marks owns nothing",
			Prepare: func(w *World) { w.Cluster.Labels, w.Cluster.Annotations = nil, nil },
			Before:  []Template{TemplateOf("x", "m", "amd64")},
			Change:  func(w *World) { w.Templates = []Template{TemplateOf("y", "n", "")} },
			Want: `cron x-amd64 manages m-amd64
cron y manages n, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource n has an image, updated by y
`,
		},
		{
			Rule: "label-names-the-cron", Name: "the label for cleanup goes with that of the old cron",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) {
				w.Templates = []Template{TemplateOf("a", "m", "")}
				_ = w.Reconcile()
				w.Run()
				_ = w.Reconcile()
				w.NewImages("m")
				w.Run()
				_ = w.Reconcile()
			},
			Later: func(w *World) { w.Templates = nil },
			Want: `DataSource m has an image
`,
		},
		{
			Rule: "held-spec-stays", Name: "the cron for the default architecture stays for the one that left",
			Prepare: func(w *World) { w.Cluster.Made = map[string][]string{"m": {"amd64", "arm64"}} },
			Before:  one("x", "m", ""),
			Change:  func(w *World) { amd64Left(&w.Cluster) },
			Want: `cron x manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x
`,
		},
		{
			Rule: "held-crons-stay", Name: "what is held no longer is deleted",
			Before: one("x", "m", "amd64,arm64"),
			Change: func(w *World) { amd64Left(&w.Cluster) },
			Later:  func(w *World) { w.Cluster.Held = []string{"arm64"} },
			Want: `cron x-arm64 manages m-arm64
DataSource m leads to m-arm64
DataSource m-amd64 has an image
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "made-by-cdi-is-ours", Name: "the reference survives the deletion of the cron whose data goes",
			Before: []Template{RetainNone(TemplateOf("x", "m", ""))},
			Change: func(w *World) { w.Templates = []Template{TemplateOf("x", "m", "amd64")} },
			Want: `cron x-amd64 manages m-amd64, new
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
`,
		},
	}
}
