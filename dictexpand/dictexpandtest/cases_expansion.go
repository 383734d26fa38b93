package dictexpandtest

import ()

// expansionCases are what the story asks for.
func expansionCases() []ExpandCase {
	return []ExpandCase{
		{
			Rule: "one-cron-as-written", Name: "no annotation gives one cron as written",
			Templates: one("x", "m", ""),
			Want: `cron x manages m arch any
`,
		},
		{
			Rule: "one-cron-as-written", Name: "an empty annotation gives one cron as written",
			Templates: []Template{with(TemplateOf("x", "m", ""), func(t *Template) {
				t.Annotations = map[string]string{annotationArchitectures: ""}
			})},
			Want: `cron x manages m arch any
`,
		},
		{
			Rule: "one-cron-as-written", Name: "multiple architectures switched off give one cron as written",
			Templates: one("x", "m", "amd64,arm64"),
			Cluster:   func(o *Cluster) { o.MultiArch = false },
			Want: `cron x manages m arch any
`,
		},
		{
			Rule: "one-cron-as-written", Name: "the namespace of the template wins over the default",
			Templates: []Template{with(TemplateOf("x", "m", ""), func(t *Template) {
				t.Namespace = "custom"
			})},
			Want: `cron custom/x manages m arch any
`,
		},
		{
			Rule: "cron-name", Name: "a cron for each architecture",
			Templates: one("x", "m", "amd64,arm64"),
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-amd64
`,
		},
	}
}
