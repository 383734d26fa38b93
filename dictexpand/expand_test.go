package dictexpand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// text writes an expansion down in the words of its tests: what was made, what
// is blocked, and the type or code and the place of every trouble.
func text(e dictexpand.Expansion) string {
	var b strings.Builder
	for _, c := range e.Crons {
		arch := c.Architecture
		if arch == "" {
			arch = "any"
		}
		fmt.Fprintf(&b, "cron %s/%s manages %s arch %s: %s\n", c.Object.Namespace, c.Object.Name, c.Object.Spec.ManagedDataSource, arch, c.Reason)
	}
	for _, r := range e.References {
		fmt.Fprintf(&b, "reference %s/%s to %s: %s\n", r.Namespace, r.Name, r.Target, r.Reason)
	}
	for _, o := range e.Outcomes {
		if o.Blocked {
			fmt.Fprintf(&b, "blocked %s: %s\n", o.Template, o.Reason)
		}
	}
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "problem %s at %s\n", strings.TrimPrefix(string(p.Type), "FieldValue"), shorten(p.Field))
	}
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "finding %s at %s\n", f.Code, shorten(f.Path))
	}
	return strings.ReplaceAll(b.String(), goldenImages+"/", "")
}

func shorten(path string) string {
	path = strings.TrimPrefix(path, "dataImportCronTemplates")
	return strings.ReplaceAll(path, dictexpand.ArchitecturesAnnotation, "ARCHS")
}

