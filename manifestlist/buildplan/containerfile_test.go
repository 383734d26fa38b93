package buildplan

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

func TestContainerfileContent(t *testing.T) {
	for _, tc := range []struct{ name, content, want string }{
		{"11: as it is", "FROM configs\nRUN true", "FROM configs\nRUN true"},
		{"11: newlines at the end", "FROM configs\n\n\n", "FROM configs"},
		{"11: CRLF", "FROM configs\r\nRUN true\r\n", "FROM configs\nRUN true"},
		{"11: a lone CR is content", "RUN printf 'a\rb'\n", "RUN printf 'a\rb'"},
		{"11: blanks at the end are content", "RUN true \n", "RUN true "},
		{"11: newlines at the beginning are content", "\nRUN true", "\nRUN true"},
		{"11: empty", "", ""},
		{"11: newlines only", "\r\n\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			f.Config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: tc.content}}
			if got := mustPlan(t, f).Images[0].Containerfile; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

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

// Upstream reads NoArch entries only, and ignores an AMD64-only containerfile
// without a word.
func TestContainerfileChoice(t *testing.T) {
	entry := func(a mcfgv1.ContainerfileArch, content string) mcfgv1.MachineOSContainerfile {
		return mcfgv1.MachineOSContainerfile{ContainerfileArch: a, Content: content}
	}
	for _, tc := range []struct {
		name    string
		entries []mcfgv1.MachineOSContainerfile
		want    string
		entry   int
	}{
		{"6: its own", []mcfgv1.MachineOSContainerfile{entry("AMD64", "own")}, "own", 0},
		{"6: NoArch", []mcfgv1.MachineOSContainerfile{entry("NoArch", "any")}, "any", 0},
		{"6: empty is NoArch", []mcfgv1.MachineOSContainerfile{entry("", "any")}, "any", 0},
		{"6: its own before NoArch", []mcfgv1.MachineOSContainerfile{entry("NoArch", "any"), entry("AMD64", "own")}, "own", 1},
		{"6: its own before NoArch, in the other order", []mcfgv1.MachineOSContainerfile{entry("AMD64", "own"), entry("", "any")}, "own", 0},
		{"6: not that of another", []mcfgv1.MachineOSContainerfile{entry("ARM64", "other")}, "", -1},
		{"6: none", nil, "", -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			f.Config.Spec.Containerfile = tc.entries
			img := mustPlan(t, f).Images[0]
			if img.Containerfile != tc.want || img.Entry != tc.entry {
				t.Errorf("got %q of entry %d, want %q of %d", img.Containerfile, img.Entry, tc.want, tc.entry)
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
