package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/dictexpand"
)

// Which of the architectures counts that the caller makes a DataSource for.
func TestMadePerArchitecture(t *testing.T) {
	made := func(architectures ...string) func(*dictexpand.Options) {
		return func(o *dictexpand.Options) {
			o.CallerDataSources = []dictexpand.CallerDataSource{{Name: "m", Architectures: architectures}}
			o.HeldArchitectures = []string{"s390x", "riscv64"}
		}
	}
	both := func(a, b func(*dictexpand.Options)) func(*dictexpand.Options) {
		return func(o *dictexpand.Options) { a(o); b(o) }
	}
	const arm = `cron x manages m-arm64 arch arm64
reference m to m-arm64
x: DefaultArchitecture
`
	testExpand(t, []expandRow{
		{
			name: "9,14: one that is not supported is none", templates: one("x", "m", ""),
			options: both(made("amd64", "arm64"), func(o *dictexpand.Options) { o.Supported = []string{"arm64"} }),
			want:    arm + "reference m: FirstWithWorkload\n",
		},
		{
			name: "10,14: without workload nodes there is a finding", templates: one("x", "m", ""),
			options: both(made("arm64"), func(o *dictexpand.Options) { o.WorkloadArchitectures = []string{"amd64"} }),
			want:    arm + "reference m: FirstWithImage\nfinding NoWorkloadNodes at [x].spec.managedDataSource\n",
		},
		{
			name: "26: a cron as written, for a DataSource that the caller makes for an architecture", templates: one("x", "m-arm64", ""),
			options: made("arm64"),
			want:    "cron x manages m-arm64 arch any\nx: NoAnnotation\n",
		},
		{
			name: "14,33: one that is held gets one finding, one that is not supported none", templates: one("x", "m", ""),
			options: made("s390x", "arm64", "s390x", "riscv64"),
			want:    arm + "reference m: FirstWithWorkload\nfinding ArchitectureHeld at [x].spec.managedDataSource\n",
		},
	})
}

// Whoever knows an architecture, its name is no mistake.
func TestUnclear(t *testing.T) {
	o := dictexpand.Options{MultiArch: true, Namespace: "ns", Architectures: []string{"amd64", "cluster"}, Supported: []string{"amd64", "supported"}, HeldArchitectures: []string{"held"}}
	for listed, want := range map[string]bool{"s390x": false, "cluster": false, "supported": false, "held": false, "x86_64": true, "nobody": true} {
		e := dictexpand.Expand([]dictexpand.Template{template("x", "m", "amd64,"+listed)}, o)
		if diff := cmp.Diff(want, e.Outcomes[0].Unclear); diff != "" {
			t.Errorf("34: %s (-want +got):\n%s", listed, diff)
		}
	}
}