func TestExpand(t *testing.T) {
	const (
		name57 = "a23456789-b23456789-c23456789-d23456789-e23456789-f234567"
		name58 = name57 + "8"
		name60 = name57 + "890"
		name63 = name57 + "890123"
	)
	type row struct {
		name      string
		templates []dictexpand.Template
		options   func(*dictexpand.Options)
		want      string
	}
	one := func(name, managed, archs string) []dictexpand.Template {
		return []dictexpand.Template{template(name, managed, archs)}
	}
	with := func(t dictexpand.Template, change func(*dictexpand.Template)) dictexpand.Template {
		change(&t)
		return t
	}
	source := func(s *cdiv1beta1.DataVolumeSource) func(*dictexpand.Template) {
		return func(t *dictexpand.Template) { t.Spec.Template.Spec.Source = s }
	}

	for _, tc := range []row{
		// The numbered rules of CNV-61574. Rules 2 to 7 are also held field by field
		// in TestStory.
		{
			name:      "rule 1: annotation missing gives one cron as written",
			templates: one("x", "m", ""),
			want:      "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name: "rule 1: annotation empty gives one cron as written",
			templates: []dictexpand.Template{with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Annotations = map[string]string{dictexpand.ArchitecturesAnnotation: ""}
			})},
			want: "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "rule 1: multiple architectures off gives one cron as written",
			templates: one("x", "m", "amd64,arm64"),
			options:   func(o *dictexpand.Options) { o.MultiArch = false },
			want:      "cron x manages m arch any: MultiArchOff\n",
		},
		{
			name: "rule 1: the namespace of the template wins over the default",
			templates: []dictexpand.Template{with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			want: "cron custom/x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "rules 2 to 6: a cron per architecture",
			templates: one("x", "m", "amd64,arm64"),
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},

		// The table of what the rules leave open.
		{
			name:      "rule 8: annotation: blanks, empty parts and repetitions",
			templates: one("x", "m", " amd64 , arm64,amd64,"),
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "rule 8: annotation: blanks and commas only is a problem, not missing",
			templates: append(one("x", "m", " , ,"), template("y", "n", "")),
			want: `cron y manages n arch any: NoAnnotation
blocked x: Invalid
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 9: architecture not supported by the caller is skipped",
			templates: one("x", "m", "ppc64le,arm64"),
			options:   func(o *dictexpand.Options) { o.Architectures = append(o.Architectures, "ppc64le") },
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 9: architecture not in the cluster is skipped",
			templates: one("x", "m", "s390x,arm64"),
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 9: no compatible architecture: no cron, no reference, blocked",
			templates: append(one("x", "m", "s390x,ppc64le"), template("y", "n", "arm64")),
			want: `cron y-arm64 manages n-arm64 arch arm64: PerArchitecture
reference n to n-arm64: FirstWithWorkload
blocked x: NoCompatibleArchitecture
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 10: architecture without workload nodes has its cron",
			templates: one("x", "m", "amd64,arm64"),
			options:   func(o *dictexpand.Options) { o.WorkloadArchitectures = []string{"arm64"} },
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 9: alias is reported and not accepted",
			templates: one("x", "m", "x86_64,arm64"),
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureAlias at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 9: alias of another letter case only",
			templates: one("x", "m", "ARM64"),
			want: `blocked x: NoCompatibleArchitecture
finding ArchitectureAlias at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "rule 11: source is not a registry",
			templates: []dictexpand.Template{
				with(template("x", "m", "amd64"), source(&cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Name: "p"}})),
				with(template("y", "n", "amd64"), source(nil)),
				template("z", "o", "amd64"),
			},
			want: `cron z-amd64 manages o-amd64 arch amd64: PerArchitecture
reference o to o-amd64: FirstWithWorkload
blocked x: Invalid
blocked y: Invalid
problem Required at [x].spec.template.spec.source.registry
problem Required at [y].spec.template.spec.source.registry
`,
		},
		{
			name:      "rule 11: source is not a registry, without the annotation",
			templates: []dictexpand.Template{with(template("x", "m", ""), source(nil))},
			want:      "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name: "rule 11: platform is set to another architecture already",
			templates: []dictexpand.Template{with(template("x", "m", "amd64,arm64"), func(t *dictexpand.Template) {
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			})},
			want: `blocked x: Invalid
problem Invalid at [x].spec.template.spec.source.registry.platform.architecture
`,
		},
		{
			name: "rule 11: platform is set to the same architecture already",
			templates: []dictexpand.Template{with(template("x", "m", "arm64"), func(t *dictexpand.Template) {
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			})},
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
`,
		},
		{
			name:      "rule 12: name of 57 fits with the suffix",
			templates: one(name57, name57, "arm64"),
			want: "cron " + name57 + "-arm64 manages " + name57 + "-arm64 arch arm64: PerArchitecture\n" +
				"reference " + name57 + " to " + name57 + "-arm64: FirstWithWorkload\n",
		},
		{
			name:      "rule 12: name of 60 is too long with the suffix, others are made",
			templates: append(one(name60, "m", "amd64,arm64"), template("y", "n", "arm64")),
			want: "cron y-arm64 manages n-arm64 arch arm64: PerArchitecture\n" +
				"reference n to n-arm64: FirstWithWorkload\n" +
				"blocked " + name60 + ": Invalid\n" +
				"problem TooLong at [" + name60 + "].metadata.name\n",
		},
		{
			name:      "rule 12: managedDataSource of 58 is too long with the suffix",
			templates: one("x", name58, "arm64"),
			want:      "blocked x: Invalid\nproblem TooLong at [x].spec.managedDataSource\n",
		},
		{
			name:      "rule 12: 63 fit without a suffix",
			templates: one(name63, name63, ""),
			want:      "cron " + name63 + " manages " + name63 + " arch any: NoAnnotation\n",
		},
		{
			name:      "rule 12: 64 do not",
			templates: one(name63+"4", name63+"4", ""),
			want: "blocked " + name63 + "4: Invalid\n" +
				"problem TooLong at [" + name63 + "4].metadata.name\n" +
				"problem TooLong at [" + name63 + "4].spec.managedDataSource\n",
		},
		{
			name:      "rule 12: no DNS-1123 subdomain",
			templates: one("X_y", "-m", "arm64"),
			want: `blocked X_y: Invalid
problem Invalid at [X_y].metadata.name
problem Invalid at [X_y].spec.managedDataSource
`,
		},
		{
			name:      "rule 12: name and managedDataSource missing",
			templates: one("", "", "arm64"),
			want: `blocked : Invalid
problem Required at [].metadata.name
problem Required at [].spec.managedDataSource
`,
		},
		{
			name:      "rule 12: no namespace at all",
			templates: one("x", "m", ""),
			options:   func(o *dictexpand.Options) { o.Namespace = "" },
			want:      "blocked x: Invalid\nproblem Required at [x].metadata.namespace\n",
		},
		{
			name: "rule 12: label value invalid",
			templates: []dictexpand.Template{with(template("x", "m", "arm64"), func(t *dictexpand.Template) {
				t.Labels = map[string]string{"ok": "A_b.c-D", "empty": "", "long": name63 + "4", "odd": "a b"}
			})},
			want: `blocked x: Invalid
problem TooLong at [x].metadata.labels[long]
problem Invalid at [x].metadata.labels[odd]
`,
		},
		{
			name:      "rule 12: an architecture of the cluster that fits in no name",
			templates: one("x", "m", "sparc_v9"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.Supported, o.WorkloadArchitectures = []string{"sparc_v9"}, nil, nil
			},
			want: "blocked x: Invalid\nproblem Invalid at [x].metadata.annotations[ARCHS]\n",
		},
		{
			name:      "rule 13: two templates of one name",
			templates: append(one("x", "m", ""), template("x", "n", "")),
			want: `blocked x: Conflict
blocked x: Conflict
problem Duplicate at [x].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name: "rule 13: two templates of one name in two namespaces",
			templates: append(one("x", "m", ""), with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Namespace = "zoo"
			})),
			want: "cron x manages m arch any: NoAnnotation\ncron zoo/x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "rule 13: unannotated x-amd64 beside x with amd64",
			templates: append(one("x", "m", "amd64,arm64"), template("x-amd64", "n", "")),
			want: `blocked x: Conflict
blocked x-amd64: Conflict
problem Duplicate at [x-amd64].metadata.name
problem Duplicate at [x].metadata.name
`,
		},
		{
			name:      "rule 13: two outputs with one managedDataSource, and others go on",
			templates: append(one("x", "m", "amd64"), template("y", "m", "amd64,arm64"), template("z", "o", "")),
			want: `cron z manages o arch any: NoAnnotation
blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "rule 13: a reference against a cron that manages the same DataSource",
			templates: append(one("x", "m", "amd64"), template("y", "m", "")),
			want: `blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "rule 13: an invalid template still claims its names",
			templates: append(one("x", "m", ""), with(template("y", "m", ""), func(t *dictexpand.Template) { t.Labels = map[string]string{"l": "?"} })),
			want: `blocked x: Conflict
blocked y: Invalid
problem Duplicate at [x].spec.managedDataSource
problem Invalid at [y].metadata.labels[l]
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "rule 13: templates for different architectures of one DataSource share the reference",
			templates: append(one("arm", "m", "arm64"), template("intel", "m", "amd64")),
			want: `cron arm-arm64 manages m-arm64 arch arm64: PerArchitecture
cron intel-amd64 manages m-amd64 arch amd64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "rule 14: unannotated template whose DataSource is made per architecture",
			templates: one("x", "m", ""),
			options: func(o *dictexpand.Options) {
				o.DataSources = []dictexpand.DataSource{{Name: "m", Architectures: []string{"arm64", "amd64"}}}
			},
			want: `cron x manages m-amd64 arch amd64: DefaultArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "rule 14: unannotated template whose DataSource is made for no architecture of the cluster",
			templates: one("x", "m", ""),
			options: func(o *dictexpand.Options) {
				o.DataSources = []dictexpand.DataSource{{Name: "m", Architectures: []string{"s390x"}}}
			},
			want: `blocked x: NoCompatibleArchitecture
finding NoCompatibleArchitecture at [x].spec.managedDataSource
`,
		},
		{
			name: "rule 14: unannotated template in another namespace than the DataSources made per architecture",
			templates: []dictexpand.Template{with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			options: func(o *dictexpand.Options) {
				o.DataSources = []dictexpand.DataSource{{Name: "m", Architectures: []string{"amd64"}}}
			},
			want: "cron custom/x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "rule 15: DataSource of one architecture points to a user's own image",
			templates: one("x", "m", "amd64,arm64"),
			options: func(o *dictexpand.Options) {
				o.OwnImages = []types.NamespacedName{key(goldenImages, "m-amd64")}
			},
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
		{
			name:      "rule 15: DataSource without an architecture points to a user's own image",
			templates: append(one("x", "m", "amd64"), template("y", "n", "")),
			options: func(o *dictexpand.Options) {
				o.OwnImages = []types.NamespacedName{key(goldenImages, "m"), key(goldenImages, "n")}
			},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
finding AutoUpdateOff at [x].spec.managedDataSource
finding AutoUpdateOff at [y].spec.managedDataSource
`,
		},
		{
			name:      "rule 15: an own image in another namespace does not matter",
			templates: one("x", "m", ""),
			options: func(o *dictexpand.Options) {
				o.OwnImages = []types.NamespacedName{key("elsewhere", "m")}
			},
			want: "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "rule 16: the first preferred with a cron and workload nodes",
			templates: one("x", "m", "amd64,arm64,s390x"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"s390x", "arm64", "amd64"}, []string{"amd64", "arm64"}
			},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
cron x-s390x manages m-s390x arch s390x: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 16: else the first that has a cron",
			templates: one("x", "m", "amd64,arm64"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"arm64", "amd64", "s390x"}, []string{"s390x"}
			},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithImage
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "rule 16: workload nodes not known, so preference decides",
			templates: one("x", "m", "amd64,arm64"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"arm64", "amd64"}, nil
			},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
`,
		},
		{
			name:      "no architectures known: everything annotated is blocked, nothing fails",
			templates: append(one("x", "m", "amd64"), template("y", "n", "")),
			options:   func(o *dictexpand.Options) { o.Architectures, o.WorkloadArchitectures = nil, nil },
			want: `cron y manages n arch any: NoAnnotation
blocked x: NoCompatibleArchitecture
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{name: "no templates", want: ""},

		// What goes wrong upstream (executed there), and what is done here.
		{
			name:      "upstream: default reference to an architecture without a cron",
			templates: one("centos8", "centos8", "amd64"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"arm64", "amd64"}, []string{"amd64"}
			},
			want: `cron centos8-amd64 manages centos8-amd64 arch amd64: PerArchitecture
reference centos8 to centos8-amd64: FirstWithWorkload
`,
		},
		{
			name:      "upstream: default reference of a common DataSource follows the crons, not the DataSource",
			templates: one("centos8", "centos8", "amd64"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"arm64", "amd64"}, []string{"amd64"}
				o.DataSources = []dictexpand.DataSource{{Name: "centos8", Architectures: []string{"amd64", "arm64"}}}
			},
			want: `cron centos8-amd64 manages centos8-amd64 arch amd64: PerArchitecture
reference centos8 to centos8-amd64: FirstWithWorkload
`,
		},
		{
			name:      "upstream: unannotated cron of a common DataSource without a platform",
			templates: one("centos8-image-cron", "centos8", ""),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"amd64", "arm64"}, []string{"arm64"}
				o.DataSources = []dictexpand.DataSource{{Name: "centos8", Architectures: []string{"amd64", "arm64"}}}
			},
			want: `cron centos8-image-cron manages centos8-arm64 arch arm64: DefaultArchitecture
reference centos8 to centos8-arm64: FirstWithWorkload
`,
		},
		{
			name: "upstream: reference of a template in a custom namespace",
			templates: []dictexpand.Template{with(template("x", "m", "amd64"), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			want: `cron custom/x-amd64 manages m-amd64 arch amd64: PerArchitecture
reference custom/m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "upstream: two templates with one managedDataSource, one silently dropped",
			templates: append(one("x", "m", ""), template("y", "m", "")),
			want: `blocked x: Conflict
blocked y: Conflict
problem Duplicate at [x].spec.managedDataSource
problem Duplicate at [y].spec.managedDataSource
`,
		},
		{
			name:      "upstream: unannotated fedora-amd64 shadows fedora with amd64",
			templates: append(one("fedora-cron", "fedora", "amd64"), template("own-cron", "fedora-amd64", "")),
			want: `blocked fedora-cron: Conflict
blocked own-cron: Conflict
problem Duplicate at [fedora-cron].spec.managedDataSource
problem Duplicate at [own-cron].spec.managedDataSource
`,
		},
		{
			name:      "upstream: a ppc64le worker fails everything, ppc64le in the annotation nothing",
			templates: one("x", "m", "amd64,ppc64le"),
			options: func(o *dictexpand.Options) {
				o.Architectures = []string{"amd64", "ppc64le"}
				o.WorkloadArchitectures = []string{"amd64", "ppc64le"}
			},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "upstream: an annotation with a blank loses an architecture",
			templates: one("x", "m", "amd64, arm64"),
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name: "upstream: an image stream source holds one architecture only",
			templates: []dictexpand.Template{with(template("x", "m", "amd64"), func(t *dictexpand.Template) {
				t.Spec.Template.Spec.Source.Registry = &cdiv1beta1.DataVolumeSourceRegistry{ImageStream: ptr("fedora")}
			})},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
finding ImageStreamSource at [x].spec.template.spec.source.registry.imageStream
`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := twoArchitectures()
			if tc.options != nil {
				tc.options(&o)
			}
			if diff := cmp.Diff(tc.want, text(dictexpand.Expand(tc.templates, o))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A zero Options is multiple architectures off, and nothing is to be had without
// a namespace.
func TestExpandZeroOptions(t *testing.T) {
	x := template("x", "m", "amd64")
	x.Namespace = "ns"
	got := text(dictexpand.Expand([]dictexpand.Template{x, template("y", "n", "")}, dictexpand.Options{}))
	want := `cron ns/x manages m arch any: MultiArchOff
blocked y: Invalid
problem Required at [y].metadata.namespace
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if e := dictexpand.Expand(nil, dictexpand.Options{}); e.Crons != nil || e.References != nil || e.Outcomes != nil || e.Problems != nil || e.Findings != nil {
		t.Errorf("Expand of nothing = %+v, want the zero value", e)
	}
}

// What would be right must be in the error, in its machine-readable part too.
func TestTooLongSaysWhatFits(t *testing.T) {
	long := strings.Repeat("a", 60)
	e := dictexpand.Expand([]dictexpand.Template{template(long, "m", "amd64,arm64,s390x")}, func() dictexpand.Options {
		o := twoArchitectures()
		o.Architectures = append(o.Architectures, "s390x")
		return o
	}())
	if len(e.Problems) != 1 {
		t.Fatalf("problems: %v", e.Problems)
	}
	p := e.Problems[0]
	if p.BadValue != long || !strings.Contains(p.Detail, "57") {
		t.Errorf("problem %v: want the value and 57, the longest that fits", p)
	}
}

func TestBlockedNames(t *testing.T) {
	e := dictexpand.Expand([]dictexpand.Template{
		template("z", "m", ","), template("a", "m", ","), template("a", "m", ","), template("ok", "ok", ""),
	}, twoArchitectures())
	if diff := cmp.Diff([]string{"a", "z"}, e.Blocked()); diff != "" {
		t.Errorf("Blocked(), -want +got:\n%s", diff)
	}
}
