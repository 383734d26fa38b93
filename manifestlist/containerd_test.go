package manifestlist

import (
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// TestNormalize has a row for each spelling that normalizeArch of containerd's
// platforms v1.0.0-rc.5, database.go, writes otherwise, and for some that it leaves.
func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"linux/i386/x":       "linux/386",
		"linux/386/x":        "linux/386/x",
		"linux/x86_64":       "linux/amd64",
		"linux/x86-64":       "linux/amd64",
		"linux/X86-64/V1":    "linux/amd64",
		"linux/amd64/v1":     "linux/amd64",
		"linux/amd64/v2":     "linux/amd64/v2",
		"linux/aarch64":      "linux/arm64",
		"linux/aarch64/v8":   "linux/arm64",
		"linux/arm64/8":      "linux/arm64",
		"linux/arm64/v8":     "linux/arm64",
		"linux/arm64/v8.0":   "linux/arm64",
		"linux/arm64/8.0":    "linux/arm64/8.0",
		"linux/arm64/9":      "linux/arm64/v9",
		"linux/arm64/9.0":    "linux/arm64/v9",
		"linux/arm64/v9.0":   "linux/arm64/v9",
		"linux/arm64/v9.1":   "linux/arm64/v9.1",
		"linux/armhf":        "linux/arm/v7",
		"linux/armhf/v5":     "linux/arm/v7",
		"linux/armel":        "linux/arm/v6",
		"linux/armel/v5":     "linux/arm/v6",
		"linux/arm":          "linux/arm/v7",
		"linux/arm/7":        "linux/arm/v7",
		"linux/arm/5":        "linux/arm/v5",
		"linux/arm/6":        "linux/arm/v6",
		"linux/arm/8":        "linux/arm/v8",
		"linux/arm/4":        "linux/arm/4",
		"linux/s390x/v1":     "linux/s390x/v1",
		"macOS/arm64":        "darwin/arm64",
		"/S390X":             "windows/s390x",
		"freebsd/riscv64/8":  "freebsd/riscv64/8",
		"linux/ppc64le/v8.0": "linux/ppc64le/v8.0",
	} {
		if got := normalize(platform(in), "windows"); platformText(got) != want {
			t.Errorf("normalize(%s) = %s, want %s", in, platformText(got), want)
		}
	}
}

