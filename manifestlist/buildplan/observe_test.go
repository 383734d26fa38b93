package buildplan

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

func TestObserveRules(t *testing.T) {
	type want struct {
		progress mcfgv1.BuildProgress
		reason   ProgressReason
		builder  string // the suffix of the job's name
		related  int
		ended    bool
	}
	// jobs are the phases of the jobs for amd64, arm64 and publishing; -1: none.
	const none = Phase(99)
	for _, tc := range []struct {
		name string
		archs,
		digestless []string
		phases []Phase
		want   want
	}{
		{"78: nothing exists", []string{"amd64", "arm64"}, nil, []Phase{none, none, none}, want{"Prepared", ReasonPrepared, "", 0, false}},
		{"77,84,85: one job runs", []string{"amd64", "arm64"}, nil, []Phase{PhaseRunning, none, none}, want{"Building", ReasonBuilding, "publish", 1, false}},
		{"77,84: both run", []string{"amd64", "arm64"}, nil, []Phase{PhaseRunning, PhaseRunning, none}, want{"Building", ReasonBuilding, "publish", 2, false}},
		{"77: one is done", []string{"amd64", "arm64"}, nil, []Phase{PhaseSucceeded, PhaseRunning, none}, want{"Building", ReasonBuilding, "publish", 2, false}},
		{"77: both are done", []string{"amd64", "arm64"}, nil, []Phase{PhaseSucceeded, PhaseSucceeded, none}, want{"Building", ReasonPublishing, "publish", 2, false}},
		{"77: publishing", []string{"amd64", "arm64"}, nil, []Phase{PhaseSucceeded, PhaseSucceeded, PhaseRunning}, want{"Building", ReasonPublishing, "publish", 3, false}},
		{"76,85: published", []string{"amd64", "arm64"}, nil, []Phase{PhaseSucceeded, PhaseSucceeded, PhaseSucceeded}, want{"Succeeded", ReasonPublished, "publish", 3, true}},
		{"74: one failed, the other runs", []string{"amd64", "arm64"}, nil, []Phase{PhaseFailed, PhaseRunning, none}, want{"Building", ReasonSiblings, "publish", 2, false}},
		{"74: one failed, the other is done", []string{"amd64", "arm64"}, nil, []Phase{PhaseFailed, PhaseSucceeded, none}, want{"Failed", ReasonBuildJobFailed, "publish", 2, true}},
		{"74: one failed, the other was not started", []string{"amd64", "arm64"}, nil, []Phase{PhaseFailed, none, none}, want{"Failed", ReasonBuildJobFailed, "publish", 1, true}},
		{"74: one gave no digest", []string{"amd64", "arm64"}, []string{"amd64"}, []Phase{PhaseSucceeded, PhaseSucceeded, none}, want{"Failed", ReasonBuildNoDigest, "publish", 2, true}},
		{"74: one failed, the other gave no digest", []string{"amd64", "arm64"}, []string{"arm64"}, []Phase{PhaseFailed, PhaseSucceeded, none}, want{"Failed", ReasonBuildJobFailed, "publish", 2, true}},
		{"74: one gave no digest, the other failed", []string{"amd64", "arm64"}, []string{"amd64"}, []Phase{PhaseSucceeded, PhaseFailed, none}, want{"Failed", ReasonBuildNoDigest, "publish", 2, true}},
		{"74: publishing failed", []string{"amd64", "arm64"}, nil, []Phase{PhaseSucceeded, PhaseSucceeded, PhaseFailed}, want{"Failed", ReasonBuildJobFailed, "publish", 3, true}},
		{"75: one is being deleted", []string{"amd64", "arm64"}, nil, []Phase{PhaseDeleted, PhaseRunning, none}, want{"Interrupted", ReasonBuildJobDeleted, "publish", 2, true}},
		{"74,75: one failed, one deleted", []string{"amd64", "arm64"}, nil, []Phase{PhaseFailed, PhaseDeleted, none}, want{"Failed", ReasonBuildJobFailed, "publish", 2, true}},
		{"77,85: a single image runs", []string{"amd64"}, nil, []Phase{PhaseRunning}, want{"Building", ReasonBuilding, "amd64", 1, false}},
		{"76,85: a single image is done", []string{"amd64"}, nil, []Phase{PhaseSucceeded}, want{"Succeeded", ReasonPublished, "amd64", 1, true}},
		{"74,85: a single image failed", []string{"amd64"}, nil, []Phase{PhaseFailed}, want{"Failed", ReasonBuildJobFailed, "amd64", 1, true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, object := created(t, factsFor(tc.archs...))
			b := mustPlan(t, f)
			old := object.Status
			var out Outcome
			for i, img := range b.all() {
				if i == len(tc.phases) || tc.phases[i] == none {
					continue
				}
				j := jobOf(b, img, tc.phases[i])
				if slices.Contains(tc.digestless, img.Architecture) {
					j.PullSpec = ""
				}
				f.Jobs = append(f.Jobs, j)
				if img.Architecture != "" {
					continue
				}
				break
			}
			// Twice: what the first look records, the second builds on.
			for range 2 {
				out = observed(t, f, object, 0)
				for _, r := range buildplantest.Refusals(old, out.Status) {
					t.Error(r)
				}
				if endedAs(object.Status.Conditions) != "" {
					break
				}
				old = object.Status
			}
			got := want{progress: out.Progress, reason: out.Reason, related: len(out.Status.RelatedObjects), ended: out.Status.BuildEnd != nil}
			if out.Status.Builder != nil {
				name := out.Status.Builder.Job.Name
				got.builder = name[len(b.Name)+1:]
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if published := out.Status.DigestedImagePushSpec != ""; published != (out.Progress == mcfgv1.MachineOSBuildSucceeded) {
				t.Errorf("%s with the pull spec %q", out.Progress, out.Status.DigestedImagePushSpec)
			}
		})
	}
}

func TestObserveCallerMistakes(t *testing.T) {
	f, object := created(t, factsFor("amd64"))
	b := mustPlan(t, f)
	for name, current := range map[string]*mcfgv1.MachineOSBuild{"nil": nil, "another": {}} {
		out, err := Observe(b, current, testTime(0))
		var input *InputError
		if !errors.As(err, &input) || input.Field != "current" || out.Progress != "" {
			t.Errorf("%s: %v, %s", name, err, out.Progress)
		}
	}
	if out := Interrupt(nil, nil, testTime(0)); out.Progress != "" {
		t.Errorf("interrupted nil: %s", out.Progress)
	}
	if _, err := Observe(b, object, testTime(0)); err != nil {
		t.Error(err)
	}
}

// Images of siblings of a failed job are kept.
func TestSiblingsImagesAreKept(t *testing.T) {
	t.Run("74,80: of a job that failed", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseFailed)}
		out := observed(t, f, object, 0)
		if out.Progress != mcfgv1.MachineOSBuildFailed || object.Annotations[AnnotationImage+"amd64"] != f.Jobs[0].PullSpec {
			t.Errorf("%s, recorded %q", out.Progress, object.Annotations[AnnotationImage+"amd64"])
		}
	})
}

