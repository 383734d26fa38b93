package buildplantest

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// DrawArchitectures draws one to four architectures of the payload.
func DrawArchitectures(t *rapid.T) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"amd64", "arm64", "ppc64le", "s390x"}), 1, 4, rapid.ID[string]).Draw(t, "architectures")
}

// DrawContainerfiles draws up to four containerfiles that the CRD takes.
func DrawContainerfiles(t *rapid.T) []mcfgv1.MachineOSContainerfile {
	files := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) mcfgv1.MachineOSContainerfile {
		return entry(
			rapid.SampledFrom([]mcfgv1.ContainerfileArch{mcfgv1.Amd64, mcfgv1.Arm64, mcfgv1.Ppc, mcfgv1.S390, mcfgv1.NoArch}).Draw(t, "arch"),
			strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"FROM configs", "\r\n", "\n", "\r", " ", "RUN true", "ü"}), 0, 12).Draw(t, "content"), ""))
	}), 0, 4, func(c mcfgv1.MachineOSContainerfile) mcfgv1.ContainerfileArch { return c.ContainerfileArch }).Draw(t, "containerfiles")
	if rapid.Bool().Draw(t, "empty is NoArch") {
		for i := range files {
			if files[i].ContainerfileArch == mcfgv1.NoArch {
				files[i].ContainerfileArch = ""
			}
		}
	}
	return files
}

// DrawFacts draws facts that nothing is wrong with and of which nothing was built.
func DrawFacts(t *rapid.T) Facts {
	f := FactsFor(DrawArchitectures(t)...)
	f.Config.Spec.Containerfile = DrawContainerfiles(t)
	f.Rendered.Spec.KernelType = rapid.SampledFrom([]string{"", "default", "realtime"}).Draw(t, "kernel")
	f.Rendered.Spec.Extensions = rapid.SliceOfN(rapid.SampledFrom([]string{"usbguard", "ipsec", "kerberos"}), 0, 3).Draw(t, "extensions")
	return f
}

// DrawName draws a name that the API server takes for a pool or a config.
func DrawName(t *rapid.T, label string) string {
	// A pattern alone seldom makes long names.
	return rapid.OneOf(rapid.StringMatching(`[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,60}[a-z0-9])?){0,4}`),
		rapid.StringMatching(`[a-z]([-a-z0-9]{30,61}[a-z0-9])(\.[a-z0-9]([-a-z0-9]{20,60}[a-z0-9])){1,3}`)).
		Filter(func(s string) bool { return len(validation.IsDNS1123Subdomain(s)) == 0 }).Draw(t, label)
}

// DrawPushSpec draws a push spec that has a form by digest.
func DrawPushSpec(t *rapid.T) string {
	return rapid.StringMatching(`([a-z0-9-]{1,20}\.){1,3}[a-z]{1,9}(:[0-9]{2,5})?/([a-z0-9-_]{1,61}/)?[a-z0-9-_.]{1,40}:[a-zA-Z0-9_][a-zA-Z0-9._-]{0,99}`).Draw(t, "push spec")
}

func shuffled[T any](t *rapid.T, list []T, label string) []T {
	if len(list) == 0 {
		return slices.Clone(list)
	}
	return rapid.Permutation(list).Draw(t, label)
}
