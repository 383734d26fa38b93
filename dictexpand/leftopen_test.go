package dictexpand_test

import (
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestWhatTheStoryLeavesOpen(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name: "8: blanks, empty parts and repetitions",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
`,
		},
		{
			name: "8,27: only blanks and commas are a problem, and others go on",
			want: `blocked x: Invalid
y: NoAnnotation
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "9: an architecture that the caller does not support",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "9: an architecture that is not in the cluster",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "9: no compatible architecture: no cron, no reference, blocked",
			want: `blocked x: NoCompatibleArchitecture
y: PerArchitecture
reference n: FirstWithWorkload
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "10,23: an architecture without workload nodes has its cron",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name:      "10,23: a cluster that is known to have no workload nodes",
			templates: one("x", "m", "arm64,amd64"),
			options: func(o *dictexpand.Options) {
				o.WorkloadArchitectures, o.NoWorkloadNodes = nil, true
			},
			want: `cron x-amd64 manages m-amd64 arch amd64
cron x-arm64 manages m-arm64 arch arm64
reference m to m-amd64
x: PerArchitecture
reference m: FirstWithImage
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
finding NoWorkloadNodes at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "10,23: a cluster whose workload nodes are not known",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
`,
		},
		{
			name: "9: an alias is reported and not accepted",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding ArchitectureAlias at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "9: an alias that differs in letter case only",
			want: `blocked x: NoCompatibleArchitecture
finding ArchitectureAlias at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "11,27: the source is no registry, and others go on",
			want: `blocked x: Invalid
blocked y: Invalid
z: PerArchitecture
reference o: FirstWithWorkload
problem Required at [x].spec.template.spec.source.registry
problem Required at [y].spec.template.spec.source
problem Required at [y].spec.template.spec.source.registry
`,
		},
		{
			name: "11: the source is no registry, and no architecture is to be set",
			want: `x: NoAnnotation
`,
		},
		{
			name: "11: the platform names another architecture",
			want: `blocked x: Invalid
problem Invalid at [x].spec.template.spec.source.registry.platform.architecture
`,
		},
		{
			name: "11: the platform names the same architecture",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
`,
		},
		{
			name: "14: not annotated, and the caller makes the DataSource per architecture",
			want: `x: DefaultArchitecture
reference m: FirstWithWorkload
`,
		},
		{
			name: "14: the caller makes the DataSource for no architecture of the cluster",
			want: `blocked x: NoCompatibleArchitecture
finding NoCompatibleArchitecture at [x].spec.managedDataSource
`,
		},
		{
			name: "14: the caller's DataSources are in another namespace",
			want: `x: NoAnnotation
`,
		},
		{
			name: "15: the DataSource of one architecture points to a user's own image",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding AutoUpdateOff at [x].spec.managedDataSource
`,
		},
		{
			name: "15: an own image in another namespace does not matter",
			want: `x: NoAnnotation
`,
		},
		{
			name: "9: no architecture of the cluster is known",
			want: `blocked x: NoCompatibleArchitecture
y: NoAnnotation
finding ArchitectureNotInCluster at [x].metadata.annotations[ARCHS]
finding NoCompatibleArchitecture at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "14: upstream sets no platform",
			want: `centos8-image-cron: DefaultArchitecture
reference centos8: FirstWithWorkload
`,
		},
		{
			name: "9: upstream fails on a worker of an unsupported architecture",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
finding ArchitectureUnsupported at [x].metadata.annotations[ARCHS]
`,
		},
		{
			name: "8: a blank loses no architecture",
			want: `x: PerArchitecture
reference m: FirstWithWorkload
`,
		},
	})
}

// Of two DataSources of one name that the caller says it makes, the first counts.
func TestCallerDataSourceTwice(t *testing.T) {
	testExpand(t, []expandRow{{
		name:      "14: the first of two",
		templates: one("x", "m", ""),
		options: func(o *dictexpand.Options) {
			o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: []string{"arm64"}}, {Name: "m", Architectures: []string{"amd64"}}}
		},
		want: `cron x manages m-arm64 arch arm64
reference m to m-arm64
x: DefaultArchitecture
reference m: FirstWithWorkload
`,
	}})
}
