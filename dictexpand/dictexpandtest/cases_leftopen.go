package dictexpandtest

import (
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// leftOpenCases are what the story leaves open.
func leftOpenCases() []ExpandCase {
	return []ExpandCase{
		{
			Rule: "blanks-do-not-matter", Name: "blanks, empty parts and repetitions",
			Templates: one("x", "m", " amd64 , arm64,amd64,"),
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-amd64
`,
		},
		{
			Rule: "blanks-do-not-matter", Name: "only blanks and commas are a problem, and others go on",
			Templates: append(one("x", "m", " , ,"), TemplateOf("y", "n", "")),
			Want: `cron y manages n arch any
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "an architecture that the caller does not support",
			Templates: one("x", "m", "ppc64le,arm64"),
			Cluster:   func(o *Cluster) { o.Architectures = append(o.Architectures, "ppc64le") },
			Want: `cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "an architecture that is not in the cluster",
			Templates: one("x", "m", "s390x,arm64"),
			Want: `cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "no compatible architecture: no cron, no reference, blocked",
			Templates: append(one("x", "m", "s390x,ppc64le"), TemplateOf("y", "n", "arm64")),
			Want: `cron y-arm64 manages n-arm64 arch arm64
reference n to n-arm64
`,
		},
		{
			Rule: "no-workload-has-its-cron", Name: "an architecture without workload nodes has its cron",
			Templates: one("x", "m", "amd64,arm64"),
			Cluster:   func(o *Cluster) { o.Workload = []string{"arm64"} },
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "no-workload-has-its-cron", Name: "a cluster whose workload nodes are not known",
			Templates: one("x", "m", "arm64,amd64"),
			Cluster:   func(o *Cluster) { o.Workload = nil },
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-amd64
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "an alias is reported and not accepted",
			Templates: one("x", "m", "x86_64,arm64"),
			Want: `cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "an alias that differs in letter case only",
			Templates: one("x", "m", "ARM64"),
			Want:      "",
		},
		{
			Rule: "architecture-can-be-set", Name: "the source is no registry, and others go on",
			Templates: []Template{
				with(TemplateOf("x", "m", "amd64"), source(&cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "ns", Name: "p"}})),
				with(TemplateOf("y", "n", "amd64"), source(nil)),
				TemplateOf("z", "o", "amd64"),
			},
			Want: `cron z-amd64 manages o-amd64 arch amd64
reference o to o-amd64
`,
		},
		{
			Rule: "architecture-can-be-set", Name: "the source is no registry, and no architecture is to be set",
			Templates: []Template{with(TemplateOf("x", "m", ""), source(&cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "ns", Name: "p"}}))},
			Want: `cron x manages m arch any
`,
		},
		{
			Rule: "architecture-can-be-set", Name: "the platform names another architecture",
			Templates: []Template{with(TemplateOf("x", "m", "amd64,arm64"), func(t *Template) {
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			})},
			Want: "",
		},
		{
			Rule: "architecture-can-be-set", Name: "the platform names the same architecture",
			Templates: []Template{with(TemplateOf("x", "m", "arm64"), func(t *Template) {
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			})},
			Want: `cron x-arm64 manages m-arm64 arch arm64
reference m to m-arm64
`,
		},
		{
			Rule: "default-architecture-alone", Name: "not annotated, and the caller makes the DataSource per architecture",
			Templates: one("x", "m", ""),
			Cluster: func(o *Cluster) {
				o.Made = map[string][]string{"m": {"arm64", "amd64"}}
			},
			Want: `cron x manages m-amd64 arch amd64
reference m to m-amd64
`,
		},
		{
			Rule: "default-architecture-alone", Name: "the caller makes the DataSource for no architecture of the cluster",
			Templates: one("x", "m", ""),
			Cluster: func(o *Cluster) {
				o.Made = map[string][]string{"m": {"s390x"}}
			},
			Want: "",
		},
		{
			Rule: "default-architecture-alone", Name: "the caller's DataSources are in another namespace",
			Templates: []Template{with(TemplateOf("x", "m", ""), func(t *Template) {
				t.Namespace = "custom"
			})},
			Cluster: func(o *Cluster) {
				o.Made = map[string][]string{"m": {"amd64"}}
			},
			Want: `cron custom/x manages m arch any
`,
		},
		{
			Rule: "own-image-is-not-updated", Name: "the DataSource of one architecture points to a user's own image",
			Templates: one("x", "m", "amd64,arm64"),
			Cluster: func(o *Cluster) {
				o.OwnImages = []types.NamespacedName{Key(GoldenImages, "m-amd64")}
			},
			Want: `cron x-arm64 manages m-arm64 arch arm64
reference m to m-amd64
`,
		},
		{
			Rule: "own-image-is-not-updated", Name: "an own image in another namespace does not matter",
			Templates: one("x", "m", ""),
			Cluster: func(o *Cluster) {
				o.OwnImages = []types.NamespacedName{Key("elsewhere", "m")}
			},
			Want: `cron x manages m arch any
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "no architecture of the cluster is known",
			Templates: append(one("x", "m", "amd64"), TemplateOf("y", "n", "")),
			Cluster:   func(o *Cluster) { o.Architectures, o.Workload = nil, nil },
			Want: `cron y manages n arch any
`,
		},
		{
			Rule: "default-architecture-alone", Name: "upstream sets no platform",
			Templates: one("centos8-image-cron", "centos8", ""),
			Cluster: func(o *Cluster) {
				o.Architectures, o.Workload = []string{"amd64", "arm64"}, []string{"arm64"}
				o.Made = map[string][]string{"centos8": {"amd64", "arm64"}}
			},
			Want: `cron centos8-image-cron manages centos8-arm64 arch arm64
reference centos8 to centos8-arm64
`,
		},
		{
			Rule: "unusable-architecture-is-skipped", Name: "upstream fails on a worker of an unsupported architecture",
			Templates: one("x", "m", "amd64,ppc64le"),
			Cluster: func(o *Cluster) {
				o.Architectures = []string{"amd64", "ppc64le"}
				o.Workload = []string{"amd64", "ppc64le"}
			},
			Want: `cron x-amd64 manages m-amd64 arch amd64
reference m to m-amd64
`,
		},
		{
			Rule: "blanks-do-not-matter", Name: "a blank loses no architecture",
			Templates: one("x", "m", "amd64, arm64"),
			Want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-amd64
`,
		},
	}
}
