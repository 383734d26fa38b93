package arch_test

import (
	"slices"
	"testing"

	"github.com/polyarch/polyarch/internal/arch"
)

func TestCanonical(t *testing.T) {
	for _, tc := range []struct {
		in, want string
		known    bool
	}{
		{"amd64", "amd64", true},
		{"arm64", "arm64", true},
		{"ppc64le", "ppc64le", true},
		{"s390x", "s390x", true},
		{"x86_64", "amd64", true},
		{"x86-64", "amd64", true},
		{"X86_64", "amd64", true},
		{"aarch64", "arm64", true},
		{"AMD64", "amd64", true},
		{"ARM64", "arm64", true},
		{"PPC64LE", "ppc64le", true},
		{"S390X", "s390x", true},
		{" s390x\t", "s390x", true},
		{"riscv64", "riscv64", false},
		{" RISCV64 ", "RISCV64", false},
		{"NoArch", "NoArch", false},
		{"", "", false},
		{"  ", "", false},
	} {
		got, known := arch.Canonical(tc.in)
		if got != tc.want || known != tc.known {
			t.Errorf("Canonical(%q) = %q, %v; want %q, %v", tc.in, got, known, tc.want, tc.known)
		}
	}
}

func TestPayloadIsTheClosedSet(t *testing.T) {
	all := arch.Payload()
	if !slices.IsSorted(all[:]) {
		t.Errorf("Payload() = %v is not in ascending order", all)
	}
	for _, a := range all {
		if !arch.InPayload(a) {
			t.Errorf("InPayload(%q) = false for a member of Payload", a)
		}
		if c, known := arch.Canonical(a); c != a || !known {
			t.Errorf("Canonical(%q) = %q, %v; a canonical name must be its own", a, c, known)
		}
	}
	for _, a := range []string{"", "AMD64", "x86_64", "arm", "386"} {
		if arch.InPayload(a) {
			t.Errorf("InPayload(%q) = true", a)
		}
	}
}
