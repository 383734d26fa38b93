package buildplan

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

func mustObserve(t *testing.T, b Build, object *mcfgv1.MachineOSBuild, now metav1.Time) Outcome {
	t.Helper()
	out, err := Observe(b, object, now)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The state of a build at its edges: before it has begun, with objects and
// annotations of others, and with times that the API does not keep.
func TestOddStatus(t *testing.T) {
	t.Run("83: a build that has not begun has no times, and nothing to tell", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		out := mustObserve(t, mustPlan(t, f), object, testTime(0))
		if out.Progress != mcfgv1.MachineOSBuildPrepared || out.Status.BuildStart != nil || out.Status.BuildEnd != nil || out.Status.Builder != nil || out.Findings != nil {
			t.Errorf("%+v", out)
		}
	})
	t.Run("83: times are of whole seconds", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		now := metav1.NewTime(testTime(1).Add(time.Second / 2))
		out := mustObserve(t, mustPlan(t, f), object, now)
		if want := testTime(1); !out.Status.BuildStart.Equal(&want) {
			t.Errorf("begun at %v", out.Status.BuildStart)
		}
	})
	t.Run("81: what others keep in our conditions stays, and a time that is missing is set", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		object.Status.Conditions = []metav1.Condition{{Type: string(mcfgv1.MachineOSBuildPrepared), Status: metav1.ConditionTrue, ObservedGeneration: 7}}
		out := mustObserve(t, mustPlan(t, f), object, testTime(5))
		want := testTime(5)
		if c := out.Status.Conditions[0]; c.ObservedGeneration != 7 || !c.LastTransitionTime.Equal(&want) {
			t.Errorf("%+v", c)
		}
	})
	t.Run("75: an image is gone", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
		f.Gone = []string{f.Jobs[0].PullSpec}
		if out := mustObserve(t, mustPlan(t, f), object, testTime(0)); out.Progress != mcfgv1.MachineOSBuildInterrupted || out.Reason != ReasonBuildImageGone {
			t.Errorf("%s %s", out.Progress, out.Reason)
		}
	})
	t.Run("80: what is recorded is not recorded again, and what is not there takes nothing away", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		object.Annotations[AnnotationImage+"arm64"] = "junk"
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
		out := mustObserve(t, mustPlan(t, f), object, testTime(0))
		if diff := cmp.Diff(map[string]string{AnnotationImage + "amd64": f.Jobs[0].PullSpec}, out.Annotations); diff != "" {
			t.Errorf("recorded (-want +got):\n%s", diff)
		}
		object.Annotations[AnnotationImage+"amd64"] = f.Jobs[0].PullSpec
		if out := mustObserve(t, mustPlan(t, f), object, testTime(0)); out.Annotations != nil {
			t.Errorf("recorded again: %v", out.Annotations)
		}
	})
	t.Run("84: an object of others with the name of a job is another one", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		object.Status.RelatedObjects = []mcfgv1.ObjectReference{{Group: "example.com", Resource: "things", Namespace: Namespace, Name: b.Images[0].Job}}
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		if out := mustObserve(t, mustPlan(t, f), object, testTime(0)); len(out.Status.RelatedObjects) != 2 {
			t.Errorf("related %v", out.Status.RelatedObjects)
		}
	})
	t.Run("85: an only image that is made elsewhere is not the result", func(t *testing.T) {
		f := factsFor("amd64")
		f.BuildRepository = otherRegistry
		f, object := created(t, f)
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		if out := mustObserve(t, mustPlan(t, f), object, testTime(0)); out.Status.Builder.Job.Name != b.Publish.Job {
			t.Errorf("the builder is %s, want %s", out.Status.Builder.Job.Name, b.Publish.Job)
		}
		handmade := Build{Publish: Image{Job: "publish", Reason: ReasonInPlace}}
		if got := handmade.builder().Job.Name; got != "publish" {
			t.Errorf("the builder of no image is %s", got)
		}
	})
	t.Run("73: Interrupted counts before Succeeded, Failed before both", func(t *testing.T) {
		is := func(p mcfgv1.BuildProgress) metav1.Condition { return ended(p)[0] }
		failed, interrupted, succeeded := is(mcfgv1.MachineOSBuildFailed), is(mcfgv1.MachineOSBuildInterrupted), is(mcfgv1.MachineOSBuildSucceeded)
		for _, tc := range []struct {
			conditions []metav1.Condition
			want       mcfgv1.BuildProgress
		}{
			{[]metav1.Condition{interrupted, succeeded}, mcfgv1.MachineOSBuildInterrupted},
			{[]metav1.Condition{succeeded, interrupted}, mcfgv1.MachineOSBuildInterrupted},
			{[]metav1.Condition{succeeded, interrupted, failed}, mcfgv1.MachineOSBuildFailed},
			{[]metav1.Condition{failed, interrupted, succeeded}, mcfgv1.MachineOSBuildFailed},
			{[]metav1.Condition{succeeded}, mcfgv1.MachineOSBuildSucceeded},
			{nil, ""},
		} {
			if got := endedAs(tc.conditions); got != tc.want {
				t.Errorf("%v ended as %q, want %q", tc.conditions, got, tc.want)
			}
		}
	})
	t.Run("73: another object", func(t *testing.T) {
		b := mustPlan(t, factsFor("amd64"))
		object := b.MachineOSBuild()
		object.UID = newUID()
		if _, err := Observe(b, object, testTime(0)); err != nil {
			t.Errorf("planned before it was created: %v", err)
		}
		object.Name = "another"
		var input *InputError
		if _, err := Observe(b, object, testTime(0)); !errors.As(err, &input) {
			t.Errorf("error %v, want an *InputError", err)
		}
	})
	t.Run("80: Interrupt records what the build's own jobs have made", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		good := jobOf(b, b.Images[0], PhaseSucceeded)
		for name, change := range map[string]func(j *Job){
			"failed": func(j *Job) { j.Phase = PhaseFailed }, "no pull spec": func(j *Job) { j.PullSpec = "latest" },
			"another name": func(j *Job) { j.Name = "x" }, "another architecture": func(j *Job) { j.Architecture = "arm64" },
			"another owner": func(j *Job) { j.Owner = "x" }, "nobody's": func(j *Job) { j.Owner = "" }, "the publishing job": func(j *Job) { j.Name, j.Architecture = b.Publish.Job, "" },
		} {
			bad := good
			change(&bad)
			if out := Interrupt(object, []Job{bad}, testTime(0)); out.Annotations != nil {
				t.Errorf("%s: %v", name, out.Annotations)
			}
		}
		if out := Interrupt(object, []Job{good, jobOf(b, b.Images[1], PhaseSucceeded)}, testTime(0)); len(out.Annotations) != 2 {
			t.Errorf("recorded %v, want both", out.Annotations)
		}
		if out := Interrupt(object, []Job{good}, testTime(0)); out.Annotations[AnnotationImage+"amd64"] != good.PullSpec {
			t.Errorf("recorded %v", out.Annotations)
		}
	})
}

