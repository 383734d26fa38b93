package buildplan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// earlierBuild adds a build for another rendered config and attempt, with a job for
// each architecture that runs.
func earlierBuild(t *testing.T, f Facts, rendered string, attempt int) (Facts, *mcfgv1.MachineOSBuild) {
	t.Helper()
	g := copyFacts(f)
	g.Rendered.Name, g.Config.Annotations = rendered, map[string]string{AnnotationAttempt: fmt.Sprint(attempt)}
	g, object := created(t, g)
	b := mustPlan(t, g)
	if b.Name != object.Name {
		t.Fatalf("planned %s, want %s", b.Name, object.Name)
	}
	for _, image := range b.Images {
		g.Jobs = append(g.Jobs, Job{Name: jobName(object.Name, image.Architecture), Owner: object.UID, Build: object.Name, Architecture: image.Architecture, Phase: PhaseRunning})
	}
	f.Builds, f.Jobs = g.Builds, g.Jobs
	return f, object
}

// Leftovers are the builds that have not ended and the jobs that run, and of these
// what the plan does not need itself.
func TestLeftovers(t *testing.T) {
	// leftover is the plan of new inputs beside an older build, whose images they do not share.
	leftover := func(t *testing.T, change func(f *Facts, old *mcfgv1.MachineOSBuild)) (Build, *mcfgv1.MachineOSBuild) {
		t.Helper()
		f, old := earlierBuild(t, factsFor("amd64", "arm64"), "rendered-worker-0", 0)
		f.Rendered.Spec.KernelArguments = []string{"quiet"}
		change(&f, old)
		return mustPlan(t, f), old
	}
	running := func(object *mcfgv1.MachineOSBuild, architectures ...string) (all []string) {
		for _, a := range architectures {
			all = append(all, jobName(object.Name, a))
		}
		return all
	}
	check := func(t *testing.T, b Build, superseded, obsolete []string) {
		t.Helper()
		if diff := cmp.Diff(superseded, b.Superseded); diff != "" {
			t.Errorf("superseded (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(obsolete, b.Obsolete); diff != "" {
			t.Errorf("obsolete (-want +got):\n%s", diff)
		}
	}
	t.Run("56,57: a build and its jobs, by name", func(t *testing.T) {
		b, old := leftover(t, func(f *Facts, _ *mcfgv1.MachineOSBuild) { slices.Reverse(f.Jobs) })
		check(t, b, []string{old.Name}, running(old, "amd64", "arm64"))
	})
	t.Run("57: a job that has ended is not obsolete", func(t *testing.T) {
		for _, phase := range []Phase{PhaseSucceeded, PhaseFailed, PhaseDeleted} {
			b, old := leftover(t, func(f *Facts, _ *mcfgv1.MachineOSBuild) { f.Jobs[0].Phase = phase })
			check(t, b, []string{old.Name}, running(old, "arm64"))
		}
	})
	t.Run("57: a job without a name cannot be deleted", func(t *testing.T) {
		b, old := leftover(t, func(f *Facts, _ *mcfgv1.MachineOSBuild) { f.Jobs[0].Name = "" })
		check(t, b, []string{old.Name}, running(old, "arm64"))
	})
	t.Run("57: nobody's job is left alone", func(t *testing.T) {
		b, old := leftover(t, func(f *Facts, _ *mcfgv1.MachineOSBuild) {
			f.Jobs[0].Owner = ""
			f.Builds = append(f.Builds, &mcfgv1.MachineOSBuild{ObjectMeta: metav1.ObjectMeta{Name: "handmade"}, Spec: f.Builds[0].Spec})
		})
		check(t, b, slices.Sorted(slices.Values([]string{old.Name, "handmade"})), running(old, "arm64"))
	})
	t.Run("57: a job that is waited for under its name is not obsolete, another of the build is", func(t *testing.T) {
		f, old := earlierBuild(t, factsFor("amd64", "arm64"), "rendered-worker-0", 0)
		f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: "FROM other"})
		b := mustPlan(t, f)
		if got, want := states(b), "amd64:Wait/JobRunning arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures"; got != want {
			t.Fatalf("states %s, want %s", got, want)
		}
		check(t, b, []string{old.Name}, running(old, "arm64"))
	})
	t.Run("56: a build that is being deleted is not superseded, its jobs are obsolete", func(t *testing.T) {
		b, old := leftover(t, func(_ *Facts, old *mcfgv1.MachineOSBuild) { old.DeletionTimestamp = &metav1.Time{} })
		check(t, b, nil, running(old, "amd64", "arm64"))
	})
	t.Run("56: a build that has ended is not superseded", func(t *testing.T) {
		b, old := leftover(t, func(_ *Facts, old *mcfgv1.MachineOSBuild) { old.Status.Conditions = ended(mcfgv1.MachineOSBuildFailed) })
		check(t, b, nil, running(old, "amd64", "arm64"))
	})
	t.Run("56,57: also of a plan that gave up", func(t *testing.T) {
		b, old := leftover(t, func(f *Facts, _ *mcfgv1.MachineOSBuild) {
			g, failed := created(t, *f)
			failed.Status.Conditions = ended(mcfgv1.MachineOSBuildFailed)
			*f = g
		})
		if b.Next != NextGiveUp {
			t.Fatalf("%s %s, want GiveUp", b.Next, b.Reason)
		}
		check(t, b, []string{old.Name}, running(old, "amd64", "arm64"))
	})
	t.Run("56,57: not of a plan that waits for somebody", func(t *testing.T) {
		b, _ := leftover(t, func(f *Facts, _ *mcfgv1.MachineOSBuild) { f.Base = nil })
		if b.Next != NextBlocked {
			t.Fatalf("%s %s, want Blocked", b.Next, b.Reason)
		}
		check(t, b, nil, nil)
	})
}

