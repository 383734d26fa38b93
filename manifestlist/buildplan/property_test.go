package buildplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/payloadarch"
)

// drawHistory draws facts with builds of before, of which the registry may have
// lost something.
func drawHistory(t *rapid.T) Facts {
	f := factsOf(buildplantest.DrawFacts(t))
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
				images[a] = imageFor(a, "x")
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
	legal := buildplantest.LegalPullSpec(repository + "@" + buildplantest.Digest("x"))
	stricter := strings.HasSuffix(repository, "/") || strings.Contains(repository, "//")
	if why := notDigestable(repository); (why == "") != (legal && !stricter) {
		t.Fatalf("%q: legal %v, told %q", repository, legal, why)
	}
}
