package manifestlist

import (
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// TestSamePlatform crosses an ordered list with itself: platforms on one line
// are the same, those on later lines come later.
func TestSamePlatform(t *testing.T) {
	lines := [][]string{
		{"linux/amd64", "linux/amd64/v1"},
		{"linux/amd64+erofs"},
		{"linux/amd64+a+erofs", "linux/amd64+erofs+a", "linux/amd64+a+a+erofs"},
		{"linux/amd64/v2"},
		{"linux/amd64/v3"},
		{"linux/amd64/v8"},
		{"linux/arm", "linux/arm/v7"},
		{"linux/arm/v6"},
		{"linux/arm/v8"},
		{"linux/arm64", "linux/arm64/v8"},
		{"linux/arm64/v1"},
		{"linux/arm64/v9"},
		{"linux/s390x"},
		{"linux/s390x/v1"},
		{"windows/amd64"},
		{"windows/amd64@10.0.1"},
		{"windows/amd64@10.0.2"},
	}
	// a+erofs sorts before erofs alone: features are compared as lists.
	lines[1], lines[2] = lines[2], lines[1]
	for i, a := range lines {
		for j, b := range lines {
			for _, x := range a {
				for _, y := range b {
					got := comparePlatforms(platform(x), platform(y))
					if (got < 0) != (i < j) || (got == 0) != (i == j) {
						t.Errorf("compare %s, %s = %d, on lines %d and %d", x, y, got, i, j)
					}
				}
			}
		}
	}
}

func TestMisspelled(t *testing.T) {
	for _, tc := range []struct{ platform, field, want string }{
		{"linux/amd64", "", ""},
		{"linux/arm64/v8", "", ""},
		{"linux/arm64/v9.2", "", ""},
		{"linux/arm/v6", "", ""},
		{"linux/riscv64/rva20u64", "", ""},
		{"linux/ppc64le/power9", "", ""},
		{"bogus/nope", "", ""},
		{"wasip1/wasm", "", ""},
		{"/amd64", "os", ""},
		{"linux/", "architecture", ""},
		{"macos/arm64", "os", "darwin"},
		{"Linux/amd64", "os", ""},
		{"linux /amd64", "os", ""},
		{"linux/x86_64", "architecture", "amd64"},
		{"linux/x86-64", "architecture", "amd64"},
		{"linux/aarch64", "architecture", "arm64"},
		{"linux/AMD64", "architecture", "amd64"},
		{"linux/ amd64", "architecture", "amd64"},
		{"linux/RISCV64", "architecture", ""},
		{"linux/ riscv64", "architecture", "lower-case letters and digits, as GOARCH has it"},
		{"linux/i386", "architecture", "386"},
		{"linux/i686", "architecture", "386"},
		{"linux/armhf", "architecture", ""},
		{"linux/armel", "architecture", ""},
		{"linux/arm64/8", "variant", "v8"},
		{"linux/arm/7", "variant", "v7"},
		{"linux/amd64/2", "variant", "v2"},
		{"linux/arm64/0", "variant", "v0"},
		{"linux/arm64/9", "variant", "v9"},
		{"linux/arm64/.8", "", ""},
		{"linux/arm64/:8", "", ""},
		{"linux/s390x/9", "", ""},
		{"linux/arm64/A", "variant", "a lower-case variant, such as v8"},
		{"linux/arm64/vZ", "variant", "a lower-case variant, such as v8"},
		{"linux/arm64/v@", "", ""},
		{"linux/arm64/v[", "", ""},
		{"linux/amd64/V2", "variant", ""},
		{"linux/amd64/v 2", "variant", ""},
	} {
		field, _, want := misspelled(platform(tc.platform))
		if field != tc.field {
			t.Errorf("misspelled(%s) finds the field %q, want %q", tc.platform, field, tc.field)
		}
		if tc.want != "" && want != tc.want {
			t.Errorf("misspelled(%s) suggests %q, want %q", tc.platform, want, tc.want)
		}
	}
}

// A slash in a variant would make it two parts of a platform.
func TestMisspelledVariantWithASlash(t *testing.T) {
	if field, _, _ := misspelled(&ocispec.Platform{OS: "linux", Architecture: "arm64", Variant: "v8/x"}); field != "variant" {
		t.Errorf("the field is %q", field)
	}
}

func TestPlain(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, "azAZ": false, "a09z": true, "_": true, "-": true, ".": true, "a b": false,
		"/": false, ":": false, "`": false, "{": false, "@": false, "A": false, "Z": false, "\xe1": false,
	} {
		if got := plain(s); got != want {
			t.Errorf("plain(%q) = %v", s, got)
		}
	}
}

// TestKnownPlatforms has every name in a port of Go, of today and of before.
func TestKnownPlatforms(t *testing.T) {
	systems := "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos"
	architectures := "386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm"
	for os := range strings.FieldsSeq(systems) {
		if !knownPlatform(platform(os + "/amd64")) {
			t.Errorf("%s is not known", os)
		}
	}
	for architecture := range strings.FieldsSeq(architectures) {
		if !knownPlatform(platform("linux/" + architecture)) {
			t.Errorf("%s is not known", architecture)
		}
	}
	for _, p := range []string{"/", "linux/", "/amd64", "macos/amd64", "linux/x86_64", "Linux/amd64"} {
		if knownPlatform(platform(p)) {
			t.Errorf("%s is known", p)
		}
	}
}

func TestPlatformText(t *testing.T) {
	for _, want := range []string{"/", "linux/amd64", "linux/arm/v7", "windows/amd64(10.0.1)", "linux/amd64(+a+b)", "windows/amd64(10.0.1+a)"} {
		var p ocispec.Platform
		switch want {
		case "/":
		case "linux/amd64(+a+b)":
			p = *platform("linux/amd64+a+b")
		case "windows/amd64(10.0.1)":
			p = *platform("windows/amd64@10.0.1")
		case "windows/amd64(10.0.1+a)":
			p = *platform("windows/amd64@10.0.1+a")
		default:
			p = *platform(want)
		}
		if got := platformText(p); got != want {
			t.Errorf("platformText(%+v) = %s, want %s", p, got, want)
		}
	}
}
