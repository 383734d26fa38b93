package buildplantest

import (
	"regexp"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// spelling is how the API spells the architectures of the payload.
var spelling = map[string]mcfgv1.ContainerfileArch{"amd64": mcfgv1.Amd64, "arm64": mcfgv1.Arm64, "ppc64le": mcfgv1.Ppc, "s390x": mcfgv1.S390}

var crlf, newlinesAtEnd = regexp.MustCompile("\r\n"), regexp.MustCompile("\n*$")

// ContainerfileOracle returns what is built for an architecture.
func ContainerfileOracle(entries []mcfgv1.MachineOSContainerfile, architecture string) string {
	for _, e := range entries {
		if e.ContainerfileArch == spelling[architecture] {
			return normalized(e.Content)
		}
	}
	for _, e := range entries {
		if e.ContainerfileArch == mcfgv1.NoArch || e.ContainerfileArch == "" {
			return normalized(e.Content)
		}
	}
	return ""
}

func normalized(s string) string {
	return newlinesAtEnd.ReplaceAllString(crlf.ReplaceAllString(s, "\n"), "")
}
