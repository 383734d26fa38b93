package dictexpand

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// The fast path must say what apimachinery says.
func TestNamesAgreeWithTheAPIServer(t *testing.T) {
	const alphabet = "a9Z0-._ /é"
	plain, dotted := 0, 0
	check := func(s string) {
		if got, want := checkSubdomain(s), validation.IsDNS1123Subdomain(s); !slices.Equal(got, want) {
			t.Fatalf("checkSubdomain(%q) = %q, apimachinery says %q", s, got, want)
		}
		if got, want := checkLabelValue(s), validation.IsValidLabelValue(s); !slices.Equal(got, want) {
			t.Fatalf("checkLabelValue(%q) = %q, apimachinery says %q", s, got, want)
		}
		if isPlain(s, dash) {
			plain++
		} else if isPlain(s, dash|dot) {
			dotted++
		}
	}
	var words func(string, int)
	words = func(prefix string, n int) {
		check(prefix)
		if n > 0 {
			for _, c := range alphabet {
				words(prefix+string(c), n-1)
			}
		}
	}
	words("", 4)
	for _, n := range []int{62, 63, 64, 253, 254} {
		check(strings.Repeat("a", n))
	}
	if plain == 0 || dotted == 0 {
		t.Errorf("%d plain names and %d label values with a dot took the fast path", plain, dotted)
	}
}
