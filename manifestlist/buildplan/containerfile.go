package buildplan

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/internal/quote"
)

// containerfiles are the entries of a MachineOSConfig by what they apply to,
// normalized. The position is that of the entry, -1 where there is none.
type containerfiles struct {
	entries []containerfile
}

type containerfile struct {
	// goarch is empty for NoArch.
	goarch   string
	content  string
	position int
}

// readContainerfiles normalizes the entries and reports what no architecture can
// use. Two entries for one architecture, which the CRD refuses, are a problem;
// the content that sorts first is taken, so that the order of the list decides
// nothing.
func readContainerfiles(list []mcfgv1.MachineOSContainerfile, config string) (containerfiles, field.ErrorList) {
	files := containerfiles{entries: make([]containerfile, 0, len(list))}
	var problems field.ErrorList
	path := func(i int) *field.Path {
		return field.NewPath("machineosconfigs").Key(config).Child("spec", "containerFile").Index(i).Child("containerfileArch")
	}
	for i, entry := range list {
		goarch := ""
		if a := entry.ContainerfileArch; a != "" && a != mcfgv1.NoArch {
			known := false
			if goarch, known = arch.Canonical(string(a)); !known {
				problems = append(problems, field.NotSupported(path(i), mcfgv1.ContainerfileArch(quote.Cut(string(a))),
					[]mcfgv1.ContainerfileArch{mcfgv1.Amd64, mcfgv1.Arm64, mcfgv1.Ppc, mcfgv1.S390, mcfgv1.NoArch}))
				continue
			}
		}
		file := containerfile{goarch: goarch, content: normalize(entry.Content), position: i}
		j := slices.IndexFunc(files.entries, func(f containerfile) bool { return f.goarch == goarch })
		if j < 0 {
			files.entries = append(files.entries, file)
			continue
		}
		problems = append(problems, field.Duplicate(path(i), mcfgv1.ContainerfileArch(quote.Cut(string(entry.ContainerfileArch)))))
		if file.content < files.entries[j].content {
			files.entries[j] = file
		}
	}
	return files, problems
}

// forArchitecture returns the architecture's own file, else the one for all.
func (f containerfiles) forArchitecture(goarch string) (containerfile, bool) {
	best, found := containerfile{position: -1}, false
	for _, e := range f.entries {
		if e.goarch == goarch {
			return e, true
		}
		if e.goarch == "" {
			best, found = e, true
		}
	}
	return best, found
}

// normalize gives files that differ only in the style of their line ends, or in
// the newlines at their end, one content. That content is also what is built, so
// equal keys mean equal inputs.
func normalize(content string) string {
	return strings.TrimRight(strings.ReplaceAll(content, "\r\n", "\n"), "\n")
}
