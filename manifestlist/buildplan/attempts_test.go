package buildplan

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// A registry that denies reading by saying "not found", and somebody who deletes
// every job, are not built for without end.
func TestAttemptsAreBounded(t *testing.T) {
	for _, tc := range []struct {
		name          string
		architectures []string
		attempts      int
		// look is what the facts are like at each look.
		look  func(f *Facts)
		want  NextReason
		ended mcfgv1.BuildProgress
	}{
		{"32: everything is gone at once", []string{"amd64", "arm64"}, 1, allGone, ReasonAttemptsUsed, mcfgv1.MachineOSBuildInterrupted},
		{"32: an only image is gone at once", []string{"amd64"}, 1, allGone, ReasonAttemptsUsed, mcfgv1.MachineOSBuildInterrupted},
		{"32: three attempts", []string{"amd64"}, 3, allGone, ReasonAttemptsUsed, mcfgv1.MachineOSBuildInterrupted},
		{"32,33: everything is gone once it is published", []string{"amd64", "arm64"}, 2, resultGone, ReasonImagesLost, mcfgv1.MachineOSBuildSucceeded},
		{"32: each job is deleted", []string{"amd64"}, 1, func(f *Facts) {
			for i := range f.Jobs {
				f.Jobs[i].Phase = PhaseDeleted
			}
		}, ReasonAttemptsUsed, mcfgv1.MachineOSBuildInterrupted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor(tc.architectures...)
			f.Attempts = tc.attempts
			for look := range 200 {
				seen := copyFacts(f)
				tc.look(&seen)
				b := mustPlan(t, seen)
				switch b.Next {
				case NextCreate:
					object := b.MachineOSBuild()
					object.UID = newUID()
					f.Builds = append(f.Builds, object)
				case NextContinue:
					for _, object := range f.Builds {
						if object.Name == b.Name {
							observed(t, seen, object, look)
						}
					}
					for _, image := range b.all() {
						if image.State == StateRun {
							f.Jobs = append(f.Jobs, jobOf(b, image, PhaseSucceeded))
						}
					}
				}
			}
			seen := copyFacts(f)
			tc.look(&seen)
			b := mustPlan(t, seen)
			if b.Next != NextGiveUp || b.Reason != tc.want || len(f.Builds) != tc.attempts+1 {
				t.Errorf("%s %s after %d builds, want GiveUp %s after %d", b.Next, b.Reason, len(f.Builds), tc.want, tc.attempts+1)
			}
			if last := f.Builds[len(f.Builds)-1]; endedAs(last.Status.Conditions) != tc.ended {
				t.Errorf("the last build is %s, want %s", endedAs(last.Status.Conditions), tc.ended)
			}

			// Somebody asks for a rebuild: the count begins anew.
			f.Config.Annotations = AcceptRebuild(nil, b.Attempt+1)
			if b := mustPlan(t, f); b.Next != NextCreate {
				t.Errorf("after the rebuild was accepted: %s %s", b.Next, b.Reason)
			}
		})
	}
}

// allGone says that the registry has nothing of what it was given.
func allGone(f *Facts) {
	for _, j := range f.Jobs {
		f.Gone = append(f.Gone, j.PullSpec)
	}
	resultGone(f)
}

// resultGone says that it has nothing of what was published.
func resultGone(f *Facts) {
	for _, b := range f.Builds {
		f.Gone = append(f.Gone, string(b.Status.DigestedImagePushSpec))
	}
}

// What counts as a loss, and what does not.
func TestLosses(t *testing.T) {
	interrupted := func(reason ProgressReason) []metav1.Condition {
		return []metav1.Condition{{Type: string(mcfgv1.MachineOSBuildInterrupted), Status: metav1.ConditionTrue, Reason: string(reason)}}
	}
	for _, tc := range []struct {
		name   string
		before []metav1.Condition // of every attempt but the last
		last   []metav1.Condition
		change func(builds []*mcfgv1.MachineOSBuild)
		want   Next
	}{
		{name: "32,35: superseded builds do not count", before: interrupted(ReasonSuperseded), last: interrupted(ReasonBuildImageGone), want: NextCreate},
		{name: "32,35: nor stop a build that was superseded itself", before: interrupted(ReasonBuildImageGone), last: interrupted(ReasonSuperseded), want: NextCreate},
		{name: "32: images that were gone", before: interrupted(ReasonBuildImageGone), last: interrupted(ReasonBuildImageGone), want: NextGiveUp},
		{name: "32: jobs that were gone", before: interrupted(ReasonBuildJobDeleted), last: interrupted(ReasonBuildJobDeleted), want: NextGiveUp},
		{name: "32,34: failures are counted apart", before: interrupted(ReasonBuildJobDeleted), last: ended(mcfgv1.MachineOSBuildFailed), want: NextCreate},
		{name: "32,36: how a build ended that is being deleted does not count", before: interrupted(ReasonBuildImageGone), last: interrupted(ReasonBuildImageGone),
			change: func(builds []*mcfgv1.MachineOSBuild) { builds[0].DeletionTimestamp = &metav1.Time{} }, want: NextCreate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			f.Attempts = 2
			for i := range 3 {
				g := copyFacts(f)
				g.Builds, g.Config.Annotations = nil, map[string]string{AnnotationAttempt: fmt.Sprint(i)}
				object := mustPlan(t, g).MachineOSBuild()
				object.Status.Conditions = tc.before
				f.Builds = append(f.Builds, object)
			}
			last := f.Builds[2]
			last.Status.Conditions = tc.last
			if tc.change != nil {
				tc.change(f.Builds)
			}
			if b := mustPlan(t, f); b.Next != tc.want || b.Next == NextCreate && b.Attempt != 3 {
				t.Errorf("%s %s of attempt %d, want %s", b.Next, b.Reason, b.Attempt, tc.want)
			}
		})
	}
}
