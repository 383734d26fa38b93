package payloadarch_test

import (
	"testing"

	"github.com/polyarch/polyarch/payloadarch"
)

func linux(arch string) payloadarch.Platform {
	return payloadarch.Platform{OS: "linux", Architecture: arch}
}

func entry(os, arch string) payloadarch.Platform {
	return payloadarch.Platform{OS: os, Architecture: arch}
}

func attestation() payloadarch.Platform { return entry("unknown", "unknown") }

func entries(all ...payloadarch.Platform) []payloadarch.Platform { return all }

func TestFromIndex(t *testing.T) {
	none := finding{payloadarch.FindingNoPayloadArchitecture, "manifests"}
	for _, tc := range []struct {
		name     string
		entries  []payloadarch.Platform
		want     payloadarch.Kind
		findings []finding
	}{
		{"26: all four", entries(linux("amd64"), linux("arm64"), linux("ppc64le"), linux("s390x")), payloadarch.Multi, nil},
		{"26: two", entries(linux("s390x"), linux("arm64")), payloadarch.Multi, nil},
		{"26,28: other spellings", entries(linux("x86_64"), linux("aarch64")), payloadarch.Multi, []finding{
			{payloadarch.FindingAlias, "manifests[0].platform.architecture"},
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}}},
		{"27: one", entries(linux("amd64")), payloadarch.Single, nil},
		{"27: two entries of one architecture, which HyperShift counts as two", entries(linux("amd64"), linux("amd64")), payloadarch.Single, nil},
		{"27,28: two spellings of one architecture", entries(linux("amd64"), linux("AMD64")), payloadarch.Single, []finding{
			{payloadarch.FindingAlias, "manifests[1].platform.architecture"}}},
		{"30: attestations (MULTIARCH-5800)", entries(linux("amd64"), attestation(), attestation()), payloadarch.Single, []finding{
			{payloadarch.FindingAttestation, "manifests[1].platform"},
			{payloadarch.FindingAttestation, "manifests[2].platform"}}},
		{"30,31,32: half of an attestation's platform is none", entries(entry("unknown", "arm64"), entry("linux", "unknown"), linux("amd64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"},
			{payloadarch.FindingUnknownArchitecture, "manifests[1].platform.architecture"}}},
		{"29: no platform", entries(payloadarch.Platform{}, linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingPlatformMissing, "manifests[0].platform"}}},
		{"31: windows is not linux", entries(entry("windows", "amd64"), linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"}}},
		{"31: no operating system", entries(entry("", "amd64"), linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingOtherOS, "manifests[0].platform.os"}}},
		{"32: an architecture without payload", entries(linux("riscv64"), linux("arm64")), payloadarch.Single, []finding{
			{payloadarch.FindingUnknownArchitecture, "manifests[0].platform.architecture"}}},
		{"33: no entries", nil, payloadarch.Single, []finding{none}},
		{"33: no entry that counts", entries(attestation(), linux("")), payloadarch.Single, []finding{
			{payloadarch.FindingAttestation, "manifests[0].platform"},
			{payloadarch.FindingUnknownArchitecture, "manifests[1].platform.architecture"}, none}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkVerdict(t, payloadarch.FromIndex(tc.entries),
				verdict{Kind: tc.want, Reason: payloadarch.ReasonIndex, Field: "manifests", Findings: tc.findings})
		})
	}
}
