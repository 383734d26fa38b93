package payloadarch_test

import (
	"slices"
	"testing"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

func linux(arch string) payloadarch.Platform {
	return payloadarch.Platform{OS: "linux", Architecture: arch}
}

func entry(os, arch string) payloadarch.Platform {
	return payloadarch.Platform{OS: os, Architecture: arch}
}

func attestation() payloadarch.Platform { return entry("unknown", "unknown") }

func entries(all ...payloadarch.Platform) []payloadarch.Platform { return all }

// What is odd is told, in the order of the entries.
func TestFindingsOfAnIndex(t *testing.T) {
	const at = "manifests[0].platform"
	none := finding{payloadarch.FindingNoPayloadArchitecture, "manifests"}
	want := map[string][]finding{
		"index-repeated-architecture/two spellings": {{payloadarch.FindingAlias, "manifests[1].platform.architecture"}},
		"index-other-spelling/RPM and uname names": {{payloadarch.FindingAlias, at + ".architecture"},
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}},
		"index-no-platform/beside an architecture": {{payloadarch.FindingPlatformMissing, at}},
		"index-attestation/of a single image (MULTIARCH-5800)": {{payloadarch.FindingAttestation, "manifests[1].platform"},
			{payloadarch.FindingAttestation, "manifests[2].platform"}},
		"index-other-system/windows is not linux":                            {{payloadarch.FindingOtherOS, at + ".os"}},
		"index-other-system/no operating system":                             {{payloadarch.FindingOtherOS, at + ".os"}},
		"index-other-system/half of an attestation's platform is none":       {{payloadarch.FindingOtherOS, at + ".os"}},
		"index-other-architecture/an architecture to come":                   {{payloadarch.FindingUnknownArchitecture, at + ".architecture"}},
		"index-other-architecture/half of an attestation's platform is none": {{payloadarch.FindingUnknownArchitecture, at + ".architecture"}},
		"index-nothing-counts/no entries":                                    {none},
		"index-nothing-counts/an attestation alone":                          {{payloadarch.FindingAttestation, at}, none},
		"index-nothing-counts/no architecture":                               {{payloadarch.FindingUnknownArchitecture, at + ".architecture"}, none},
	}
	for _, c := range payloadarchtest.IndexCases() {
		name := c.Rule + "/" + c.Name
		t.Run(name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromIndex(ours.Platforms(c.Entries)),
				verdict{Kind: kindOf(c.Want), Reason: payloadarch.ReasonIndex, Field: "manifests", Findings: want[name]})
		})
		delete(want, name)
	}
	for name := range want {
		t.Errorf("there is no row %s", name)
	}
}

// Every index of up to four entries out of those that matter.
func TestFromIndexWholeDomain(t *testing.T) {
	kinds := []*payloadarchtest.Platform{{OS: "linux", Architecture: "amd64"}, {OS: "linux", Architecture: "arm64"},
		{OS: "linux", Architecture: "AMD64"}, {OS: "linux", Architecture: "aarch64"}, {OS: "windows", Architecture: "s390x"},
		{OS: "linux", Architecture: "riscv64"}, {OS: "unknown", Architecture: "unknown"}, nil}
	var walk func(all []*payloadarchtest.Platform)
	walk = func(all []*payloadarchtest.Platform) {
		want := kindOf(payloadarchtest.OracleIndex(all))
		if got := payloadarch.FromIndex(ours.Platforms(all)); got.Kind != want {
			t.Errorf("FromIndex of %v = %v, want %v", ours.Platforms(all), got.Kind, want)
		}
		if len(all) < 4 {
			for _, p := range kinds {
				walk(append(slices.Clone(all), p))
			}
		}
	}
	walk(nil)
}
