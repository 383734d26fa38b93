package dictexpandtest

import ()

// heldStories are about architectures that left the cluster and are held, and about typos.
func heldStories() []Story {
	return []Story{
		{
			Rule: "held-crons-stay", Name: "a node set scaled to zero deletes and redirects nothing",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64,arm64"))},
			Change: func(w *World) { amd64Left(&w.Cluster) },
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "removed-architecture-goes", Name: "the architecture left the annotation too, and that was meant",
			Before: []Template{TemplateOf("x", "m", "arm64"), TemplateOf("y", "n", "arm64,amd64")},
			Change: func(w *World) { w.Templates[1] = TemplateOf("y", "n", "arm64"); amd64Left(&w.Cluster) },
			Want: `cron x-arm64 manages m-arm64
cron y-arm64 manages n-arm64
DataSource m leads to m-arm64
DataSource m-arm64 has an image, updated by x-arm64
DataSource n leads to n-arm64
DataSource n-amd64 has an image
DataSource n-arm64 has an image, updated by y-arm64
`,
		},
		{
			Rule: "unclear-keeps-its-crons", Name: "a typo in one of several architectures",
			Before: []Template{RetainNone(TemplateOf("x", "m", "amd64,arm64"))},
			Change: func(w *World) { w.Templates = []Template{RetainNone(TemplateOf("x", "m", "amd64,amr64"))} },
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "unclear-keeps-its-crons", Name: "an alias instead of one of several architectures",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Templates[0].Annotations[annotationArchitectures] = "x86_64,arm64" },
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64
DataSource m leads to m-arm64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
		{
			Rule: "removed-architecture-goes", Name: "an architecture that is known, and that the caller does not support",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { w.Templates[0].Annotations[annotationArchitectures] = "amd64,ppc64le" },
			Want: `cron x-amd64 manages m-amd64
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image
`,
		},
		{
			Rule: "held-spec-stays", Name: "no other spec for a held architecture",
			Before: []Template{TemplateOf("x", "m", "amd64,arm64")},
			Change: func(w *World) { amd64Left(&w.Cluster); w.Templates[0].Spec.Schedule = "0 0 * * *" },
			Want: `cron x-amd64 manages m-amd64
cron x-arm64 manages m-arm64, made anew
DataSource m leads to m-amd64
DataSource m-amd64 has an image, updated by x-amd64
DataSource m-arm64 has an image, updated by x-arm64
`,
		},
	}
}
