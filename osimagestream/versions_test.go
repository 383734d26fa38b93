package osimagestream

import (
	"cmp"
	"testing"

	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

// One ordered list, all pairs crossed.
func TestCompareVersions(t *testing.T) {
	ordered := osimagestreamtest.VersionOrder()
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareVersions(a, b); got != cmp.Compare(i, j) {
				t.Errorf("compareVersions(%q, %q) = %d, want %d", a, b, got, cmp.Compare(i, j))
			}
		}
	}
	for _, pair := range [][2]string{{"centos-10", "scos-010"}, {"stream", "coreos"}, {"a1b2", "1.2"}} {
		if got := compareVersions(pair[0], pair[1]); got != 0 {
			t.Errorf("compareVersions(%q, %q) = %d", pair[0], pair[1], got)
		}
	}
}
