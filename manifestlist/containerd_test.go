package manifestlist

import "testing"

// TestContainerdRules has the rows for S3.
func TestContainerdRules(t *testing.T) {
	for _, tc := range []struct {
		name     string
		index    string
		want     string
		host     string
		position int
		reason   Reason
	}{
		{"S3,S6: exact", "linux/amd64 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S3,S6: equivalent variant", "linux/amd64/v1", "linux/amd64", "", 0, ReasonEquivalentVariant},
		{"S3: arm is arm/v7", "linux/arm/v6 linux/arm", "linux/arm/v7", "", 1, ReasonEquivalentVariant},
		{"S3,S6: alias of the entry", "linux/x86_64", "linux/amd64", "", 0, ReasonAlias},
		{"S3: alias of the wanted", "linux/arm64", "linux/aarch64", "", 0, ReasonAlias},
		{"S3: letter case", "Linux/AMD64", "linux/amd64", "", 0, ReasonAlias},
		{"S3: macos", "darwin/arm64", "macos/arm64", "", 0, ReasonAlias},
		{"S3: armhf and armel", "linux/armel linux/armhf", "linux/arm/v7", "", 1, ReasonAlias},
		{"S3: a digit for a variant", "linux/arm/6 linux/arm/7", "linux/arm", "", 1, ReasonEquivalentVariant},
		{"S3: the best variant wins, not the first", "linux/amd64 linux/amd64/v2 linux/amd64/v3 linux/amd64/v4", "linux/amd64/v3", "", 2, ReasonExact},
		{"S3,S6: lower amd64 variant", "linux/amd64 linux/amd64/v2", "linux/amd64/v3", "", 1, ReasonCompatibleVariant},
		{"S3: amd64 baseline for v3", "linux/amd64/v1", "linux/amd64/v3", "", 0, ReasonCompatibleVariant},
		{"S3: no higher amd64 variant", "linux/amd64/v3", "linux/amd64/v2", "", -1, ""},
		{"S3: no variant that is no number", "linux/amd64/vx linux/amd64/v02 linux/amd64/v-1", "linux/amd64/v4", "", -1, ""},
		{"S3,S6: 386 for amd64", "linux/386", "linux/amd64", "", 0, ReasonCompatibleArchitecture},
		{"S3: i386 for amd64", "linux/i386/x", "linux/amd64", "", 0, ReasonCompatibleArchitecture},
		{"S3: 386 with a variant is another thing", "linux/386/sse2", "linux/amd64", "", -1, ""},
		{"S3: amd64 before 386", "linux/386 linux/amd64", "linux/amd64/v4", "", 1, ReasonCompatibleVariant},
		{"S3: lower arm variant", "linux/arm/v5 linux/arm/v6", "linux/arm", "", 1, ReasonCompatibleVariant},
		{"S3: no arm before v5", "linux/arm/v4", "linux/arm/v7", "", -1, ""},
		{"S3: no higher arm variant", "linux/arm/v7", "linux/arm/v6", "", -1, ""},
		{"S3: an arm variant that is no number", "linux/arm linux/arm/x", "linux/arm/x", "", 1, ReasonExact},
		{"S3: arm for arm64, the best one", "linux/arm/v6 linux/arm/v8", "linux/arm64", "", 1, ReasonCompatibleArchitecture},
		{"S3: arm64 before arm", "linux/arm/v8 linux/arm64", "linux/arm64/v9", "", 1, ReasonCompatibleVariant},
		{"S3: arm64/v9.2: its own, then v9.1", "linux/arm64/v9 linux/arm64/v9.1 linux/arm64/v9.3", "linux/arm64/v9.2", "", 1, ReasonCompatibleVariant},
		{"S3: arm64/v9.2: then v8.7", "linux/arm64/v8.6 linux/arm64/v8.7 linux/arm64/v8.8", "linux/arm64/v9.2", "", 1, ReasonCompatibleVariant},
		{"S3: arm64/v9.7 has no v8.12", "linux/arm64/v8.9", "linux/arm64/v9.7", "", 0, ReasonCompatibleVariant},
		{"S3: arm64/v9 is no v8.6", "linux/arm64/v8.6", "linux/arm64/v9", "", -1, ""},
		{"S3: arm64/v10 matches nothing, not even itself", "linux/arm64/v10 linux/arm64", "linux/arm64/v10", "", -1, ""},
		{"S3: arm64/v9.8 is not known", "linux/arm64", "linux/arm64/v9.8", "", -1, ""},
		{"S3: others only with their own variant", "linux/ppc64le/power9 linux/ppc64le", "linux/ppc64le", "", 1, ReasonExact},
		{"S3,S5: os of the host for an entry", "/amd64", "linux/amd64", "linux/", 0, ReasonAlias},
		{"S3,S5: os of the host for the wanted", "windows/amd64 linux/amd64", "/amd64", "linux/", 1, ReasonAlias},
		{"S3,S5: the architecture of the host does not count", "linux/amd64", "linux/", "linux/amd64", -1, ""},
		{"S3: os.features must be offered", "linux/amd64+a", "linux/amd64", "", -1, ""},
		{"S3: most os.features first", "linux/amd64 linux/amd64+a linux/amd64+a+b", "linux/amd64+b+a", "", 2, ReasonExact},
		{"S3: os.version does not count on linux", "linux/amd64@1", "linux/amd64@2", "", 0, ReasonExact},
		{"S3: windows: any version if none is wanted", "windows/amd64@10.0.17763.1 windows/amd64@10.0.20348.1", "windows/amd64", "", 0, ReasonExact},
		{"S3: windows: no version matches every", "windows/amd64", "windows/amd64@10.0.17763", "", 0, ReasonExact},
		{"S3: windows before 2022: own build only", "windows/amd64@10.0.17762.1 windows/amd64@10.0.17763.2", "windows/amd64@10.0.17763.1", "", 1, ReasonExact},
		{"S3: windows from 2022: down to 2022", "windows/amd64@10.0.17763 windows/amd64@10.0.20348.9 windows/amd64@10.0.26100", "windows/amd64@10.0.26100.1", "", 1, ReasonExact},
		{"S3: windows: no newer image", "windows/amd64@10.0.26100.1", "windows/amd64@10.0.20348.1", "", -1, ""},
		{"S3: windows: another major", "windows/amd64@11.0.20348.1", "windows/amd64@10.0.20348.1", "", -1, ""},
		{"S3: windows: a wanted version that cannot be read", "windows/amd64@10.0.20348.1", "windows/amd64@ltsc2022", "", 0, ReasonExact},
		{"S3: windows: a version of the entry that cannot be read", "windows/amd64@ltsc2022 windows/amd64@10.0.65536", "windows/amd64@10.0.20348.1", "", -1, ""},
		{"S3: windows: win32k does not count", "windows/amd64+win32k", "windows/amd64", "", 0, ReasonExact},
		{"S3: no platform is the last resort", "nil linux/386", "linux/amd64", "", 1, ReasonCompatibleArchitecture},
		{"S3,S6: no platform", "linux/arm64 nil nil", "linux/amd64", "", 1, ReasonNoPlatform},
		{"S3,S7: nothing there", "", "linux/amd64", "", -1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opts := SelectOptions{Policy: Containerd}
			if tc.host != "" {
				opts.Host = *platform(tc.host)
			}
			checkChoice(t, entries(tc.index), *platform(tc.want), opts, tc.position, tc.reason)
		})
	}
}
