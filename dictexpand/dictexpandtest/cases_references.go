package dictexpandtest

import (
	"k8s.io/apimachinery/pkg/types"
)

// referenceCases are references.
func referenceCases() []ExpandCase {
	return []ExpandCase{
		{
			Rule: "reference-is-shared", Name: "templates for different architectures of one DataSource share the reference",
			Templates: append(one("arm", "m", "arm64"), TemplateOf("intel", "m", "amd64")),
			Want: `cron arm-arm64 manages m-arm64 arch arm64
cron intel-amd64 manages m-amd64 arch amd64
reference m to m-amd64
`,
		},
		{
			Rule: "own-image-is-no-reference", Name: "the DataSource without an architecture points to a user's own image",
			Templates: append(one("x", "m", "amd64"), TemplateOf("y", "n", "")),
			Cluster: func(o *Cluster) {
				o.OwnImages = []types.NamespacedName{Key(GoldenImages, "m"), Key(GoldenImages, "n")}
			},
			Want: `cron x-amd64 manages m-amd64 arch amd64
`,
		},
		{
			Rule: "reference-has-an-image", Name: "the first preferred architecture with a cron and workload nodes",
			Templates: one("x", "m", "amd64,arm64,s390x"),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Workload = []string{"s390x", "arm64", "amd64"}, []string{"amd64", "arm64"}
			},
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
cron x-s390x manages m-s390x arch s390x
reference m to m-arm64
`,
		},
		{
			Rule: "reference-has-an-image", Name: "else the first that has a cron",
			Templates: one("x", "m", "amd64,arm64"),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Workload = []string{"arm64", "amd64", "s390x"}, []string{"s390x"}
			},
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "reference-has-an-image", Name: "workload nodes not known, so preference decides",
			Templates: one("x", "m", "amd64,arm64"),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Workload = []string{"arm64", "amd64"}, nil
			},
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "reference-has-an-image", Name: "upstream refers to an architecture without a cron",
			Templates: one("centos8", "centos8", "amd64"),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Workload = []string{"arm64", "amd64"}, []string{"amd64"}
			},
			Want: `cron centos8-amd64 manages centos8-amd64 arch amd64
reference centos8 to centos8-amd64
`,
		},
		{
			Rule: "reference-has-an-image", Name: "upstream's reference follows its own DataSources, and not the crons",
			Templates: one("centos8", "centos8", "amd64"),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Workload = []string{"arm64", "amd64"}, []string{"amd64"}
				o.Made = map[string][]string{"centos8": {"amd64", "arm64"}}
			},
			Want: `cron centos8-amd64 manages centos8-amd64 arch amd64
reference centos8 to centos8-amd64
`,
		},
		{
			Rule: "made-data-source-is-no-reference", Name: "the managedDataSource is one that the caller makes for an architecture",
			Templates: append(one("x", "centos8-amd64", "amd64,arm64"), TemplateOf("y", "m", "amd64")),
			Cluster: func(o *Cluster) {
				o.Made = map[string][]string{"centos8": {"amd64", "arm64"}}
			},
			Want: `cron y-amd64 manages m-amd64 arch amd64
reference m to m-amd64
`,
		},
		{
			Rule: "made-data-source-is-no-reference", Name: "one of that name in another namespace is nobody's",
			Templates: []Template{with(TemplateOf("x", "centos8-amd64", "amd64"), func(t *Template) {
				t.Namespace = "custom"
			})},
			Cluster: func(o *Cluster) {
				o.Made = map[string][]string{"centos8": {"amd64", "arm64"}}
			},
			Want: `cron custom/x-amd64 manages centos8-amd64-amd64 arch amd64
reference custom/centos8-amd64 to centos8-amd64-amd64
`,
		},
		{
			Rule: "reference-has-an-image", Name: "upstream refers into another namespace",
			Templates: []Template{with(TemplateOf("x", "m", "amd64"), func(t *Template) {
				t.Namespace = "custom"
			})},
			Want: `cron custom/x-amd64 manages m-amd64 arch amd64
reference custom/m to m-amd64
`,
		},
	}
}
