package dictexpand_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

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

// The reference of several templates leads to the best architecture of them all.
func TestSharedReferences(t *testing.T) {
	for _, tt := range []struct {
		name      string
		templates []dictexpand.Template
	}{
		{"24: the first has it", []dictexpand.Template{template("x", "m", "amd64"), template("y", "m", "arm64")}},
		{"24: the last has it", []dictexpand.Template{template("x", "m", "arm64"), template("y", "m", "amd64")}},
		{"24: one in the middle has it", []dictexpand.Template{template("x", "m", "arm64"), template("y", "m", "amd64"), template("z", "m", "s390x")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := twoArchitectures()
			o.Architectures, o.WorkloadArchitectures = append(o.Architectures, "s390x"), nil
			references := dictexpand.Expand(tt.templates, o).References
			if len(references) != 1 || references[0].Target != "m-amd64" || len(references[0].Templates) != len(tt.templates) {
				t.Errorf("%+v", references)
			}
		})
	}
}

// What is made is in the order of namespaces before that of names.
func TestOrderOfNamespaces(t *testing.T) {
	bothWays([]dictexpand.Template{inNamespace("a", template("z", "z", "amd64")), inNamespace("b", template("x", "x", "amd64"))}, func(templates []dictexpand.Template) {
		e := dictexpand.Expand(templates, twoArchitectures())
		if len(e.Crons) != 2 || e.Crons[0].Object.Namespace != "a" || e.Crons[1].Object.Namespace != "b" {
			t.Errorf("31: crons %+v", e.Crons)
		}
		if len(e.References) != 2 || e.References[0].Namespace != "a" || e.References[1].Namespace != "b" {
			t.Errorf("31: references %+v", e.References)
		}
	})
}

// A cron as written has the spec of its template, whatever the source.
func TestSpecAsWritten(t *testing.T) {
	pvc := template("x", "m", "")
	pvc.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{PVC: &cdiv1beta1.DataVolumeSourcePVC{Namespace: "ns", Name: "p"}}
	all := full()
	delete(all.Annotations, dictexpand.AnnotationArchitectures)
	for name, x := range map[string]dictexpand.Template{"1: a pvc": pvc, "1: everything": all} {
		t.Run(name, func(t *testing.T) {
			e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures())
			if len(e.Crons) != 1 {
				t.Fatalf("problems %v", e.Problems)
			}
			if diff := cmp.Diff(x.Spec, e.Crons[0].Object.Spec); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
