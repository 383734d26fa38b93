package osimagestream

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"
)

// slowDiscover pairs by asking, for every name and source, what the rules say. It
// knows labels only, no assumed names.
func slowDiscover(s Sources) []mcfgv1.OSImageStreamSet {
	is := func(image string, r Role, stream string) bool {
		l := s.Labels[image]
		os := strings.ToLower(l[LabelOS]) == "true" || l[LabelOS] == "1"
		ext := strings.ToLower(l[LabelExtensions]) == "true"
		return l[LabelStream] == stream && crdPullSpec(image) && (r == RoleOS && os || r == RoleExtensions && ext && !os)
	}
	names := map[string]bool{}
	for _, l := range s.Labels {
		if crdStreamName(l[LabelStream]) {
			names[l[LabelStream]] = true
		}
	}
	var out []mcfgv1.OSImageStreamSet
	for name := range names {
		best := map[Role]string{}
		// The payload, if it completes the stream.
		tags := slices.Clone(s.Payload.Spec.Tags)
		slices.SortFunc(tags, func(a, b imagev1.TagReference) int {
			return strings.Compare(a.Name+"\x00"+a.From.Name, b.Name+"\x00"+b.From.Name)
		})
		for _, r := range []Role{RoleOS, RoleExtensions} {
			for _, tag := range tags {
				if ourTags.MatchString(tag.Name) && tag.From.Kind == "DockerImage" && is(tag.From.Name, r, name) && best[r] == "" {
					best[r] = tag.From.Name
				}
			}
		}
		if len(best) < 2 {
			best = map[Role]string{}
			try := func(p Pair) {
				for range 2 { // labels decide the role, not the place in the pair
					if len(best) == 0 && is(p.OSImage, RoleOS, name) && is(p.OSExtensionsImage, RoleExtensions, name) {
						best[RoleOS], best[RoleExtensions] = p.OSImage, p.OSExtensionsImage
					}
					p.OSImage, p.OSExtensionsImage = p.OSExtensionsImage, p.OSImage
				}
			}
			if s.ConfigMap != nil {
				try(Pair{s.ConfigMap.Data[configMapOSImage], s.ConfigMap.Data[configMapExtensions]})
			}
			if s.CLI != nil {
				try(*s.CLI)
			}
		}
		if len(best) == 2 {
			out = append(out, mcfgv1.OSImageStreamSet{Name: name, OSImage: mcfgv1.ImageDigestFormat(best[RoleOS]), OSExtensionsImage: mcfgv1.ImageDigestFormat(best[RoleExtensions])})
		}
	}
	return sorted(out)
}

func TestOracleDiscover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genSources(t)
		got := Discover(s)
		if d := cmp.Diff(slowDiscover(s), got.Streams); d != "" {
			t.Fatal(d)
		}
		seen := true
		for _, image := range s.Images() {
			_, inspected := s.Labels[image]
			seen = seen && inspected
		}
		if got.Complete != seen {
			t.Fatalf("complete %t, all images inspected %t", got.Complete, seen)
		}
	})
}

// slowDefault writes the contract's sentence down: spec, status, sole, built-in.
func slowDefault(f Flavor, offered []string, spec, status, install string) string {
	has := func(s string) bool { return slices.Contains(offered, s) }
	if len(offered) == 0 {
		return ""
	}
	requested := spec
	if requested == "" {
		requested = status
	}
	if f == OKD {
		switch {
		case has(requested):
			return requested
		case len(offered) == 1:
			return offered[0]
		case has("centos-10"):
			return "centos-10"
		}
		return slices.MaxFunc(offered, compareVersions)
	}
	if requested == "" && len(offered) == 1 {
		return offered[0]
	}
	if requested == "" && install != "" {
		requested = map[bool]string{true: "rhel-9", false: "rhel-10"}[strings.HasPrefix(install, "4.")]
	}
	if has(requested) {
		return requested
	}
	return ""
}

// All flavors, subsets of streams, specs, stored states and install versions.
func TestOracleDefault(t *testing.T) {
	names := []string{"centos-10", "centos-11", "rhel-10", "rhel-9"}
	asked := append([]string{"", "gone-8"}, names...)
	n := 0
	for subset := range 1 << len(names) {
		var offered []string
		for i, name := range names {
			if subset>>i&1 == 1 {
				offered = append(offered, name)
			}
		}
		for _, f := range []Flavor{OCP, OKD} {
			for _, spec := range asked {
				for _, status := range asked {
					for _, install := range []string{"", "4.22.0", "5.0.0"} {
						c := Cluster{Flavor: f, Discovery: complete(sets(offered...)...), InstallVersion: install, Release: release}
						if spec != "" || status != "" {
							c.Stored = stored(spec, status)
							if status != "" {
								c.Stored.Status.AvailableStreams = sets(status)
							}
						}
						want := slowDefault(f, offered, spec, status, install)
						if got := Default(c).Stream; got != want {
							t.Fatalf("%s %v spec %q status %q install %q: %q, want %q", f, offered, spec, status, install, got, want)
						}
						end := crdApply(t, c.Stored, Plan(c))
						if want != "" && (end.Spec.DefaultStream != want || end.Status.DefaultStream != want) {
							t.Fatalf("%s %v spec %q status %q: stored %+v, want %q", f, offered, spec, status, end, want)
						}
						n++
					}
				}
			}
		}
	}
	if n != 16*2*6*6*3 {
		t.Errorf("%d cases", n)
	}
}

// All pools and stored states of two streams.
func TestOraclePools(t *testing.T) {
	asked := []string{"", "a", "b", "gone"}
	for _, name := range []string{"master", "worker", "arbiter", "infra"} {
		for _, own := range asked {
			for _, workers := range append([]string{"no worker"}, asked...) {
				for _, state := range []string{"none", "no status", "a", "b"} {
					p := Pool{Pool: pool(name, own)}
					if workers != "no worker" {
						p.Worker = pool("worker", workers)
					}
					def := ""
					switch state {
					case "none":
					case "no status":
						p.Stored = stored("a", "")
					default:
						def = state
						p.Stored = stored("a", state, sets("a", "b")...)
					}

					want := own
					if want == "" && name == "infra" && workers != "no worker" {
						want = workers
					}
					if want == "" {
						want = def
					}
					var images mcfgv1.OSImageStreamSet
					if def != "" && want != "gone" {
						images = set(want)
					}
					r := ForPool(p)
					if r.Stream != want || r.Images != images || (len(r.Problems) > 0) != (def != "" && want == "gone") {
						t.Fatalf("%s own %q worker %q singleton %s: %+v, want %q", name, own, workers, state, r, want)
					}

					for _, before := range append([]string{"no pool"}, asked...) {
						var old *mcfgv1.MachineConfigPool
						if before != "no pool" {
							old = pool(name, before)
						}
						valid := own == "" || own == before || def != "" && own != "gone"
						if got := ValidatePool(p.Pool, old, p.Stored); (len(got) == 0) != valid {
							t.Fatalf("%s from %q to %q, singleton %s: %v", name, before, own, state, got)
						}
					}
				}
			}
		}
	}
}
