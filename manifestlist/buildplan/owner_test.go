package buildplan

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// A failed build is deleted, and the garbage collector has not come to its jobs
// when the next build gets the same name. Kubernetes deletes what an object owned
// some time after the object, and knows the owner by its UID
// (kubernetes/kubernetes v1.27, pkg/controller/garbagecollector,
// GarbageCollector.attemptToDeleteItem).
func TestJobsOutliveTheirBuild(t *testing.T) {
	t.Run("52: until the garbage collector comes, the new build waits", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseFailed)}
		if out := observed(t, f, object, 0); out.Progress != mcfgv1.MachineOSBuildFailed {
			t.Fatalf("%s, want Failed", out.Progress)
		}
		f.Builds = nil // deleted

		f, again := created(t, f)
		if again.Name != object.Name || again.UID == object.UID {
			t.Fatalf("created %s %s, want another object named %s", again.Name, again.UID, object.Name)
		}
		b = mustPlan(t, f)
		if got, want := states(b), "amd64:Wait/NameTaken arm64:Wait/NameTaken publish:Hold/WaitingForArchitectures"; b.Next != NextContinue || got != want {
			t.Errorf("%s: %s, want Continue: %s", b.Next, got, want)
		}
		if got := codes(b.Findings); !slices.Equal(got, []FindingCode{FindingNameTaken, FindingNameTaken}) {
			t.Errorf("findings %v", b.Findings)
		}
		out := observed(t, f, again, 5)
		if out.Progress != mcfgv1.MachineOSBuildPrepared || len(out.Status.RelatedObjects) > 0 || out.Annotations != nil {
			t.Errorf("%s, related %v, recorded %v; want nothing of the dead build's jobs", out.Progress, out.Status.RelatedObjects, out.Annotations)
		}

		f.Jobs = f.Jobs[1:] // one is collected
		if got, want := states(mustPlan(t, f)), "amd64:Run/NoEarlierImage arm64:Wait/NameTaken publish:Hold/WaitingForArchitectures"; got != want {
			t.Errorf("states %s, want %s", got, want)
		}
	})
	t.Run("52: as long as the build lives its jobs count, though it was superseded", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		old := mustPlan(t, f)
		f.Jobs = []Job{jobOf(old, old.Images[0], PhaseRunning)}
		object.Status = Interrupt(object, f.Jobs, testTime(0)).Status
		b := mustPlan(t, f)
		if b.Next != NextCreate || b.Images[0].State != StateWait || b.Images[0].Job != old.Images[0].Job {
			t.Errorf("%s %s, want Create of a build that waits for %s", b.Next, states(b), old.Images[0].Job)
		}
	})
	t.Run("52,57: jobs of a build that is gone are left to the garbage collector", func(t *testing.T) {
		f, _ := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		f.Builds, f.Rendered.Name = nil, "rendered-worker-2"
		if b := mustPlan(t, f); b.Next != NextCreate || b.Obsolete != nil || b.Images[0].State != StateRun {
			t.Errorf("%s %s, obsolete %v", b.Next, states(b), b.Obsolete)
		}
	})
	t.Run("52,80: nor is what they made recorded for another build", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		job := jobOf(b, b.Images[0], PhaseSucceeded)
		for _, owner := range []Job{{Owner: "dead"}, {}} {
			job.Owner = owner.Owner
			if out := Interrupt(object, []Job{job}, testTime(0)); out.Annotations != nil {
				t.Errorf("owner %q: recorded %v", job.Owner, out.Annotations)
			}
		}
		object.UID = ""
		if out := Interrupt(object, []Job{job}, testTime(0)); out.Annotations != nil {
			t.Errorf("no UID: recorded %v", out.Annotations)
		}
	})
}

// A stranger's job has the name of one that the plan wants.
func TestStrangersJobs(t *testing.T) {
	stranger := func(name string, phase Phase) Job {
		return Job{Name: name, Phase: phase, PullSpec: testRepository + "@" + buildplantest.Digest("theirs")}
	}
	for _, phase := range []Phase{PhaseUnknown, PhaseRunning, PhaseSucceeded, PhaseFailed, PhaseDeleted} {
		t.Run("52: before and after the build exists, in phase "+phase.String(), func(t *testing.T) {
			f := factsFor("amd64", "arm64")
			f.Jobs = []Job{stranger(mustPlan(t, f).Images[1].Job, phase)}
			want := "amd64:Run/NoEarlierImage arm64:Wait/NameTaken publish:Hold/WaitingForArchitectures"
			if b := mustPlan(t, f); b.Next != NextCreate || states(b) != want || b.Images[1].Exists || b.Images[1].PullSpec != "" {
				t.Errorf("%s %s %+v", b.Next, states(b), b.Images[1])
			}
			f, _ = created(t, f)
			if b := mustPlan(t, f); b.Next != NextContinue || states(b) != want || b.Images[1].Exists {
				t.Errorf("%s %s", b.Next, states(b))
			}
		})
	}
	t.Run("52: with the name of the publishing job", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded), stranger(b.Publish.Job, PhaseSucceeded)}
		out := observed(t, f, object, 0)
		if b := mustPlan(t, f); b.Publish.State != StateWait || b.Publish.Reason != ReasonNameTaken || b.PullSpec != "" ||
			!slices.Contains(codes(b.Findings), FindingNameTaken) {
			t.Errorf("%s, result %q", states(b), b.PullSpec)
		}
		if out.Progress != mcfgv1.MachineOSBuilding {
			t.Errorf("%s, want Building", out.Progress)
		}
	})
	t.Run("52,53: the build does not wait for the name once a sibling ended", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseFailed), stranger(b.Images[1].Job, PhaseRunning)}
		if got, want := states(mustPlan(t, f)), "amd64:Stop/JobFailed arm64:Hold/SiblingEnded publish:Hold/SiblingEnded"; got != want {
			t.Errorf("states %s, want %s", got, want)
		}
		if out := observed(t, f, object, 0); out.Progress != mcfgv1.MachineOSBuildFailed {
			t.Errorf("%s, want Failed", out.Progress)
		}
	})
	t.Run("43,52: the build's own job was deleted, and another has its name", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		observed(t, f, object, 0)
		f.Jobs = []Job{stranger(b.Images[0].Job, PhaseRunning)}
		if b := mustPlan(t, f); b.Images[0].Reason != ReasonJobDeleted {
			t.Errorf("states %s", states(b))
		}
	})
	t.Run("52: two jobs of one name, one of them the build's", func(t *testing.T) {
		f, _ := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{stranger(b.Images[0].Job, PhaseFailed), jobOf(b, b.Images[0], PhaseRunning)}
		want := states(mustPlan(t, f))
		slices.Reverse(f.Jobs)
		if got := states(mustPlan(t, f)); got != want || got != "amd64:Wait/JobRunning publish:Hold/InPlace" {
			t.Errorf("states %s, in another order %s", want, got)
		}
	})
}

// A plan is carried out on the object that it was made for.
func TestObserveKnowsTheObject(t *testing.T) {
	t.Run("52,73: another object of the same name", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		if b.UID != object.UID {
			t.Fatalf("planned for %q, want %q", b.UID, object.UID)
		}
		again := object.DeepCopy()
		again.UID = "another"
		out, err := Observe(b, again, testTime(0))
		var input *InputError
		if !errors.As(err, &input) || !cmp.Equal(out, Outcome{}) {
			t.Errorf("%+v, error %v", out, err)
		}
	})
}