// Of several running jobs for one key, the latest attempt's is waited for, whatever
// the order of their builds.
func TestLatestRunningJob(t *testing.T) {
	for _, attempts := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		t.Run(fmt.Sprint("48: attempts ", attempts), func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			var latest *mcfgv1.MachineOSBuild
			for i, attempt := range attempts {
				var object *mcfgv1.MachineOSBuild
				f, object = earlierBuild(t, f, fmt.Sprint("rendered-worker-0", i), attempt)
				if attempt == 2 {
					latest = object
				}
			}
			b := mustPlan(t, f)
			for _, image := range b.Images {
				if image.State != StateWait || image.From != latest.Name || image.Job != jobName(latest.Name, image.Architecture) {
					t.Errorf("%s: %s/%s of %s, want to wait for %s", image.Architecture, image.State, image.Reason, image.From, latest.Name)
				}
			}
			if len(b.Obsolete) != 4 || len(b.Superseded) != 3 {
				t.Errorf("superseded %v, obsolete %v", b.Superseded, b.Obsolete)
			}
		})
	}
	t.Run("48: of one attempt, the first by name", func(t *testing.T) {
		f := factsFor("amd64")
		var names []string
		for i := range 4 {
			var object *mcfgv1.MachineOSBuild
			f, object = earlierBuild(t, f, fmt.Sprint("rendered-worker-0", i), 0)
			names = append(names, object.Name)
		}
		if image := mustPlan(t, f).Images[0]; image.From != slices.Min(names) {
			t.Errorf("waits for %s, want the first of %v", image.From, names)
		}
	})
}

// An only image is the result where its own job pushes it, and nowhere else.
func TestInPlace(t *testing.T) {
	elsewhere := otherRegistry + "@" + buildplantest.Digest("elsewhere")
	checkPlans(t, []planRow{
		{
			name: "46,58: an only image that is recorded elsewhere has to be copied",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				object.Annotations[AnnotationImage+"amd64"] = elsewhere
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Copy/OtherRepository publish:Run/Complete", nil, nil},
		},
		{
			name: "46,58: an only image that its job pushed elsewhere is not the result",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				job := jobOf(mustPlan(t, f), mustPlan(t, f).Images[0], PhaseSucceeded)
				job.PullSpec = elsewhere
				f.Jobs = []Job{job}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Copy/OtherRepository publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "58: an only image of another build is published under a name of its own",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64"))
				f.Rendered.Name = "rendered-worker-2"
				f, _ = created(t, f)
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/SameKey publish:Run/Complete", nil, nil},
		},
		{
			name: "58: an only image that is made in the repository of builds is published from there",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.BuildRepository = otherRegistry
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name:  "58: the first of two images is not the result",
			facts: func(*testing.T) Facts { return factsFor("amd64", "arm64") },
			want:  planned{NextCreate, ReasonNewInputs, twoJobs, nil, nil},
		},
	})
}