// What has ended never changes.
func TestEndedBuildsAreLeftAlone(t *testing.T) {
	t.Run("73,79: whatever ended them", func(t *testing.T) {
		for _, p := range []mcfgv1.BuildProgress{mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted, mcfgv1.MachineOSBuildSucceeded} {
			f, object := created(t, factsFor("amd64"))
			b := mustPlan(t, f)
			object.Status.Conditions = []metav1.Condition{{Type: string(p), Status: metav1.ConditionTrue, Reason: "Theirs"}}
			f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
			out, err := Observe(b, object, testTime(0))
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []Outcome{out, Interrupt(object, f.Jobs, testTime(0))} {
				if o.Changed || o.Progress != p || o.Reason != ReasonEnded || !cmp.Equal(o.Status, object.Status) {
					t.Errorf("%s: %+v", p, o)
				}
			}
		}
		// The CRD takes both; Failed counts.
		both := []metav1.Condition{{Type: "Succeeded", Status: metav1.ConditionTrue}, {Type: "Failed", Status: metav1.ConditionTrue}}
		if got := endedAs(both); got != mcfgv1.MachineOSBuildFailed {
			t.Errorf("Failed and Succeeded is %s", got)
		}
	})
}

func TestInterrupt(t *testing.T) {
	t.Run("79,80: with an image made", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseRunning)}
		out := Interrupt(object, f.Jobs, testTime(3))
		for _, r := range buildplantest.Refusals(object.Status, out.Status) {
			t.Error(r)
		}
		if out.Progress != mcfgv1.MachineOSBuildInterrupted || out.Reason != ReasonSuperseded || !out.Changed {
			t.Errorf("%s %s", out.Progress, out.Reason)
		}
		if diff := cmp.Diff(map[string]string{AnnotationImage + "amd64": f.Jobs[0].PullSpec}, out.Annotations); diff != "" {
			t.Errorf("recorded (-want +got):\n%s", diff)
		}
	})
}