// How far a job is, and what it pushed, of Jobs that say several things at once.
func TestOddJobs(t *testing.T) {
	b := mustPlan(t, factsFor("amd64", "arm64"))
	digest, two := buildplantest.Digest("pushed"), int32(2)
	condition := func(kind batchv1.JobConditionType, status corev1.ConditionStatus) func(*batchv1.Job) {
		return func(j *batchv1.Job) { j.Status.Conditions = []batchv1.JobCondition{{Type: kind, Status: status}} }
	}
	for _, tc := range []struct {
		name   string
		change func(*batchv1.Job)
		digest string
		want   Phase
		made   bool
	}{
		{"68: failed", condition(batchv1.JobFailed, corev1.ConditionTrue), digest, PhaseFailed, false},
		{"70: not failed", condition(batchv1.JobFailed, corev1.ConditionFalse), digest, PhaseRunning, false},
		{"70: not complete", condition(batchv1.JobComplete, corev1.ConditionFalse), digest, PhaseRunning, false},
		{"70: suspended", condition(batchv1.JobSuspended, corev1.ConditionTrue), digest, PhaseRunning, false},
		{"70: as many pods failed as may", func(j *batchv1.Job) { j.Status.Failed = 6 }, digest, PhaseRunning, false},
		{"68: one more", func(j *batchv1.Job) { j.Status.Failed = 7 }, digest, PhaseFailed, false},
		{"70: as many pods failed as the job says", func(j *batchv1.Job) { j.Status.Failed, j.Spec.BackoffLimit = 2, &two }, digest, PhaseRunning, false},
		{"68: one more than it says", func(j *batchv1.Job) { j.Status.Failed, j.Spec.BackoffLimit = 3, &two }, digest, PhaseFailed, false},
		{"69: being deleted", func(j *batchv1.Job) { j.DeletionTimestamp = &metav1.Time{} }, digest, PhaseDeleted, false},
		{"67: a pod succeeded", func(j *batchv1.Job) { j.Status.Succeeded = 1 }, digest, PhaseSucceeded, true},
		{"67: a pull spec is no digest", func(j *batchv1.Job) { j.Status.Succeeded = 1 }, "os@" + digest, PhaseSucceeded, false},
		{"66,67: a job that does not say where it pushed", func(j *batchv1.Job) {
			j.Status.Succeeded = 1
			delete(j.Annotations, AnnotationPushSpec)
		}, digest, PhaseSucceeded, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			job := &batchv1.Job{ObjectMeta: controlled(b.JobMeta(b.Images[1]), b.Name, "uid")}
			tc.change(job)
			got := ReadJob(job, tc.digest)
			if got.Phase != tc.want || (got.PullSpec != "") != tc.made {
				t.Errorf("%s, pull spec %q", got.Phase, got.PullSpec)
			}
		})
	}
}

