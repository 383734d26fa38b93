package manifestlist

import (
	"testing"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// TestSelectAgainstTheSlowOne enumerates every index of up to three entries.
func TestSelectAgainstTheSlowOne(t *testing.T) {
	domain, wants := manifestlisttest.SelectWords(), manifestlisttest.SelectWants()
	if testing.Short() {
		domain = domain[:8]
	}
	indexes := []string{""}
	for _, a := range domain {
		indexes = append(indexes, a)
		for _, b := range domain {
			indexes = append(indexes, a+" "+b)
			for _, c := range domain {
				indexes = append(indexes, a+" "+b+" "+c)
			}
		}
	}
	for _, words := range indexes {
		index := entries(words)
		for _, w := range wants {
			want := *platform(w)
			for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
				opts := SelectOptions{Policy: policy}
				if policy == OpenShiftLegacy {
					opts.Host = *platform("linux/arm64")
				}
				got, err := Select(index, want, opts)
				if err != nil {
					got.Position = -1
				}
				if slow := manifestlisttest.SelectOracle(string(policy), index, want, opts.Host); got.Position != slow {
					t.Fatalf("%s: [%s] → %s: chose %d, the slow one %d", policy, words, w, got.Position, slow)
				}
			}
		}
	}
}
