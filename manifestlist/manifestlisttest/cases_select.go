package manifestlisttest

import ()

// A SelectCase is one choice out of an index.
type SelectCase struct {
	Rules    string // their IDs
	Name     string
	Policy   string
	Index    string // its entries, for [Entries]
	Want     string // for [Platform]
	Host     string // for [Platform], or ""
	Position int    // -1: nothing is there, -2: it is an index itself
	Reason   string // what polyarch reports
}

// SelectCases are the cases of all policies but for [Measured].
func SelectCases() []SelectCase {
	return append([]SelectCase{
		{"strict-is-exact", "exact", Strict, "linux/amd64 linux/arm64", "linux/arm64", "", 1, "Exact"},
		{"strict-is-exact", "exact variant", Strict, "linux/arm/v6 linux/arm/v7", "linux/arm/v6", "", 0, "Exact"},
		{"strict-is-exact", "none wanted is the baseline", Strict, "linux/amd64/v2 linux/amd64/v1", "linux/amd64", "", 1, "EquivalentVariant"},
		{"strict-is-exact", "baseline wanted, none written", Strict, "linux/arm64", "linux/arm64/v8", "", 0, "EquivalentVariant"},
		{"strict-is-exact", "no variant is no wildcard", Strict, "linux/arm/v6", "linux/arm", "", -1, ""},
		{"strict-is-exact", "no lower variant", Strict, "linux/amd64", "linux/amd64/v3", "", -1, ""},
		{"strict-is-exact", "v8 is no baseline of amd64", Strict, "linux/amd64/v8", "linux/amd64", "", -1, ""},
		{"strict-is-exact", "another os", Strict, "windows/amd64", "linux/amd64", "", -1, ""},
		{"strict-is-exact", "os.version only if wanted", Strict, "windows/amd64@1", "windows/amd64", "", 0, "Exact"},
		{"strict-is-exact", "os.version wanted", Strict, "windows/amd64@1 windows/amd64@2", "windows/amd64@2", "", 1, "Exact"},
		{"strict-is-exact", "os.version wanted, none written", Strict, "windows/amd64", "windows/amd64@2", "", -1, ""},
		{"strict-is-exact", "os.features only if wanted", Strict, "linux/amd64+a", "linux/amd64", "", 0, "Exact"},
		{"strict-is-exact", "os.features wanted, as a set", Strict, "linux/amd64 linux/amd64+b+a", "linux/amd64+a+b", "", 1, "Exact"},
		{"strict-is-exact", "os.features wanted, more written", Strict, "linux/amd64+a+b", "linux/amd64+a", "", -1, ""},
		{"strict-is-exact", "nil never matches", Strict, "nil", "/", "", -1, ""},
		{"strict-is-exact", "several: canonical order, os.version", Strict, "windows/amd64@2 windows/amd64@1", "windows/amd64", "", 1, "Exact"},
		{"strict-is-exact", "several: canonical order, os.features", Strict, "linux/amd64+a linux/amd64", "linux/amd64", "", 1, "Exact"},
		{"strict-is-exact", "several: canonical order, digest", Strict, "linux/arm64/v8 linux/arm64", "linux/arm64", "", 1, "Exact"},
		{"host-stands-in", "the host does not count", Strict, "linux/amd64", "/", "linux/amd64", -1, ""},
		{"strict-is-exact", "nothing there", Strict, "", "linux/amd64", "", -1, ""},

		{"openshift-legacy-falls-back", "exact", OpenShiftLegacy, "linux/amd64 linux/arm64", "linux/arm64", "", 1, "Exact"},
		{"openshift-legacy-falls-back", "first of several", OpenShiftLegacy, "linux/amd64 linux/arm/v6 linux/arm/v7", "linux/arm/v7", "", 1, "Exact"},
		{"openshift-legacy-falls-back", "os.version is ignored", OpenShiftLegacy, "linux/amd64 windows/amd64@1", "windows/amd64@2", "", 1, "Exact"},
		{"openshift-legacy-falls-back", "no alias", OpenShiftLegacy, "linux/s390x linux/aarch64", "linux/arm64", "", 0, "FallbackFirst"},
		{"host-stands-in", "architecture of the host", OpenShiftLegacy, "linux/amd64 linux/arm64", "linux/", "windows/arm64", 1, "Exact"},
		{"host-stands-in", "os of the host", OpenShiftLegacy, "linux/amd64 windows/amd64", "/amd64", "windows/arm64", 1, "Exact"},
		{"host-stands-in", "both of the host", OpenShiftLegacy, "linux/amd64 linux/ppc64le", "/", "linux/ppc64le", 1, "Exact"},
		{"openshift-legacy-falls-back", "else linux/amd64", OpenShiftLegacy, "linux/arm64 linux/amd64/v2 linux/amd64", "linux/s390x", "", 1, "FallbackLinuxAMD64"},
		{"openshift-legacy-falls-back", "else the first", OpenShiftLegacy, "linux/arm64 linux/ppc64le", "linux/s390x", "", 0, "FallbackFirst"},
		{"openshift-legacy-falls-back", "the first may be an attestation", OpenShiftLegacy, "attestation linux/arm64", "linux/s390x", "", 0, "FallbackFirst"},
		{"openshift-legacy-falls-back", "the first may be without a platform", OpenShiftLegacy, "nil linux/arm64", "linux/s390x", "", 0, "FallbackFirst"},
		{"openshift-legacy-falls-back", "no platform reads as empty", OpenShiftLegacy, "linux/amd64 nil", "/", "", 1, "Exact"},
		{"openshift-legacy-falls-back", "an empty index", OpenShiftLegacy, "", "linux/amd64", "", -1, ""},
		{"openshift-legacy-falls-back", "a nested index", OpenShiftLegacy, "linux/arm64 index:linux/amd64", "linux/amd64", "", -2, ""},
		{"openshift-legacy-falls-back", "a nested list as the fallback", OpenShiftLegacy, "list:nil", "linux/amd64", "", -2, ""},

		{"containers-image-ranks", "exact", ContainersImage, "linux/amd64 linux/arm64", "linux/arm64", "", 1, "Exact"},
		{"containers-image-ranks", "arm64/v8 and none", ContainersImage, "linux/arm64/v8", "linux/arm64", "", 0, "EquivalentVariant"},
		{"containers-image-ranks", "arm64 none and v8", ContainersImage, "linux/arm64", "linux/arm64/v8", "", 0, "EquivalentVariant"},
		{"containers-image-ranks", "none wanted: none first", ContainersImage, "linux/arm/v8 linux/arm", "linux/arm", "", 1, "Exact"},
		{"containers-image-ranks", "none wanted: then the most capable", ContainersImage, "linux/arm/v6 linux/arm/v7", "linux/arm", "", 1, "EquivalentVariant"},
		{"containers-image-ranks", "lower variants", ContainersImage, "linux/arm/v5 linux/arm/v6", "linux/arm/v7", "", 1, "CompatibleVariant"},
		{"containers-image-ranks", "no higher variant", ContainersImage, "linux/arm/v8", "linux/arm/v7", "", -1, ""},
		{"containers-image-ranks", "none is the last resort", ContainersImage, "linux/arm linux/arm/v5", "linux/arm/v6", "", 1, "CompatibleVariant"},
		{"containers-image-ranks", "none for a variant it does not know", ContainersImage, "linux/amd64", "linux/amd64/v3", "", 0, "CompatibleVariant"},
		{"containers-image-ranks", "no v1 for none", ContainersImage, "linux/amd64/v1", "linux/amd64", "", -1, ""},
		{"containers-image-ranks", "no alias", ContainersImage, "linux/aarch64", "linux/arm64", "", -1, ""},
		{"containers-image-ranks", "os.version is ignored", ContainersImage, "windows/amd64@1 windows/amd64@2", "windows/amd64@2", "", 0, "Exact"},
		{"containers-image-ranks", "no platform is the last resort", ContainersImage, "nil linux/arm", "linux/arm/v6", "", 1, "CompatibleVariant"},
		{"containers-image-ranks", "no platform", ContainersImage, "nil linux/arm", "linux/s390x", "", 0, "NoPlatform"},
		{"containers-image-ranks", "zstd first", ContainersImage, "linux/amd64 zstd:linux/amd64", "linux/amd64", "", 1, "Exact"},
		{"containers-image-ranks", "zstd of one platform only", ContainersImage, "linux/arm/v7 zstd:linux/arm/v6", "linux/arm/v7", "", 0, "Exact"},
		{"containers-image-ranks", "zstd first without a platform too", ContainersImage, "nil zstd:nil", "linux/amd64", "", 1, "NoPlatform"},
		{"host-stands-in", "the host", ContainersImage, "linux/amd64 linux/arm64", "/", "linux/arm64", 1, "Exact"},
	}, containerdCases()...)
}

