package dictexpand

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// A fast path may leave a schedule to the long way, and admits none that the long
// way refuses.
func TestPlainSchedules(t *testing.T) {
	values := []string{"*", "0", "1", "6", "7", "12", "13", "23", "24", "31", "32", "59", "60", "00", "000", "*/1", "*/0", "*/", "*/99", "*/100", "", "?", "-", "1-2", "mon", "+1", "1/", "300", "\u0661"}
	plain := 0
	check := func(s string) {
		if !isPlainSchedule(s) {
			return
		}
		plain++
		if why := checkFields(s); why != "" {
			t.Fatalf("%q is taken for plain: %s", s, why)
		}
	}
	for _, a := range values {
		for _, b := range values {
			for _, c := range values {
				check(a + " " + b + " " + c)
				check("0 0 " + a + " " + b + " " + c)
				check(a + " " + b + " " + c + " * *")
				check(a + " " + b + " " + c + " 1 * ")
				check(a + " " + b + " " + c + " 1 * 5")
			}
		}
	}
	if plain == 0 || !isPlainSchedule("0 */12 * * *") {
		t.Errorf("%d schedules are plain", plain)
	}
}

func TestPlainKeys(t *testing.T) {
	const alphabet = "a9Z-._/"
	plain := 0
	check := func(s string) {
		if isPlainSubdomain(s) {
			plain++
			if why := validation.IsDNS1123Subdomain(s); why != nil {
				t.Fatalf("the subdomain %q is taken for plain: %q", s, why)
			}
		}
		if got, want := checkKey(s), validation.IsQualifiedName(s); !slices.Equal(got, want) {
			t.Fatalf("checkKey(%q) = %q, apimachinery says %q", s, got, want)
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
	words("", 6)
	for _, n := range []int{62, 63, 64, 253, 254} {
		check(strings.Repeat("a", n))
		check(strings.Repeat("a", n) + "/b")
		check("b/" + strings.Repeat("a", n))
	}
	if plain == 0 {
		t.Error("no subdomain is plain")
	}
}
