package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestReferences(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name:      "24: templates for different architectures of one DataSource share the reference",
			templates: append(one("arm", "m", "arm64"), template("intel", "m", "amd64")),
			want: `cron arm-arm64 manages m-arm64 arch arm64: PerArchitecture
cron intel-amd64 manages m-amd64 arch amd64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
`,
		},
		{
			name:      "15,25: the DataSource without an architecture points to a user's own image",
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
			name:      "10,23: the first preferred architecture with a cron and workload nodes",
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
			name:      "10,23: else the first that has a cron",
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
			name:      "23: workload nodes not known, so preference decides",
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
			name:      "23: upstream refers to an architecture without a cron",
			templates: one("centos8", "centos8", "amd64"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"arm64", "amd64"}, []string{"amd64"}
			},
			want: `cron centos8-amd64 manages centos8-amd64 arch amd64: PerArchitecture
reference centos8 to centos8-amd64: FirstWithWorkload
`,
		},
		{
			name:      "23: upstream's reference follows its own DataSources, and not the crons",
			templates: one("centos8", "centos8", "amd64"),
			options: func(o *dictexpand.Options) {
				o.Architectures, o.WorkloadArchitectures = []string{"arm64", "amd64"}, []string{"amd64"}
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "centos8", Architectures: []string{"amd64", "arm64"}}}
			},
			want: `cron centos8-amd64 manages centos8-amd64 arch amd64: PerArchitecture
reference centos8 to centos8-amd64: FirstWithWorkload
`,
		},
		{
			name:      "26: the managedDataSource is one that the caller makes for an architecture",
			templates: append(one("x", "centos8-amd64", "amd64,arm64"), template("y", "m", "amd64")),
			options: func(o *dictexpand.Options) {
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "centos8", Architectures: []string{"amd64", "arm64"}}}
			},
			want: `cron y-amd64 manages m-amd64 arch amd64: PerArchitecture
reference m to m-amd64: FirstWithWorkload
blocked x: Invalid
problem Invalid at [x].spec.managedDataSource
`,
		},
		{
			name: "26: one of that name in another namespace is nobody's",
			templates: []dictexpand.Template{with(template("x", "centos8-amd64", "amd64"), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			options: func(o *dictexpand.Options) {
				o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "centos8", Architectures: []string{"amd64", "arm64"}}}
			},
			want: `cron custom/x-amd64 manages centos8-amd64-amd64 arch amd64: PerArchitecture
reference custom/centos8-amd64 to centos8-amd64-amd64: FirstWithWorkload
`,
		},
		{
			name: "23: upstream refers into another namespace",
			templates: []dictexpand.Template{with(template("x", "m", "amd64"), func(t *dictexpand.Template) {
				t.Namespace = "custom"
			})},
			want: `cron custom/x-amd64 manages m-amd64 arch amd64: PerArchitecture
reference custom/m to m-amd64: FirstWithWorkload
`,
		},
	})
}

func TestStoryReference(t *testing.T) {
	t.Run("23: the reference of the story", func(t *testing.T) {
		e := dictexpand.Expand([]dictexpand.Template{rhel10()}, twoArchitectures())
		want := cdiv1beta1.DataSource{
			ObjectMeta: metav1.ObjectMeta{Namespace: goldenImages, Name: "rhel10"},
			Spec: cdiv1beta1.DataSourceSpec{Source: cdiv1beta1.DataSourceSource{
				DataSource: &cdiv1beta1.DataSourceRefSourceDataSource{Namespace: goldenImages, Name: "rhel10-amd64"},
			}},
		}
		if diff := cmp.Diff(want, e.References[0].DataSource()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
