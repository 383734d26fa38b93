package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestReferences(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name: "24: templates for different architectures of one DataSource share the reference",
			want: `arm: PerArchitecture
intel: PerArchitecture
reference m: FirstWithWorkload
`,
		},
		{
			name: "15,25: the DataSource without an architecture points to a user's own image",
			want: `x: PerArchitecture
y: AutoUpdateOff
finding AutoUpdateOff at [x].spec.managedDataSource
finding AutoUpdateOff at [y].spec.managedDataSource
`,
		},
		{
			name: "10,23: the first preferred architecture with a cron and workload nodes",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "10,23: else the first that has a cron",
			want: `x: PerArchitecture
reference m: FirstWithImage
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "23: workload nodes not known, so preference decides",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
`,
		},
		{
			name: "23: upstream refers to an architecture without a cron",
			want: `centos8: PerArchitecture
reference centos8: FirstWithWorkload
`,
		},
		{
			name: "23: upstream's reference follows its own DataSources, and not the crons",
			want: `centos8: PerArchitecture
reference centos8: FirstWithWorkload
`,
		},
		{
			name: "26: the managedDataSource is one that the caller makes for an architecture",
			want: `blocked x: Invalid
y: PerArchitecture
reference m: FirstWithWorkload
problem Invalid at [x].spec.managedDataSource
`,
		},
		{
			name: "26: one of that name in another namespace is nobody's",
			want: `x: PerArchitecture
reference centos8-amd64: FirstWithWorkload
`,
		},
		{
			name: "23: upstream refers into another namespace",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
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

// The lists of an expansion have their memory from one piece, and yet may grow: what a caller
// appends to one is in no other.
func TestListsMayGrow(t *testing.T) {
	o := twoArchitectures()
	o.WorkloadArchitectures, o.HeldArchitectures, o.Supported = o.Architectures[:1], []string{"s390x"}, []string{"amd64", "arm64", "s390x"}
	templates := manyTemplates(3)
	e, want := dictexpand.Expand(templates, o), dictexpand.Expand(templates, o)
	if len(e.References) != 3 {
		t.Fatalf("%d references, want 3", len(e.References))
	}
	lists := []*[]string{&e.Options.Architectures, &e.Options.WorkloadArchitectures, &e.Options.HeldArchitectures, &e.Options.Supported}
	for i := range e.References {
		lists = append(lists, &e.References[i].Templates)
	}
	for _, list := range lists {
		_ = append(*list, "appended")
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("appending changed (-before +after):\n%s", diff)
	}
}
