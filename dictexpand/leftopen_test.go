package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestWhatTheStoryLeavesOpen(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name:      "8: blanks, empty parts and repetitions",
			templates: one("x", "m", " amd64 , arm64,amd64,"),
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "8,27: only blanks and commas are a problem, and others go on",
			templates: append(one("x", "m", " , ,"), template("y", "n", "")),
			want: `cron y manages n arch any: NoAnnotation
blocked x: Invalid
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "9: an architecture that the caller does not support",
			templates: one("x", "m", "ppc64le,arm64"),
			options:   func(o *dictexpand.Options) { o.Architectures = append(o.Architectures, "ppc64le") },
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "9: an architecture that is not in the cluster",
			templates: one("x", "m", "s390x,arm64"),
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "9: no compatible architecture: no cron, no reference, blocked",
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
			name:      "10,23: an architecture without workload nodes has its cron",
			templates: one("x", "m", "amd64,arm64"),
			options:   func(o *dictexpand.Options) { o.WorkloadArchitectures = []string{"arm64"} },
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "10,23: a cluster that is known to have no workload nodes",
			templates: one("x", "m", "arm64,amd64"),
			options: func(o *dictexpand.Options) {
				o.WorkloadArchitectures, o.NoWorkloadNodes = nil, true
			},
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithImage
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "10,23: a cluster whose workload nodes are not known",
			templates: one("x", "m", "arm64,amd64"),
			options:   func(o *dictexpand.Options) { o.WorkloadArchitectures = nil },
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "9: an alias is reported and not accepted",
			templates: one("x", "m", "x86_64,arm64"),
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
finding ArchitectureAlias at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "9: an alias that differs in letter case only",
			templates: one("x", "m", "ARM64"),
			want: `blocked x: NoCompatibleArchitecture
finding ArchitectureAlias at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "11,27: the source is no registry, and others go on",
			templates: []dictexpand.Template{
				with(template("x", "m", "amd64"), source(&cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "ns", Name: "p"}})),
				with(template("y", "n", "amd64"), source(nil)),
				template("z", "o", "amd64"),
			},
			want: `cron z-amd64 manages o-amd64 arch amd64: PerArchitecture
reference o to o-amd64: FirstWithWorkload
blocked x: Invalid
blocked y: Invalid
problem Required at [x].spec.template.spec.source.registry
problem Required at [y].spec.template.spec.source
problem Required at [y].spec.template.spec.source.registry
`,
		},
		{
			name:      "11: the source is no registry, and no architecture is to be set",
			templates: []dictexpand.Template{with(template("x", "m", ""), source(&cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "ns", Name: "p"}}))},
			want:      "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name: "11: the platform names another architecture",
			templates: []dictexpand.Template{with(template("x", "m", "amd64,arm64"), func(t *dictexpand.Template) {
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			})},
			want: `blocked x: Invalid
problem Invalid at [x].spec.template.spec.source.registry.platform.architecture
`,
		},
		{
			name: "11: the platform names the same architecture",
			templates: []dictexpand.Template{with(template("x", "m", "arm64"), func(t *dictexpand.Template) {
				t.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "arm64"}
			})},
			want: `cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-arm64: FirstWithWorkload
`,
		},
		{
			name:      "14: not annotated, and the caller makes the DataSource per architecture",
			templates: one("x", "m", ""),
			options: func(o *dictexpand.Options) {
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"arm64", "amd64"}}}
			},
			want: `cron x manages m-amd64 arch amd64: DefaultArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "14: the caller makes the DataSource for no architecture of the cluster",
			templates: one("x", "m", ""),
			options: func(o *dictexpand.Options) {
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"s390x"}}}
			},
			want: `blocked x: NoCompatibleArchitecture
finding NoCompatibleArchitecture at [x].spec.managedDataSource
`,
		},
		{
			name: "14: the caller's DataSources are in another namespace",
			templates: []dictexpand.Template{with(template("x", "m", ""), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			options: func(o *dictexpand.Options) {
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"amd64"}}}
			},
			want: "cron custom/x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "15: the DataSource of one architecture points to a user's own image",
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
			name:      "15: an own image in another namespace does not matter",
			templates: one("x", "m", ""),
			options: func(o *dictexpand.Options) {
				o.OwnImages = []types.NamespacedName{key("elsewhere", "m")}
			},
			want: "cron x manages m arch any: NoAnnotation\n",
		},
		{
			name:      "9: no architecture of the cluster is known",
			templates: append(one("x", "m", "amd64"), template("y", "n", "")),
			options:   func(o *dictexpand.Options) { o.Architectures, o.WorkloadArchitectures = nil, nil },
			want: `cron y manages n arch any: NoAnnotation
blocked x: NoCompatibleArchitecture
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "14: upstream sets no platform",
			templates: one("centos8-image-cron", "centos8", ""),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"amd64", "arm64"}, []string{"arm64"}
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "centos8", Architectures: []string{"amd64", "arm64"}}}
			},
			want: `cron centos8-image-cron manages centos8-arm64 arch arm64: DefaultArchitecture
reference centos8 to centos8-arm64: FirstWithWorkload
`,
		},
		{
			name:      "9: upstream fails on a worker of an unsupported architecture",
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
			name:      "8: a blank loses no architecture",
			templates: one("x", "m", "amd64, arm64"),
			want: `cron x-amd64 manages m-amd64 arch amd64: PerArchitecture
cron x-arm64 manages m-arm64 arch arm64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
	})
}

func TestDefaultArchitectureCron(t *testing.T) {
	t.Run("14: rules 3 and 4 hold, and nothing else changes", func(t *testing.T) {
		x := full()
		delete(x.Annotations, dictexpand.AnnotationArchitectures)
		o := twoArchitectures()
		o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "rhel10", Architectures: []string{"amd64", "arm64"}}}
		want := full()
		delete(want.Annotations, dictexpand.AnnotationArchitectures)
		want.Namespace = goldenImages
		want.Spec.ManagedDataSource = "rhel10-amd64"
		want.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: "amd64"}
		e := dictexpand.Expand([]dictexpand.Template{x}, o)
		if diff := cmp.Diff(cdiv1beta1.DataImportCron{ObjectMeta: want.ObjectMeta, Spec: want.Spec}, e.Crons[0].Object); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
