package manifestlist

import (
	"errors"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
)

func TestValidDigest(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 8)
	for _, tc := range []struct {
		in   string
		want bool
	}{
		{"sha256:" + hex[:64], true},
		{"sha384:" + hex[:96], true},
		{"sha512:" + hex[:128], true},
		{"sha256:" + hex[:63], false},
		{"sha256:" + hex[:65], false},
		{"sha256:" + hex[:96], false},
		{"sha256:" + hex[:128], false},
		{"sha384:" + hex[:64], false},
		{"sha384:" + hex[:128], false},
		{"sha512:" + hex[:96], false},
		{"sha384:" + hex[:95] + "g", false},
		{"sha512:" + strings.ToUpper(hex[:128]), false},
		{"sha512:" + hex[:64], false},
		{"sha256:" + strings.ToUpper(hex[:64]), false},
		{"sha256:" + hex[:63] + "g", false},
		{"sha256:" + hex[:63] + "\xe1", false},
		{"sha256-" + hex[:64], false},
		{"sha224:" + hex[:64], false},
		{"md5:zz", false},
		{"sha256:", false},
		{"", false},
	} {
		if got := validDigest(digest.Digest(tc.in)); got != tc.want {
			t.Errorf("validDigest(%q) = %v", tc.in, got)
		}
		if err := digest.Digest(tc.in).Validate(); (err == nil) != tc.want {
			t.Errorf("go-digest disagrees about %q: %v", tc.in, err)
		}
	}
}

func TestValidMediaType(t *testing.T) {
	for s, want := range map[string]bool{
		"application/vnd.oci.image.manifest.v1+json":           true,
		"application/vnd.docker.distribution.manifest.v2+json": true,
		"a/b":               true,
		"a!#$&-^_.+/B9":     true,
		"aAzZ09/aAzZ09":     true,
		"0/9":               true,
		"a/b!#$&-^_.+":      true,
		".a/b":              false,
		"a/.b":              false,
		"a[/b":              false,
		"a@/b":              false,
		"a`/b":              false,
		"a{/b":              false,
		"a:/b":              false,
		"":                  false,
		"a":                 false,
		"/":                 false,
		"a/":                false,
		"/b":                false,
		"a/b/c":             false,
		"a/b; charset=utf8": false,
		" a/b":              false,
		"a/\u00e9":          false,
	} {
		if got := validMediaType(s); got != want {
			t.Errorf("validMediaType(%q) = %v", s, got)
		}
	}
}

// A4: a known platform is looked at no further unless it has a variant.
func TestVariantOfAKnownPlatform(t *testing.T) {
	for variant, want := range map[string]string{"V8": "a lower-case variant, such as v8", "8": "v8"} {
		_, err := Assemble([]Child{on("linux/arm64/" + variant)}, Options{})
		var errs IndexErrors
		if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Code != CodeInvalidPlatform ||
			!strings.HasSuffix(errs[0].Path, "platform.variant") || errs[0].Value != variant || errs[0].Want != want {
			t.Errorf("linux/arm64/%s: %v", variant, err)
		}
	}
	if _, err := Assemble([]Child{on("linux/arm64/v8")}, Options{}); err != nil {
		t.Error(err)
	}
}
