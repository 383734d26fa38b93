package dictexpandtest

import (
	"k8s.io/apimachinery/pkg/types"
)

// conflictCases are templates that need one name.
func conflictCases() []ExpandCase {
	return []ExpandCase{
		{
			Rule: "names-are-needed-once", Name: "two templates of one name",
			Templates: append(one("x", "m", ""), TemplateOf("x", "n", "")),
			Want:      "",
		},
		{
			Rule: "names-are-needed-once", Name: "two templates of one name in two namespaces do not collide",
			Templates: append(one("x", "m", ""), with(TemplateOf("x", "m", ""), func(t *Template) {
				t.Namespace = "zoo"
			})),
			Want: `cron x manages m arch any
cron zoo/x manages m arch any
`,
		},
		{
			Rule: "names-are-needed-once", Name: "x-amd64 as written beside x with amd64",
			Templates: append(one("x", "m", "amd64,arm64"), TemplateOf("x-amd64", "n", "")),
			Want:      "",
		},
		{
			Rule: "names-are-needed-once", Name: "two crons for one DataSource, and others go on",
			Templates: append(one("x", "m", "amd64"), TemplateOf("y", "m", "amd64,arm64"), TemplateOf("z", "o", "")),
			Want: `cron z manages o arch any
`,
		},
		{
			Rule: "names-are-needed-once", Name: "a reference and a cron for one DataSource",
			Templates: append(one("x", "m", "amd64"), TemplateOf("y", "m", "")),
			Want:      "",
		},
		{
			Rule: "blocked-claims-its-names", Name: "a template with a problem claims its names",
			Templates: append(one("x", "m", ""), with(TemplateOf("y", "m", ""), func(t *Template) { t.Labels = map[string]string{"l": "?"} })),
			Want:      "",
		},
		{
			Rule: "names-are-needed-once", Name: "upstream drops one of two templates for one DataSource",
			Templates: append(one("x", "m", ""), TemplateOf("y", "m", "")),
			Want:      "",
		},
		{
			Rule: "names-are-needed-once", Name: "upstream lets fedora-amd64 as written shadow fedora with amd64",
			Templates: append(one("fedora-cron", "fedora", "amd64"), TemplateOf("own-cron", "fedora-amd64", "")),
			Want:      "",
		},
		{
			Rule: "names-are-needed-once", Name: "two templates of one name, whose crons would have different ones",
			Templates: append(one("x", "m", "amd64"), TemplateOf("x", "n", "")),
			Want:      "",
		},
		{
			Rule: "blocked-claims-its-names", Name: "an annotation that lists nothing, beside a template of the name that a cron may have had",
			Templates: append(one("x", "m", ","), TemplateOf("x-amd64", "n", "")),
			Want:      "",
		},
		{
			Rule: "blocked-claims-its-names", Name: "an annotation with a typo, beside templates of names that a cron may have had",
			Templates: append(one("x", "m", "adm64"), TemplateOf("x-s390x", "n", ""), TemplateOf("x-adm64", "o", ""), TemplateOf("x-riscv64", "p", "")),
			Want: `cron x-riscv64 manages p arch any
`,
		},
		{
			Rule: "blocked-claims-its-names", Name: "two templates with mistakes do not fight over what neither can make",
			Templates: append(one("x", "m", ","), TemplateOf("x-amd64", "n", ",")),
			Want:      "",
		},
		{
			Rule: "blocked-claims-its-names", Name: "a sound template shares a managedDataSource with one that has a mistake",
			Templates: append(one("x", "m", ","), TemplateOf("y", "m", "amd64")),
			Want: `cron y-amd64 manages m-amd64 arch amd64
reference m to m-amd64
`,
		},
		{
			Rule: "blocked-claims-its-names", Name: "a user's own image keeps a template from making a cron, and others from its name",
			Templates: append(one("x", "m", "amd64,arm64"), TemplateOf("x-amd64", "n", "")),
			Cluster: func(o *Cluster) {
				o.OwnImages = []types.NamespacedName{Key(GoldenImages, "m-amd64")}
			},
			Want: "",
		},
	}
}
