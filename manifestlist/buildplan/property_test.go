package buildplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/payloadarch"
)

func drawArchitectures(t *rapid.T) []string {
	all := arch.Payload()
	return rapid.SliceOfNDistinct(rapid.SampledFrom(all[:]), 1, 4, rapid.ID[string]).Draw(t, "architectures")
}

func drawContainerfiles(t *rapid.T) []mcfgv1.MachineOSContainerfile {
	return rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) mcfgv1.MachineOSContainerfile {
		return mcfgv1.MachineOSContainerfile{
			ContainerfileArch: rapid.SampledFrom([]mcfgv1.ContainerfileArch{mcfgv1.Amd64, mcfgv1.Arm64, mcfgv1.Ppc, mcfgv1.S390, mcfgv1.NoArch}).Draw(t, "arch"),
			Content:           rapid.StringOfN(rapid.SampledFrom([]rune("FROM configs\n\r ü")), 0, 40, -1).Draw(t, "content"),
		}
	}), 0, 4, func(c mcfgv1.MachineOSContainerfile) mcfgv1.ContainerfileArch { return c.ContainerfileArch }).Draw(t, "containerfiles")
}

func drawFacts(t *rapid.T) Facts {
	f := factsFor(drawArchitectures(t)...)
	f.Config.Spec.Containerfile = drawContainerfiles(t)
	f.Rendered.Spec.KernelType = rapid.SampledFrom([]string{"", "default", "realtime"}).Draw(t, "kernel")
	f.Rendered.Spec.Extensions = rapid.SliceOfN(rapid.SampledFrom([]string{"usbguard", "ipsec", "kerberos"}), 0, 3).Draw(t, "extensions")
	return f
}

// drawHistory draws facts with builds of before, of which the registry may have
// lost something.
func drawHistory(t *rapid.T) Facts {
	f := drawFacts(t)
	for i := range rapid.IntRange(0, 3).Draw(t, "earlier builds") {
		g := copyFacts(f)
		g.Rendered.Name = fmt.Sprintf("rendered-worker-%d", i+2)
		if rapid.Bool().Draw(t, "another containerfile") {
			g.Config.Spec.Containerfile = []mcfgv1.MachineOSContainerfile{{Content: fmt.Sprint(i)}}
		}
		g, _ = finished(t, g)
		f.Builds, f.Jobs = g.Builds, g.Jobs
	}
	if len(f.Builds) > 0 && rapid.Bool().Draw(t, "gone") {
		f.Gone = []string{f.Jobs[0].PullSpec}
	}
	return f
}

func shuffled[T any](t *rapid.T, list []T) []T {
	if len(list) == 0 {
		return list
	}
	return rapid.Permutation(list).Draw(t, "order")
}

// Permuting what has no order changes neither names, keys, states nor bytes.
func TestPermutations(t *testing.T) {
	t.Run("20,90: whatever has no order", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			f := drawHistory(t)
			before, err := Plan(f)
			if err != nil {
				t.Fatal(err)
			}
			g := copyFacts(f)
			var names []string
			for a := range f.Architectures.All() {
				names = append(names, a)
			}
			g.Architectures = payloadarch.SetOf(shuffled(t, names)...)
			g.Config.Spec.Containerfile = shuffled(t, g.Config.Spec.Containerfile)
			g.Builds, g.Jobs = shuffled(t, g.Builds), shuffled(t, g.Jobs)
			g.Rendered.Spec.Extensions = shuffled(t, g.Rendered.Spec.Extensions)
			after, err := Plan(g)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range []*Build{&before, &after} {
				// Positions in the permuted list.
				for i := range b.Images {
					b.Images[i].Entry = 0
				}
				for i := range b.Findings {
					if b.Findings[i].Code == FindingContainerfileUnused {
						b.Findings[i].Path = ""
					}
				}
				slices.SortFunc(b.Findings, func(a, b Finding) int {
					return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Detail, b.Detail))
				})
			}
			if diff := gocmp.Diff(before, after); diff != "" {
				t.Fatalf("(-before +after):\n%s", diff)
			}

			images := map[string]manifestlist.Child{}
			var children []manifestlist.Child
			for _, a := range names {
				images[a] = imageFor(t, a, "x")
				children = append(children, images[a])
			}
			object := before.MachineOSBuild()
			for a, c := range images {
				object.Annotations[AnnotationImage+a] = testRepository + "@" + string(childDigest(&c))
			}
			first, err := Publish(object, children)
			if err != nil {
				t.Fatal(err)
			}
			second, err := Publish(object, shuffled(t, children))
			if err != nil || string(first.Bytes) != string(second.Bytes) {
				t.Fatalf("other bytes, error %v", err)
			}
		})
	})
}

