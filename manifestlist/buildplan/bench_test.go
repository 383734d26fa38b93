package buildplan

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// largeFacts are those of a pool of four architectures with a containerfile of
// 4 KiB each, all of them built before.
func largeFacts(tb testing.TB, pool string) Facts {
	f := factsFor("amd64", "arm64", "ppc64le", "s390x")
	f.Config.Name, f.Config.Spec.MachineConfigPool.Name = pool, pool
	f.Config.Spec.Containerfile = nil
	for _, a := range []mcfgv1.ContainerfileArch{mcfgv1.Amd64, mcfgv1.Arm64, mcfgv1.Ppc, mcfgv1.S390} {
		content := string(a) + strings.Repeat("RUN dnf install -y tree\n", 171)
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: a, Content: content[:4096]})
	}
	f, _ = finished(tb, f)
	return f
}

// BenchmarkPlan4 plans for four architectures. Its floor is the SHA-256 of the
// containerfiles, the cost of keys that depend on them.
func BenchmarkPlan4(b *testing.B) {
	f := largeFacts(b, "worker")
	b.Run("plan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Plan(f); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		var input []byte
		for _, c := range f.Config.Spec.Containerfile {
			input = append(input, c.Content...)
		}
		b.ReportAllocs()
		for b.Loop() {
			sha256.Sum256(input)
		}
	})
}

// BenchmarkPools plans for every pool of a cluster. Its floor is the same with a
// tenth of the pools: the cost of a plan does not depend on other pools.
func BenchmarkPools(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pools := make([]Facts, n)
			for i := range pools {
				pools[i] = largeFacts(b, fmt.Sprintf("pool-%d", i))
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range pools {
					if _, err := Plan(f); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func TestPlanAllocations(t *testing.T) {
	f := largeFacts(t, "worker")
	if n := testing.AllocsPerRun(100, func() {
		if _, err := Plan(f); err != nil {
			t.Fatal(err)
		}
	}); n > 35 {
		t.Errorf("%v allocations, want at most 35", n)
	}
}
