package dictexpandtest

import ()

// limitCases are names and labels that the API server or CDI refuses, and those that they just take.
func limitCases() []ExpandCase {
	return []ExpandCase{
		{
			Rule: "metadata-is-valid", Name: "a name of 57 fits with the suffix",
			Templates: one(name57, name57, "arm64"),
			Want: `cron a23456789-b23456789-c23456789-d23456789-e23456789-f234567-arm64 manages a23456789-b23456789-c23456789-d23456789-e23456789-f234567-arm64 arch arm64
reference a23456789-b23456789-c23456789-d23456789-e23456789-f234567 to a23456789-b23456789-c23456789-d23456789-e23456789-f234567-arm64
`,
		},
		{
			Rule: "metadata-is-valid", Name: "a name of 60 is too long with the suffix, and others go on",
			Templates: append(one(name60, "m", "amd64,arm64"), TemplateOf("y", "n", "arm64")),
			Want: `cron y-arm64 manages n-arm64 arch arm64
reference n to n-arm64
`,
		},
		{
			Rule: "metadata-is-valid", Name: "a managedDataSource of 58 is too long with the suffix",
			Templates: one("x", name58, "arm64"),
			Want:      "",
		},
		{
			Rule: "metadata-is-valid", Name: "63 fit without a suffix",
			Templates: one(name63, name63, ""),
			Want: `cron a23456789-b23456789-c23456789-d23456789-e23456789-f234567890123 manages a23456789-b23456789-c23456789-d23456789-e23456789-f234567890123 arch any
`,
		},
		{
			Rule: "metadata-is-valid", Name: "64 do not fit",
			Templates: one(name63+"4", name63+"4", ""),
			Want:      "",
		},
		{
			Rule: "metadata-is-valid", Name: "no DNS-1123 subdomain",
			Templates: one("X_y", "-m", "arm64"),
			Want:      "",
		},
		{
			Rule: "metadata-is-valid", Name: "name and managedDataSource missing",
			Templates: one("", "", "arm64"),
			Want:      "",
		},
		{
			Rule: "metadata-is-valid", Name: "no namespace at all",
			Templates: one("x", "m", ""),
			Cluster:   func(o *Cluster) { o.Namespace = "" },
			Want:      "",
		},
		{
			Rule: "metadata-is-valid", Name: "invalid label values",
			Templates: []Template{with(TemplateOf("x", "m", "arm64"), func(t *Template) {
				t.Labels = map[string]string{"ok": "A_b.c-D", "empty": "", "long": name63 + "4", "odd": "a b"}
			})},
			Want: "",
		},
		{
			Rule: "metadata-is-valid", Name: "an architecture of the cluster that fits into no name",
			Templates: one("x", "m", "sparc_v9"),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Supported, o.Workload = []string{"sparc_v9"}, nil, nil
			},
			Want: "",
		},
	}
}

const (
	name57 = "a23456789-b23456789-c23456789-d23456789-e23456789-f234567"
	name58 = name57 + "8"
	name60 = name57 + "890"
	name63 = name57 + "890123"
)