func containerdCases() []SelectCase {
	return []SelectCase{
		{"containerd-ranks", "exact", Containerd, "linux/amd64 linux/arm64", "linux/arm64", "", 1, "Exact"},
		{"containerd-ranks", "equivalent variant", Containerd, "linux/amd64/v1", "linux/amd64", "", 0, "EquivalentVariant"},
		{"containerd-ranks", "arm is arm/v7", Containerd, "linux/arm/v6 linux/arm", "linux/arm/v7", "", 1, "EquivalentVariant"},
		{"containerd-ranks", "alias of the entry", Containerd, "linux/x86_64", "linux/amd64", "", 0, "Alias"},
		{"containerd-ranks", "alias of the wanted", Containerd, "linux/arm64", "linux/aarch64", "", 0, "Alias"},
		{"containerd-ranks", "letter case", Containerd, "Linux/AMD64", "linux/amd64", "", 0, "Alias"},
		{"containerd-ranks", "macos", Containerd, "darwin/arm64", "macos/arm64", "", 0, "Alias"},
		{"containerd-ranks", "armhf and armel", Containerd, "linux/armel linux/armhf", "linux/arm/v7", "", 1, "Alias"},
		{"containerd-ranks", "a digit for a variant", Containerd, "linux/arm/6 linux/arm/7", "linux/arm", "", 1, "EquivalentVariant"},
		{"containerd-ranks", "the best variant wins, not the first", Containerd, "linux/amd64 linux/amd64/v2 linux/amd64/v3 linux/amd64/v4", "linux/amd64/v3", "", 2, "Exact"},
		{"containerd-ranks", "lower amd64 variant", Containerd, "linux/amd64 linux/amd64/v2", "linux/amd64/v3", "", 1, "CompatibleVariant"},
		{"containerd-ranks", "amd64 baseline for v3", Containerd, "linux/amd64/v1", "linux/amd64/v3", "", 0, "CompatibleVariant"},
		{"containerd-ranks", "no higher amd64 variant", Containerd, "linux/amd64/v3", "linux/amd64/v2", "", -1, ""},
		{"containerd-ranks", "no variant that is no number", Containerd, "linux/amd64/vx linux/amd64/v02 linux/amd64/v-1", "linux/amd64/v4", "", -1, ""},
		{"containerd-ranks", "386 for amd64", Containerd, "linux/386", "linux/amd64", "", 0, "CompatibleArchitecture"},
		{"containerd-ranks", "i386 for amd64", Containerd, "linux/i386/x", "linux/amd64", "", 0, "CompatibleArchitecture"},
		{"containerd-ranks", "386 with a variant is another thing", Containerd, "linux/386/sse2", "linux/amd64", "", -1, ""},
		{"containerd-ranks", "amd64 before 386", Containerd, "linux/386 linux/amd64", "linux/amd64/v4", "", 1, "CompatibleVariant"},
		{"containerd-ranks", "lower arm variant", Containerd, "linux/arm/v5 linux/arm/v6", "linux/arm", "", 1, "CompatibleVariant"},
		{"containerd-ranks", "no arm before v5", Containerd, "linux/arm/v4", "linux/arm/v7", "", -1, ""},
		{"containerd-ranks", "no higher arm variant", Containerd, "linux/arm/v7", "linux/arm/v6", "", -1, ""},
		{"containerd-ranks", "an arm variant that is no number", Containerd, "linux/arm linux/arm/x", "linux/arm/x", "", 1, "Exact"},
		{"containerd-ranks", "arm for arm64, the best one", Containerd, "linux/arm/v6 linux/arm/v8", "linux/arm64", "", 1, "CompatibleArchitecture"},
		{"containerd-ranks", "arm64 before arm", Containerd, "linux/arm/v8 linux/arm64", "linux/arm64/v9", "", 1, "CompatibleVariant"},
		{"containerd-ranks", "arm64/v9.2: its own, then v9.1", Containerd, "linux/arm64/v9 linux/arm64/v9.1 linux/arm64/v9.3", "linux/arm64/v9.2", "", 1, "CompatibleVariant"},
		{"containerd-ranks", "arm64/v9.2: then v8.7", Containerd, "linux/arm64/v8.6 linux/arm64/v8.7 linux/arm64/v8.8", "linux/arm64/v9.2", "", 1, "CompatibleVariant"},
		{"containerd-ranks", "arm64/v9.7 has no v8.12", Containerd, "linux/arm64/v8.9", "linux/arm64/v9.7", "", 0, "CompatibleVariant"},
		{"containerd-ranks", "arm64/v9 is no v8.6", Containerd, "linux/arm64/v8.6", "linux/arm64/v9", "", -1, ""},
		{"containerd-ranks", "arm64/v10 matches nothing, not even itself", Containerd, "linux/arm64/v10 linux/arm64", "linux/arm64/v10", "", -1, ""},
		{"containerd-ranks", "arm64/v9.8 is not known", Containerd, "linux/arm64", "linux/arm64/v9.8", "", -1, ""},
		{"containerd-ranks", "others only with their own variant", Containerd, "linux/ppc64le/power9 linux/ppc64le", "linux/ppc64le", "", 1, "Exact"},
		{"host-stands-in", "os of the host for an entry", Containerd, "/amd64", "linux/amd64", "linux/", 0, "Alias"},
		{"host-stands-in", "os of the host for the wanted", Containerd, "windows/amd64 linux/amd64", "/amd64", "linux/", 1, "Alias"},
		{"host-stands-in", "the architecture of the host does not count", Containerd, "linux/amd64", "linux/", "linux/amd64", -1, ""},
		{"containerd-ranks", "os.features must be offered", Containerd, "linux/amd64+a", "linux/amd64", "", -1, ""},
		{"containerd-ranks", "most os.features first", Containerd, "linux/amd64 linux/amd64+a linux/amd64+a+b", "linux/amd64+b+a", "", 2, "Exact"},
		{"containerd-ranks", "os.version does not count on linux", Containerd, "linux/amd64@1", "linux/amd64@2", "", 0, "Exact"},
		{"containerd-ranks", "windows: any version if none is wanted", Containerd, "windows/amd64@10.0.17763.1 windows/amd64@10.0.20348.1", "windows/amd64", "", 0, "Exact"},
		{"containerd-ranks", "windows: no version matches every", Containerd, "windows/amd64", "windows/amd64@10.0.17763", "", 0, "Exact"},
		{"containerd-ranks", "windows before 2022: own build only", Containerd, "windows/amd64@10.0.17762.1 windows/amd64@10.0.17763.2", "windows/amd64@10.0.17763.1", "", 1, "Exact"},
		{"containerd-ranks", "windows from 2022: down to 2022", Containerd, "windows/amd64@10.0.17763 windows/amd64@10.0.20348.9 windows/amd64@10.0.26100", "windows/amd64@10.0.26100.1", "", 1, "Exact"},
		{"containerd-ranks", "windows: no newer image", Containerd, "windows/amd64@10.0.26100.1", "windows/amd64@10.0.20348.1", "", -1, ""},
		{"containerd-ranks", "windows: another major", Containerd, "windows/amd64@11.0.20348.1", "windows/amd64@10.0.20348.1", "", -1, ""},
		{"containerd-ranks", "windows: a wanted version that cannot be read", Containerd, "windows/amd64@10.0.20348.1", "windows/amd64@ltsc2022", "", 0, "Exact"},
		{"containerd-ranks", "windows: a version of the entry that cannot be read", Containerd, "windows/amd64@ltsc2022 windows/amd64@10.0.65536", "windows/amd64@10.0.20348.1", "", -1, ""},
		{"containerd-ranks", "windows: win32k does not count", Containerd, "windows/amd64+win32k", "windows/amd64", "", 0, "Exact"},
		{"containerd-ranks", "no platform is the last resort", Containerd, "nil linux/386", "linux/amd64", "", 1, "CompatibleArchitecture"},
		{"containerd-ranks", "no platform", Containerd, "linux/arm64 nil nil", "linux/amd64", "", 1, "NoPlatform"},
		{"containerd-ranks", "nothing there", Containerd, "", "linux/amd64", "", -1, ""},
	}
}

// A MeasuredCase is what the importer of openshift-apiserver, containerd and
// containers/image were seen to choose, and what Strict makes of it. -1 is nothing.
type MeasuredCase struct {
	Index, Want                                 string
	Legacy, Containerd, ContainersImage, Strict int
}

// Measured are those cases.
func Measured() []MeasuredCase {
	return []MeasuredCase{
		{"linux/arm/v6 linux/arm/v7", "linux/arm/v7", 0, 1, 1, 1},
		{"linux/arm64", "linux/arm64/v8", 0, 0, 0, 0},
		{"linux/amd64/v2 linux/amd64", "linux/amd64", 0, 1, 1, 1},
		{"linux/amd64/v8", "linux/amd64", 0, -1, -1, -1},
		{"nil linux/amd64", "linux/amd64", 1, 1, 1, 1},
		{"nil linux/amd64", "linux/s390x", 1, 0, 0, -1},
		{"linux/amd64 linux/aarch64", "linux/arm64", 0, 1, -1, -1},
		{"linux/arm/v7", "linux/arm64", 0, 0, -1, -1},
		{"attestation linux/arm64", "linux/s390x", 0, -1, -1, -1},
	}
}
