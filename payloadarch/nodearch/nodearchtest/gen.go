package nodearchtest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

// KnownArchitectures draws an architecture that a payload is built for.
func KnownArchitectures() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"amd64", "arm64", "ppc64le", "s390x"})
}

// OtherSpellings draws a known architecture in another spelling than GOARCH.
func OtherSpellings() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"x86_64", "X86_64", "x86-64", "AMD64", " amd64", "aarch64", "AARCH64", "ARM64", "arm64\t", "PPC64LE", "S390X", " s390x "})
}

// OtherTokens draws a name that no payload is built for.
func OtherTokens() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"riscv64", "loong64", "mips64le", "arm", "386", "unknown"}), rapid.StringMatching(`z[a-z0-9_]{0,8}`))
}

// Malformed draws what cannot be the name of an architecture.
func Malformed() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"amd64,arm64", "amd64 arm64", ",", ",\t,", "a,b", "arm/64", "RISCV64", "amd64\x00", "linux/amd64", "ärm64"}),
		rapid.StringMatching(`[a-z]{1,3}[,/ ;.-][a-z0-9,]{1,8}`).Filter(func(s string) bool { return meant(s) == "" }))
}

// Architectures draws an architecture that a node may tell in its right spelling.
func Architectures() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 3).Draw(t, "known") < 3 {
			return KnownArchitectures().Draw(t, "architecture")
		}
		return OtherTokens().Draw(t, "architecture")
	})
}

// PlainNodes draws nodes that tell everything in its right spelling.
func PlainNodes() *rapid.Generator[[]corev1.Node] {
	return rapid.Custom(func(t *rapid.T) (nodes []corev1.Node) {
		for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
			name, arch := fmt.Sprintf("node-%d", i), Architectures().Draw(t, "architecture")
			switch rapid.SampledFrom([]string{"closed", "open", "worker", "other"}).Draw(t, "sort") {
			case "closed":
				role := rapid.SampledFrom(controlPlaneRoles()).Draw(t, "role")
				effect := rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute}).Draw(t, "effect")
				nodes = append(nodes, Node(name, arch, Role(role), Taint(role, effect)))
			case "open":
				nodes = append(nodes, OpenMaster(name, arch))
			case "worker":
				role := rapid.SampledFrom([]string{"worker", "infra", "gpu"}).Draw(t, "role")
				n := Node(name, arch, Role(role))
				if rapid.Bool().Draw(t, "tainted") {
					Taint(role, corev1.TaintEffectNoSchedule)(&n)
				}
				nodes = append(nodes, n)
			case "other":
				os := rapid.SampledFrom([]string{"windows", "freebsd"}).Draw(t, "os")
				nodes = append(nodes, Node(name, arch, Label(corev1.LabelOSStable, os), Reported(arch, os)))
			}
		}
		return nodes
	})
}

func anyRole() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"master", "control-plane", "arbiter", "worker", "infra", "gpu"})
}

// AnyNode draws a node that may lack anything but its name.
func AnyNode(name string) *rapid.Generator[corev1.Node] {
	anyArchitecture := rapid.SampledFrom([]string{"", "amd64", "arm64", "ppc64le", "s390x", "x86_64", "AMD64", "aarch64", "riscv64", " arm64 ", ",", "a,b", ",\t,", "RISCV64"})
	anySystem := rapid.SampledFrom([]string{"", "linux", "linux", "linux", "windows", "freebsd"})
	anyEffect := rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule})
	return rapid.Custom(func(t *rapid.T) corev1.Node {
		var n corev1.Node
		n.Name = name
		n.Status.NodeInfo.Architecture = anyArchitecture.Draw(t, "nodeInfo.architecture")
		n.Status.NodeInfo.OperatingSystem = anySystem.Draw(t, "nodeInfo.operatingSystem")
		if rapid.Bool().Draw(t, "labels") {
			n.Labels = map[string]string{corev1.LabelArchStable: anyArchitecture.Draw(t, "arch"), corev1.LabelOSStable: anySystem.Draw(t, "os")}
			for _, r := range rapid.SliceOfN(anyRole(), 0, 3).Draw(t, "roles") {
				Role(r)(&n)
			}
		}
		for range rapid.IntRange(0, 2).Draw(t, "taints") {
			Taint(anyRole().Draw(t, "taint"), anyEffect.Draw(t, "effect"))(&n)
		}
		return n
	})
}

// AnyNodes draws none to six nodes of distinct names.
func AnyNodes() *rapid.Generator[[]corev1.Node] {
	return rapid.Custom(func(t *rapid.T) (nodes []corev1.Node) {
		for i := range rapid.IntRange(0, 6).Draw(t, "nodes") {
			nodes = append(nodes, AnyNode(fmt.Sprintf("node-%d", i)).Draw(t, "node"))
		}
		return nodes
	})
}

// AnyPools draws pools of distinct names, one in ten of which cannot be read.
func AnyPools() *rapid.Generator[[]Pool] {
	return rapid.Custom(func(t *rapid.T) (pools []Pool) {
		for _, name := range rapid.SliceOfDistinct(anyRole(), rapid.ID).Draw(t, "pools") {
			if rapid.IntRange(0, 9).Draw(t, "unreadable") == 9 {
				pools = append(pools, UnreadablePool(name))
			} else {
				pools = append(pools, PoolOf(name))
			}
		}
		return pools
	})
}

func placementRules() []string {
	return []string{"no-pool-for-other-systems", "two-custom-pools", "master-first", "custom-before-worker", "worker-last", "no-pool"}
}

// PlacementOf draws a node and pools of which the rule of this id decides. All that
// the rule does not speak of is arbitrary.
func PlacementOf(rule string) *rapid.Generator[Placement] {
	customs := []string{"infra", "gpu", "storage"}
	return rapid.Custom(func(t *rapid.T) Placement {
		maybe := func(names ...string) (some []string) {
			for _, n := range names {
				if rapid.Bool().Draw(t, n) {
					some = append(some, n)
				}
			}
			return some
		}
		shuffled := rapid.Permutation(customs).Draw(t, "custom pools")
		var matching []string // pools that there are and whose label the node has
		switch rule {
		case "no-pool-for-other-systems":
			matching = maybe("master", "worker", shuffled[0])
		case "two-custom-pools":
			matching = append(maybe("master", "worker", shuffled[2]), shuffled[:2]...)
		case "master-first":
			matching = append(maybe("worker", shuffled[0]), "master")
		case "custom-before-worker":
			matching = append(maybe("worker"), shuffled[0])
		case "worker-last":
			matching = []string{"worker"}
		}
		n := Node("a", Architectures().Draw(t, "architecture"))
		if rule == "no-pool-for-other-systems" {
			Windows(&n)
		}
		var pools []Pool
		for _, name := range append([]string{"master", "worker"}, customs...) {
			switch {
			case slices.Contains(matching, name):
				Role(name)(&n)
				pools = append(pools, PoolOf(name))
			case rapid.Bool().Draw(t, "a pool "+name):
				pools = append(pools, PoolOf(name))
			case rapid.Bool().Draw(t, "a label "+name):
				Role(name)(&n)
			}
		}
		return Placement{rapid.Permutation(pools).Draw(t, "order"), n}
	})
}