// Records and Publish where something is missing or of another kind.
func TestOddRecords(t *testing.T) {
	amd64, arm64 := imageFor("amd64", "a"), imageFor("arm64", "b")
	described := func(c manifestlist.Child) manifestlist.Child {
		d, _, err := manifestlist.Describe(c, manifestlist.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return manifestlist.Child{Descriptor: d}
	}
	t.Run("86: only keys are records, and by architecture", func(t *testing.T) {
		object := mustPlan(t, factsFor("s390x", "ppc64le", "arm64", "amd64")).MachineOSBuild()
		object.Annotations["example.com/checksum"] = buildplantest.Digest("x")[7:]
		object.Annotations[AnnotationKey+"riscv64"] = "no key"
		for range 5 {
			var architectures []string
			for _, r := range Records(object) {
				architectures = append(architectures, r.Architecture)
			}
			if diff := cmp.Diff([]string{"amd64", "arm64", "ppc64le", "s390x"}, architectures); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	})
	for _, tc := range []struct {
		name     string
		required []string
		children []manifestlist.Child
		images   int // errors about images
		missing  int
	}{
		{"88: the only image is not given", []string{"amd64"}, nil, 0, 1},
		{"89: the only image comes as a descriptor", []string{"amd64"}, []manifestlist.Child{described(amd64)}, 1, 0},
		{"88: one of two is not given, the other comes as a descriptor", []string{"amd64", "arm64"}, []manifestlist.Child{described(amd64)}, 0, 1},
		{"90: both come as descriptors", []string{"amd64", "arm64"}, []manifestlist.Child{described(amd64), described(arm64)}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			images := map[string]manifestlist.Child{"amd64": amd64}
			if len(tc.required) > 1 {
				images["arm64"] = arm64
			}
			_, err := Publish(recorded(t, tc.required, images), tc.children)
			got, missing := 0, 0
			if joined, ok := err.(interface{ Unwrap() []error }); ok {
				for _, e := range joined.Unwrap() {
					var image *ImageError
					var incomplete *IncompleteError
					switch {
					case errors.As(e, &image):
						got++
					case errors.As(e, &incomplete):
						missing += len(incomplete.Missing)
					}
				}
			}
			if got != tc.images || missing != tc.missing || (err == nil) != (got+missing == 0) {
				t.Errorf("%d errors about images, %d missing: %v", got, missing, err)
			}
		})
	}
}
