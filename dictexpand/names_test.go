package dictexpand

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// The matchers must agree with those of the API server but for the length, which
// CDI limits otherwise.
func TestNamesAgreeWithTheAPIServer(t *testing.T) {
	const alphabet = "aZ0-._ /é"
	var words func(string, int, func(string))
	words = func(prefix string, n int, visit func(string)) {
		visit(prefix)
		if n > 0 {
			for _, c := range alphabet {
				words(prefix+string(c), n-1, visit)
			}
		}
	}
	words("", 5, func(s string) {
		if got, want := isSubdomain(s), len(validation.IsDNS1123Subdomain(s)) == 0; got != want {
			t.Fatalf("isSubdomain(%q) = %v, the API server says %v", s, got, want)
		}
		if got, want := isLabelValue(s), len(validation.IsValidLabelValue(s)) == 0; got != want {
			t.Fatalf("isLabelValue(%q) = %v, the API server says %v", s, got, want)
		}
	})
	if long := strings.Repeat("a", 300); !isSubdomain(long) || !isLabelValue(long) {
		t.Error("the matchers judge the length, which is not theirs")
	}
}
