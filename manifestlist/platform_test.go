package manifestlist

import (
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
		{"linux/i386", "architecture", "386"},
		{"linux/armhf", "architecture", ""},
		{"linux/armel", "architecture", ""},
		{"linux/arm64/8", "variant", "v8"},
		{"linux/arm/7", "variant", "v7"},
		{"linux/amd64/2", "variant", "v2"},
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
