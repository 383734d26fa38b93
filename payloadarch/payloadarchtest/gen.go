package payloadarchtest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
)

// clusterRules are the rules that decide on a cluster.
func clusterRules() []string {
	return []string{"no-cluster-version", "unrecognized-architecture", "nothing-desired", "reported-multi", "gate-not-observed",
		"gate-version-unknown", "gate-disabled", "installing-is-single", "updating-is-unknown", "settled-is-single"}
}

// Clusters draws what a cluster shows, each rule as often as another.
func Clusters() *rapid.Generator[Cluster] {
	return rapid.Custom(func(t *rapid.T) Cluster {
		return ClusterOf(rapid.SampledFrom(clusterRules()).Draw(t, "situation")).Draw(t, "cluster")
	})
}

// ClusterOf draws clusters that the rule of this id decides on. All that the rule does
// not speak of is arbitrary.
func ClusterOf(rule string) *rapid.Generator[Cluster] {
	return rapid.Custom(func(t *rapid.T) Cluster {
		version := rapid.SampledFrom([]string{VersionA, VersionB, ""}).Draw(t, "version")
		image := rapid.SampledFrom([]string{ImageA, ImageB}).Draw(t, "image")
		if version != "" && rapid.IntRange(0, 5).Draw(t, "no image") == 0 {
			image = ""
		}
		arch := configv1.ClusterVersionArchitecture("")
		switch rule {
		case "unrecognized-architecture":
			arch = rapid.OneOf(rapid.SampledFrom([]configv1.ClusterVersionArchitecture{"multi", "MULTI", "Multi ", "amd64", "ARM64", "Single"}),
				rapid.Map(rapid.StringN(1, 8, -1), func(s string) configv1.ClusterVersionArchitecture {
					return "x" + configv1.ClusterVersionArchitecture(s)
				})).Draw(t, "architecture")
		case "reported-multi":
			arch = multi
		case "nothing-desired":
			version, image = "", ""
			arch = rapid.SampledFrom([]configv1.ClusterVersionArchitecture{"", multi}).Draw(t, "architecture")
		}
		cv := ClusterVersion(arch, version, image, Histories().Draw(t, "history")...)
		gates := Gates().Draw(t, "gates")
		switch rule {
		case "no-cluster-version":
			cv = nil
		case "gate-not-observed":
			gates = nil
		case "gate-version-unknown":
			gates = without(gates, version)
		case "gate-disabled":
			gates = without(gates, version)
			entry := rapid.SampledFrom([]configv1.FeatureGateDetails{Disabled(version), {Version: version}}).Draw(t, "entry")
			gates.Status.FeatureGates = insert(t, gates.Status.FeatureGates, entry)
		case "installing-is-single", "updating-is-unknown", "settled-is-single":
			gates = without(gates, version)
			gates.Status.FeatureGates = insert(t, gates.Status.FeatureGates, Enabled(version))
			cv.Status.History = historyOf(t, rule, cv.Status.History, image)
		}
		return Cluster{cv, gates}
	})
}

// without returns the gates without an entry of the version.
func without(gates *configv1.FeatureGate, version string) *configv1.FeatureGate {
	if gates == nil {
		return FeatureGate()
	}
	gates.Status.FeatureGates = slices.DeleteFunc(gates.Status.FeatureGates, func(e configv1.FeatureGateDetails) bool { return e.Version == version })
	return gates
}

func insert[T any](t *rapid.T, list []T, one T) []T {
	return slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "at"), one)
}

// historyOf makes a history show an installation of the image, an update to it, or
// that it runs.
func historyOf(t *rapid.T, rule string, older []configv1.UpdateHistory, image string) []configv1.UpdateHistory {
	newest := configv1.UpdateHistory{Version: VersionA, Image: image}
	if rule == "settled-is-single" {
		newest.State = configv1.CompletedUpdate
		return append([]configv1.UpdateHistory{newest}, older...)
	}
	newest.State = rapid.SampledFrom([]configv1.UpdateState{configv1.PartialUpdate, ""}).Draw(t, "state")
	if rule == "installing-is-single" {
		return []configv1.UpdateHistory{newest}
	}
	switch rapid.IntRange(0, 3).Draw(t, "update") {
	case 0:
		return nil
	case 1:
		newest.State, newest.Image = configv1.CompletedUpdate, "another/"+image
	case 2:
		newest.Image = "another/" + image
	default:
		older = append(older, Completed(VersionA, ImageA))
	}
	return append([]configv1.UpdateHistory{newest}, older...)
}

// Histories draws zero to three updates of two releases.
func Histories() *rapid.Generator[[]configv1.UpdateHistory] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) configv1.UpdateHistory {
		return configv1.UpdateHistory{
			State:   rapid.SampledFrom([]configv1.UpdateState{configv1.CompletedUpdate, configv1.PartialUpdate, ""}).Draw(t, "state"),
			Version: rapid.SampledFrom([]string{VersionA, VersionB, ""}).Draw(t, "version"),
			Image:   rapid.SampledFrom([]string{ImageA, ImageB, ""}).Draw(t, "image"),
		}
	}), 0, 3)
}

