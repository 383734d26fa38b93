package buildplan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestVerify(t *testing.T) {
	for _, tc := range []struct {
		name  string
		facts func(t *testing.T) (f Facts, want []string)
	}{
		{"55: nothing is there yet", func(*testing.T) (Facts, []string) {
			return factsFor("amd64", "arm64"), nil
		}},
		{"55: an image that is not recorded yet", func(t *testing.T) (Facts, []string) {
			f, _ := created(t, factsFor("amd64", "arm64"))
			b := mustPlan(t, f)
			f.Jobs = []Job{jobOf(b, b.Images[1], PhaseSucceeded)}
			return f, []string{f.Jobs[0].PullSpec}
		}},
		{"55: the images and the index of a build that is done", func(t *testing.T) (Facts, []string) {
			f, object := finished(t, factsFor("amd64", "arm64"))
			return f, []string{object.Annotations[AnnotationImage+"amd64"], object.Annotations[AnnotationImage+"arm64"],
				string(object.Status.DigestedImagePushSpec)}
		}},
		{"55: an only image once", func(t *testing.T) (Facts, []string) {
			f, object := finished(t, factsFor("amd64"))
			return f, []string{string(object.Status.DigestedImagePushSpec)}
		}},
		{"46,55: what is to be copied, where it is", func(t *testing.T) (Facts, []string) {
			f, object := finished(t, factsFor("amd64", "arm64"))
			f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
			return f, []string{object.Annotations[AnnotationImage+"amd64"], object.Annotations[AnnotationImage+"arm64"]}
		}},
		{"47,55: not what is gone", func(t *testing.T) (Facts, []string) {
			f, object := finished(t, factsFor("amd64", "arm64"))
			f.Gone = []string{object.Annotations[AnnotationImage+"arm64"], string(object.Status.DigestedImagePushSpec)}
			return f, []string{object.Annotations[AnnotationImage+"amd64"]}
		}},
		{"40,55: not what is gone, though the build goes on without it", func(t *testing.T) (Facts, []string) {
			f, object := created(t, factsFor("amd64", "arm64"))
			b := mustPlan(t, f)
			f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
			observed(t, f, object, 0)
			f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
			f.Gone = []string{f.Jobs[0].PullSpec}
			return f, []string{f.Jobs[1].PullSpec, f.Jobs[2].PullSpec}
		}},
		{"26,55: a plan that does nothing counts on nothing", func(t *testing.T) (Facts, []string) {
			f, _ := finished(t, factsFor("amd64", "arm64"))
			f.Rendered.Spec.KernelType = "micro"
			return f, nil
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, want := tc.facts(t)
			slices.Sort(want)
			if diff := cmp.Diff(want, mustPlan(t, f).Verify); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever else the registry lost decides nothing, and what the plan counts on
// does: a caller who asks for Verify needs to ask for no more.
func TestVerifyIsAllThatCounts(t *testing.T) {
	t.Run("55: the registry lost one image", func(t *testing.T) {
		counted := [2]int{}
		rapid.Check(t, func(t *rapid.T) {
			f := drawHistory(t)
			var known []string
			for _, j := range f.Jobs {
				known = append(known, j.PullSpec)
			}
			for _, b := range f.Builds {
				known = append(known, string(b.Status.DigestedImagePushSpec))
				for _, r := range Records(b) {
					known = append(known, r.PullSpec)
				}
			}
			before := mustPlan(t, f)
			for _, image := range slices.Compact(slices.Sorted(slices.Values(known))) {
				if image == "" || slices.Contains(f.Gone, image) {
					continue
				}
				g := copyFacts(f)
				g.Gone = append(g.Gone, image)
				after := mustPlan(t, g)
				same := states(before) == states(after) && before.Name == after.Name && before.Next == after.Next && slices.Equal(before.Verify, after.Verify)
				if verified := slices.Contains(before.Verify, image); verified == same {
					t.Fatalf("%s is gone: verified %v, but %s %s became %s %s", image, verified, before.Next, states(before), after.Next, states(after))
				} else if verified {
					counted[0]++
				} else {
					counted[1]++
					g.Gone, g.Unreadable = f.Gone, []string{image}
					if denied := mustPlan(t, g); states(before) != states(denied) || before.Name != denied.Name || before.Next != denied.Next {
						t.Fatalf("%s is unreadable, and was not verified: %s %s became %s %s", image, before.Next, states(before), denied.Next, states(denied))
					}
				}
			}
		})
		if counted[0] == 0 || counted[1] == 0 {
			t.Errorf("tried %v: a useless test", counted)
		}
	})
}

// Who asks the registry for Verify and plans again comes to an end, also when it
// has nothing of what there was.
func TestVerifyEnds(t *testing.T) {
	t.Run("47,55: the registry lost everything", func(t *testing.T) {
		f, _ := finished(t, factsFor("amd64", "arm64"))
		f.Rendered.Name = "rendered-worker-2"
		f, _ = finished(t, f)
		rounds := 0
		b := mustPlan(t, f)
		for ; len(b.Verify) > 0; b = mustPlan(t, f) {
			if rounds++; rounds > 10 {
				t.Fatalf("still %v", b.Verify)
			}
			f.Gone = append(f.Gone, b.Verify...)
		}
		if got, want := states(b), "amd64:Run/ImageGone arm64:Run/ImageGone publish:Hold/WaitingForArchitectures"; got != want {
			t.Errorf("states %s, want %s", got, want)
		}
	})
}