// TestContainerdRules has the rows of S3 where two ways to read it part: at the ends
// of the versions, and for variants and versions that are none.
func TestContainerdRules(t *testing.T) {
	for _, tc := range []struct {
		name, index, want string
		position          int
		reason            Reason
	}{
		{"S3: a better rank before more os.features", "linux/amd64 linux/386+a", "linux/amd64+a", 0, ReasonExact},
		{"S3: a better rank before more os.features, the other way round", "linux/386+a linux/amd64", "linux/amd64+a", 1, ReasonExact},
		{"S3: the first of one rank", "linux/amd64/v2 linux/amd64/v2", "linux/amd64/v3", 0, ReasonCompatibleVariant},
		{"S3: win32k counts on linux", "linux/amd64+win32k", "linux/amd64", -1, ""},
		{"S3: another os.feature counts on windows", "windows/amd64+a", "windows/amd64", -1, ""},

		{"S3: a digit is no lower variant of amd64", "linux/amd64/12", "linux/amd64/v20", -1, ""},
		{"S3: another letter is no lower variant of amd64", "linux/amd64/x12", "linux/amd64/v20", -1, ""},
		{"S3: a letter alone is no variant of amd64", "linux/amd64/v", "linux/amd64/v3", -1, ""},
		{"S3: two letters are no variant of amd64", "linux/amd64/vv2", "linux/amd64/v3", -1, ""},
		{"S3: a zero in front is no lower variant of amd64", "linux/amd64/v02", "linux/amd64/v3", -1, ""},
		{"S3: v10 of amd64", "linux/amd64/v10", "linux/amd64/v12", 0, ReasonCompatibleVariant},
		{"S3: v2 is not lower than 2", "linux/amd64/v2", "linux/amd64/2", -1, ""},
		{"S3: nothing is lower than 1", "linux/amd64", "linux/amd64/1", -1, ""},
		{"S3: nothing is lower than what is no number", "linux/amd64", "linux/amd64/v99999999999999999999", -1, ""},
		{"S3: far above, and amd64 all the same", "linux/386 linux/amd64", "linux/amd64/v99999", 1, ReasonCompatibleVariant},

		{"S3: the lowest variant of arm", "linux/arm/v5", "linux/arm", 0, ReasonCompatibleVariant},
		{"S3: v9 is not lower than 9", "linux/arm/v9", "linux/arm/9", -1, ""},
		{"S3: nothing is lower than an arm that is no number", "linux/arm/v6", "linux/arm/v99999999999999999999", -1, ""},
		{"S3: far above, and arm all the same", "linux/arm/v6", "linux/arm/v99999", 0, ReasonCompatibleVariant},

		{"S3: another architecture of the variant", "linux/ppc64le/v7", "linux/arm", -1, ""},
		{"S3: arm64 runs no arm after v8", "linux/arm/v9", "linux/arm64", -1, ""},
		{"S3: v8.1 runs v8", "linux/arm64", "linux/arm64/v8.1", 0, ReasonCompatibleVariant},
		{"S3: v8.1 does not run v8.2", "linux/arm64/v8.2", "linux/arm64/v8.1", -1, ""},
		{"S3: v8.9 does not run v9", "linux/arm64/v9", "linux/arm64/v8.9", -1, ""},
		{"S3: v9 runs v8.5", "linux/arm64/v8.5", "linux/arm64/v9", 0, ReasonCompatibleVariant},
		{"S3: v9 before v8.5", "linux/arm64/v8.5 linux/arm64/v9", "linux/arm64/v9.1", 1, ReasonCompatibleVariant},
		{"S3: two digits behind the point", "linux/arm64", "linux/arm64/v8.10", -1, ""},
		{"S3: none behind the point", "linux/arm64", "linux/arm64/v8.", -1, ""},
		{"S3: another letter than a point", "linux/arm64", "linux/arm64/v8x1", -1, ""},
		{"S3: another letter than v", "linux/arm64", "linux/arm64/x9.1", -1, ""},
		{"S3: one letter", "linux/arm64", "linux/arm64/x", -1, ""},
		{"S3: another version", "linux/arm64", "linux/arm64/v7.1", -1, ""},
		{"S3: a sign below the digits", "linux/arm64/v8.-", "linux/arm64/v8.2", -1, ""},
		{"S3: v8.9 and v9.7 are the last", "linux/arm64/v9.7 linux/arm64/v8.9", "linux/arm64/v8.9", 1, ReasonExact},
		{"S3: a sign below the digits is wanted", "linux/arm64", "linux/arm64/v8.-", -1, ""},
		{"S3: a sign above the digits is wanted", "linux/arm64", "linux/arm64/v8.:", -1, ""},
		{"S3: a variant that is none", "linux/arm64/v8.: linux/arm64/x", "linux/arm64/v9.7", -1, ""},

		{"S3: os.version does not count on linux, however it is written", "linux/amd64@10.0.1", "linux/amd64@10.0.2", 0, ReasonExact},
		{"S3: windows, another minor", "windows/amd64@10.1.20348.1", "windows/amd64@10.0.20348.1", -1, ""},
		{"S3: windows 2022 runs itself", "windows/amd64@10.0.20348", "windows/amd64@10.0.20348", 0, ReasonExact},
		{"S3: windows 2022 runs nothing before", "windows/amd64@10.0.20347", "windows/amd64@10.0.20348", -1, ""},
		{"S3: windows, a wanted build that is too large", "windows/amd64@10.0.17763.1", "windows/amd64@10.0.65536", 0, ReasonExact},
		{"S3: windows, a wanted version of two parts", "windows/amd64@11.0.1", "windows/amd64@10.0", 0, ReasonExact},
		{"S3: windows, a wanted version of one part", "windows/amd64@11.0.1", "windows/amd64@10", 0, ReasonExact},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkChoice(t, entries(tc.index), *platform(tc.want), SelectOptions{Policy: Containerd}, tc.position, tc.reason)
		})
	}
}

// Of entries that nothing tells apart, the first is chosen.
func TestSelectTakesTheFirstOfEquals(t *testing.T) {
	twice := on("linux/arm64").Descriptor
	index := ocispec.Index{Manifests: []ocispec.Descriptor{twice, twice}}
	for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
		checkChoice(t, index, *platform("linux/arm64"), SelectOptions{Policy: policy}, 0, ReasonExact)
	}
}