// Gates draws no FeatureGate, or one with zero to three entries.
func Gates() *rapid.Generator[*configv1.FeatureGate] {
	return rapid.Custom(func(t *rapid.T) *configv1.FeatureGate {
		if rapid.IntRange(0, 3).Draw(t, "there") == 0 {
			return nil
		}
		var entries []configv1.FeatureGateDetails
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			version := rapid.SampledFrom([]string{VersionA, VersionB, "", "4.19.0-rc.1"}).Draw(t, "version")
			entries = append(entries, rapid.SampledFrom([]configv1.FeatureGateDetails{Enabled(version), Disabled(version), {Version: version}}).Draw(t, "entry"))
		}
		return FeatureGate(entries...)
	})
}

// PayloadArchs draws status.payloadArch: a legal value, empty, or another one.
func PayloadArchs() *rapid.Generator[string] {
	return rapid.OneOf(legalPayloadArch(), rapid.Just(""), otherPayloadArch())
}

func legalPayloadArch() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"Multi", "AMD64", "ARM64", "PPC64LE", "S390X"})
}

func otherPayloadArch() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"multi", "MULTI", "amd64", "x86_64", " ", "Multi ", "Single", "RISCV64"}),
		rapid.Map(rapid.StringN(1, 6, -1), func(s string) string { return "x" + s }))
}

func architectures() []string { return []string{"amd64", "arm64", "ppc64le", "s390x"} }

// spellings are the other spellings of each architecture of a payload.
func spellings() map[string][]string {
	return map[string][]string{
		"amd64":   {"AMD64", "x86_64", "x86-64", "X86_64", " amd64"},
		"arm64":   {"ARM64", "aarch64", "AARCH64", "arm64\t"},
		"ppc64le": {"PPC64LE", "Ppc64le"},
		"s390x":   {"S390X", " s390x "},
	}
}

// some draws some of the architectures of a payload, each once.
func some(t *rapid.T, least, most int) []string {
	return rapid.Permutation(architectures()).Draw(t, "architectures")[:rapid.IntRange(least, most).Draw(t, "how many")]
}

func linux(arch string) *Platform { return &Platform{"linux", arch} }

func allLinux(names []string) (entries []*Platform) {
	for _, name := range names {
		entries = append(entries, linux(name))
	}
	return entries
}

// odd draws an entry that counts for nothing, by the rule that leaves it out.
func odd(t *rapid.T, rule string) *Platform {
	switch rule {
	case "index-attestation":
		return &Platform{"unknown", "unknown"}
	case "index-other-system":
		return &Platform{rapid.SampledFrom([]string{"windows", "freebsd", "", "Linux", "unknown"}).Draw(t, "os"),
			rapid.SampledFrom(architectures()).Draw(t, "architecture")}
	case "index-other-architecture":
		return linux(rapid.SampledFrom([]string{"riscv64", "loong64", "arm", "386", "", "unknown", "NoArch", "amd64,arm64"}).Draw(t, "architecture"))
	}
	return nil
}

func oddRules() []string {
	return []string{"index-no-platform", "index-attestation", "index-other-system", "index-other-architecture"}
}

// Indexes draws zero to six entries: two in three of an architecture of a payload, in
// its own or in another spelling, the others of those that count for nothing.
func Indexes() *rapid.Generator[[]*Platform] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *Platform {
		name := rapid.SampledFrom(architectures()).Draw(t, "architecture")
		switch rapid.IntRange(0, 5).Draw(t, "entry") {
		case 0, 1, 2:
			return linux(name)
		case 3:
			return linux(rapid.SampledFrom(spellings()[name]).Draw(t, "spelling"))
		}
		return odd(t, rapid.SampledFrom(oddRules()).Draw(t, "odd"))
	}), 0, 6)
}

// Names draws names as they are kept: architectures and what might be taken for one.
func Names() *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(append(architectures(), "x86_64", "AMD64", "riscv64", "a\x00b")),
		rapid.StringMatching(`[a-zA-Z0-9_é☃.-]{1,6}`)), 0, 6)
}

// TypedNames draws names as somebody types them: blanks around them, commas and
// empty names among them.
func TypedNames() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		names := Names().Draw(t, "names")
		for range rapid.IntRange(0, 3).Draw(t, "empty names") {
			names = insert(t, names, rapid.SampledFrom([]string{"", " ", "\t\n", ",", " , "}).Draw(t, "empty"))
		}
		for i := range names {
			names[i] = strings.Repeat(" ", rapid.IntRange(0, 2).Draw(t, "blanks")) + names[i] + rapid.SampledFrom([]string{"", " ", "\t", "\n", ","}).Draw(t, "end")
		}
		return names
	})
}
