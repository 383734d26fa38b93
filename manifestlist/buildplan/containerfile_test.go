package buildplan

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Of two entries for one architecture, a problem, the order decides nothing.
func TestContainerfileTwice(t *testing.T) {
	t.Run("10: in either order", func(t *testing.T) {
		f := factsFor("amd64")
		f.Config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: "b"}, {ContainerfileArch: mcfgv1.NoArch, Content: "a"}}
		first := mustPlan(t, f)
		slices.Reverse(f.Config.Spec.Containerfile)
		second := mustPlan(t, f)
		if first.Name != second.Name || first.Images[0].Containerfile != "a" || second.Images[0].Containerfile != "a" {
			t.Errorf("%s of %q, then %s of %q", first.Name, first.Images[0].Containerfile, second.Name, second.Images[0].Containerfile)
		}
	})
}

// Where a containerfile comes from is for findings and problems to name.
func TestContainerfileEntry(t *testing.T) {
	own, any := mcfgv1.MachineOSContainerfile{ContainerfileArch: "AMD64", Content: "own"}, mcfgv1.MachineOSContainerfile{Content: "any"}
	for _, tc := range []struct {
		name    string
		entries []mcfgv1.MachineOSContainerfile
		want    int
	}{
		{"6: its own is the second", []mcfgv1.MachineOSContainerfile{any, own}, 1},
		{"6: its own is the first", []mcfgv1.MachineOSContainerfile{own, any}, 0},
		{"6: none", nil, -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			f.Config.Spec.Containerfile = tc.entries
			if got := mustPlan(t, f).Images[0].Entry; got != tc.want {
				t.Errorf("entry %d, want %d", got, tc.want)
			}
		})
	}
}

func TestContainerfileTrouble(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "7: a containerfile for an architecture that the pool lacks",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.S390, Content: "FROM configs"})
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, twoJobs, nil, []FindingCode{FindingContainerfileUnused}},
		},
		{
			name: "8: no containerfile for one of the architectures",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.Containerfile[0].ContainerfileArch = mcfgv1.Amd64
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, twoJobs, nil, []FindingCode{FindingContainerfileMissing}},
		},
		{
			name: "8: no containerfile at all is nothing odd",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.Containerfile = nil
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, twoJobs, nil, nil},
		},
		{
			name: "9: a containerfile for no known architecture",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Config.Spec.Containerfile[0].ContainerfileArch = "RISCV64"
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeNotSupported}, nil},
		},
		{
			name: "10: two containerfiles for one architecture",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{Content: "FROM other"})
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeDuplicate}, nil},
		},
	})
}