func TestTimes(t *testing.T) {
	t.Run("81,83: times", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		observed(t, f, object, 10)
		first := object.Status
		moved := map[string]metav1.Time{}
		for _, c := range first.Conditions {
			moved[c.Type] = c.LastTransitionTime
		}
		if out := observed(t, f, object, 20); out.Changed {
			t.Errorf("nothing happened, yet: %s", cmp.Diff(first, out.Status))
		}
		early := object.DeepCopy()
		f.Jobs[0] = jobOf(b, b.Images[0], PhaseSucceeded)
		observed(t, f, early, 10)
		if s := early.Status; s.BuildStart.Unix() != testTime(10).Unix() || s.BuildEnd.Unix() != testTime(11).Unix() {
			t.Errorf("from %v to %v, want one second", s.BuildStart, s.BuildEnd)
		}
		observed(t, f, object, 30)
		s := object.Status
		if s.BuildStart.Unix() != testTime(10).Unix() || s.BuildEnd.Unix() != testTime(30).Unix() {
			t.Errorf("from %v to %v, want twenty seconds", s.BuildStart, s.BuildEnd)
		}
		for _, c := range s.Conditions {
			want := moved[c.Type]
			if c.Type == "Building" || c.Type == "Succeeded" {
				want = testTime(30)
			}
			if !c.LastTransitionTime.Equal(&want) {
				t.Errorf("%s moved at %v, want %v", c.Type, c.LastTransitionTime, want)
			}
		}
	})
}

func TestForeignConditionsAndObjectsAreKept(t *testing.T) {
	t.Run("82,84: as far as there is room", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		for i := range 5 {
			object.Status.Conditions = append(object.Status.Conditions,
				metav1.Condition{Type: fmt.Sprintf("Foreign%d", i), Status: metav1.ConditionTrue, Reason: "Theirs", LastTransitionTime: testTime(0)})
		}
		for i := range 9 {
			object.Status.RelatedObjects = append(object.Status.RelatedObjects,
				mcfgv1.ObjectReference{Group: "example.com", Resource: "things", Name: fmt.Sprintf("thing-%d", i), Namespace: Namespace})
		}
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning), jobOf(b, b.Images[1], PhaseRunning)}
		out := observed(t, f, object, 0)
		for _, r := range buildplantest.Refusals(mcfgv1.MachineOSBuildStatus{}, out.Status) {
			t.Error(r)
		}
		if n := len(out.Status.Conditions); n != 8 || out.Status.Conditions[7].Type != "Foreign2" {
			t.Errorf("%d conditions, the last %s", n, out.Status.Conditions[n-1].Type)
		}
		if got := codes(out.Findings); !slices.Equal(got, []FindingCode{FindingRelatedObjects, FindingConditions}) {
			t.Errorf("findings %v", got)
		}
		if again := observed(t, f, object, 1); again.Changed {
			t.Error("a second look changes the status again")
		}
	})
}