// Changing what goes into the image of one architecture changes exactly its key.
func TestOneChangeOneKey(t *testing.T) {
	t.Run("17,18: one architecture at a time", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			f := factsFor(drawArchitectures(t)...)
			var names []string
			for a := range f.Architectures.All() {
				names = append(names, a)
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile,
					mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.ContainerfileArch(strings.ToUpper(a)), Content: "FROM configs"})
			}
			f.Config.Spec.Containerfile = f.Config.Spec.Containerfile[1:] // no NoArch
			before, err := Plan(f)
			if err != nil {
				t.Fatal(err)
			}
			target := rapid.SampledFrom(names).Draw(t, "target")
			if rapid.Bool().Draw(t, "base image") {
				f.Base[target] = BaseImages{OS: digestText("new"), Extensions: f.Base[target].Extensions}
			} else {
				for i := range f.Config.Spec.Containerfile {
					if c := &f.Config.Spec.Containerfile[i]; strings.EqualFold(string(c.ContainerfileArch), target) {
						c.Content += "\nRUN true"
					}
				}
			}
			f.Config.Spec.RenderedImagePushSecret.Name = rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "secret")
			f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat("quay.io/" + rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "namespace") + "/os:v1")
			after, err := Plan(f)
			if err != nil {
				t.Fatal(err)
			}
			if got := changedKeys(keys(before), keys(after)); !slices.Equal(got, []string{target}) {
				t.Fatalf("changed keys %v, want %s", got, target)
			}
		})
	})
}

// Every name fits for every pool and config name that the CRDs take.
func TestNamesFitAnyPool(t *testing.T) {
	t.Run("21,22: pools and configs of any name", func(t *testing.T) {
		name := rapid.StringMatching(`[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,60}[a-z0-9])?){0,4}`).
			Filter(func(s string) bool { return len(validation.IsDNS1123Subdomain(s)) == 0 })
		rapid.Check(t, func(t *rapid.T) {
			f := factsFor(drawArchitectures(t)...)
			f.Config.Name = name.Draw(t, "config")
			f.Config.Spec.MachineConfigPool.Name = name.Draw(t, "pool")
			f.Rendered.Name = name.Draw(t, "rendered")
			f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat(
				rapid.StringMatching(`([a-z0-9-]{1,20}\.){1,3}[a-z]{1,9}(:[0-9]{2,5})?/([a-z0-9-_]{1,61}/)?[a-z0-9-_.]{1,40}:[a-zA-Z0-9._-]{1,100}`).Draw(t, "push spec"))
			if a := rapid.IntRange(0, 1000).Draw(t, "attempt"); a > 0 {
				f.Config.Annotations = map[string]string{AnnotationAttempt: fmt.Sprint(a)}
			}
			b, err := Plan(f)
			if err != nil {
				t.Fatal(err)
			}
			if b.Next != NextCreate {
				t.Fatalf("%s: %s %v", f.Config.Spec.RenderedImagePushSpec, b.Reason, b.Findings)
			}
			for _, m := range misfits(b) {
				t.Error(m)
			}
		})
	})
}

// What Plan lets pass as a push spec is legal by digest, and what it refuses is
// not, but for empty paths.
func TestPushSpecOracle(t *testing.T) {
	t.Run("63,91: against the pattern of the CRD", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			repository := rapid.StringMatching(`[a-z.-]{0,12}(:[0-9]{0,7})?(/[a-zA-Z_.-]{0,4}){0,3}`).Draw(t, "repository")
			checkRepository(t, repository)
		})
	})
}

func checkRepository(t interface{ Fatalf(string, ...any) }, repository string) {
	legal := legalPullSpec(repository + "@" + digestText("x"))
	stricter := strings.HasSuffix(repository, "/") || strings.Contains(repository, "//")
	if why := notDigestable(repository); (why == "") != (legal && !stricter) {
		t.Fatalf("%q: legal %v, told %q", repository, legal, why)
	}
}
