package buildplan

import (
	"slices"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

func TestContainerfileContent(t *testing.T) {
	for _, tc := range []struct{ name, content, want string }{
		{"as it is", "FROM configs\nRUN true", "FROM configs\nRUN true"},
		{"newlines at the end", "FROM configs\n\n\n", "FROM configs"},
		{"CRLF", "FROM configs\r\nRUN true\r\n", "FROM configs\nRUN true"},
		{"a lone CR is content", "RUN printf 'a\rb'\n", "RUN printf 'a\rb'"},
		{"blanks at the end are content", "RUN true \n", "RUN true "},
		{"newlines at the beginning are content", "\nRUN true", "\nRUN true"},
		{"empty", "", ""},
		{"newlines only", "\r\n\n", ""},
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
	f := factsFor("amd64")
	f.Config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: "b"}, {ContainerfileArch: mcfgv1.NoArch, Content: "a"}}
	first := mustPlan(t, f)
	slices.Reverse(f.Config.Spec.Containerfile)
	second := mustPlan(t, f)
	if first.Name != second.Name || first.Images[0].Containerfile != "a" || second.Images[0].Containerfile != "a" {
		t.Errorf("%s of %q, then %s of %q", first.Name, first.Images[0].Containerfile, second.Name, second.Images[0].Containerfile)
	}
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
		{"its own", []mcfgv1.MachineOSContainerfile{entry("AMD64", "own")}, "own", 0},
		{"NoArch", []mcfgv1.MachineOSContainerfile{entry("NoArch", "any")}, "any", 0},
		{"empty is NoArch", []mcfgv1.MachineOSContainerfile{entry("", "any")}, "any", 0},
		{"its own before NoArch", []mcfgv1.MachineOSContainerfile{entry("NoArch", "any"), entry("AMD64", "own")}, "own", 1},
		{"its own before NoArch, in the other order", []mcfgv1.MachineOSContainerfile{entry("AMD64", "own"), entry("", "any")}, "own", 0},
		{"not that of another", []mcfgv1.MachineOSContainerfile{entry("ARM64", "other")}, "", -1},
		{"none", nil, "", -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			f.Config.Spec.Containerfile = tc.entries
			s := mustPlan(t, f).Images[0]
			if s.Containerfile != tc.want || s.Entry != tc.entry {
				t.Errorf("got %q of entry %d, want %q of %d", s.Containerfile, s.Entry, tc.want, tc.entry)
			}
		})
	}
}
