package buildplan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestNext(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "30,42: the build exists: continue it, nothing twice",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "31: published: done",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Reuse/Complete", nil, nil},
		},
		{
			name: "33: only the index is gone: published again, nothing built",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Gone = []string{string(object.Status.DigestedImagePushSpec)}
				return f
			},
			want: planned{NextCreate, ReasonImagesLost, "amd64:Reuse/SameKey arm64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "24: a rebuild is asked for: accept it first",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
				return f
			},
			want: planned{NextAccept, ReasonRebuildRequested, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive", nil, nil},
		},
		{
			name: "34: a failed build stays failed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseFailed)}
				observed(t, f, object, 0)
				return f
			},
			want: planned{NextGiveUp, ReasonAttemptsUsed, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive", nil, nil},
		},
		{
			name: "35: a failed build with attempts left: a new object that builds only what failed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseFailed)}
				observed(t, f, object, 0)
				f.Attempts = 2
				return f
			},
			want: planned{NextCreate, ReasonRetry, "amd64:Reuse/SameKey arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "35: an interrupted build is begun anew",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				object.Status = Interrupt(object, nil, testTime(0)).Status
				return f
			},
			want: planned{NextCreate, ReasonRetry, twoJobs, nil, nil},
		},
		{
			name: "28,50: the build is being deleted: another object",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				now := testTime(0)
				object.DeletionTimestamp = &now
				return f
			},
			want: planned{NextCreate, ReasonBuildDeleted, twoJobs, nil, nil},
		},
		{
			name: "23,36: attempts that were not written here: the name says which attempt it is",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64"))
				object.Annotations[AnnotationAttempt] = "first"
				f.Config.Annotations = map[string]string{AnnotationAttempt: "-1"}
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete publish:Reuse/Complete", nil, []FindingCode{FindingRecordUnreadable, FindingRecordUnreadable}},
		},
		{
			name:  "27: nothing is there",
			facts: func(*testing.T) Facts { return factsFor("amd64", "arm64") },
			want:  planned{NextCreate, ReasonNewInputs, twoJobs, nil, nil},
		},
		{
			name: "24: a rebuild that is asked for before there are nodes",
			facts: func(*testing.T) Facts {
				f := factsFor()
				f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
				return f
			},
			want: planned{NextAccept, ReasonRebuildRequested, "publish:Hold/Inactive", nil, []FindingCode{FindingNoArchitectures}},
		},
		{
			name: "4,26: no architecture comes before problems",
			facts: func(*testing.T) Facts {
				f := factsFor()
				f.Config.Spec.RenderedImagePushSpec = "quay.io/a/b/c:v1"
				return f
			},
			want: planned{NextIdle, ReasonNoArchitectures, "publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, []FindingCode{FindingNoArchitectures}},
		},
		{
			name: "34: no number of attempts is one attempt",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseFailed)}
				observed(t, f, object, 0)
				f.Attempts = -1
				return f
			},
			want: planned{NextGiveUp, ReasonAttemptsUsed, "amd64:Hold/Inactive publish:Hold/Inactive", nil, nil},
		},
	})
}

// A problem leaves alone what runs; so does a rebuild that is not accepted yet.
func TestLeftoversWait(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*Facts)
		want   Next
	}{
		{"26,56,57: a problem interrupts nothing", func(f *Facts) { f.Rendered.Spec.KernelType = "micro" }, NextBlocked},
		{"24,56,57: nor does a rebuild that is asked for", func(f *Facts) { f.Config.Annotations = map[string]string{AnnotationRebuild: ""} }, NextAccept},
		{"4,56,57: nor does a pool without nodes", func(f *Facts) { f.Architectures = payloadarch.Set{} }, NextIdle},
		{"56,57: another rendered config does", func(f *Facts) { f.Rendered.Spec.KernelArguments = nil }, NextCreate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, _ := created(t, factsFor("amd64", "arm64"))
			b := mustPlan(t, f)
			f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning), jobOf(b, b.Images[1], PhaseSucceeded)}
			f.Rendered.Name = "rendered-worker-2"
			tc.change(&f)
			var superseded, obsolete []string
			if tc.want == NextCreate {
				superseded, obsolete = []string{b.Name}, []string{b.Images[0].Job}
			}
			after := mustPlan(t, f)
			if after.Next != tc.want || !slices.Equal(after.Superseded, superseded) || !slices.Equal(after.Obsolete, obsolete) {
				t.Errorf("%s, superseded %v, obsolete %v; want %s, %v, %v", after.Next, after.Superseded, after.Obsolete, tc.want, superseded, obsolete)
			}
		})
	}
}

// Going back to earlier inputs, whose build was interrupted, is a new attempt;
// going back to those of a build that succeeded is nothing at all.
func TestThereAndBack(t *testing.T) {
	t.Run("31,35: to inputs of before", func(t *testing.T) {
		f, first := finished(t, factsFor("amd64", "arm64"))
		g := copyFacts(f)
		g.Config.Spec.Containerfile[0].Content = "FROM configs AS final\nRUN false"
		g, second := created(t, g)
		if first.Name == second.Name {
			t.Fatal("other inputs, same name")
		}
		f.Builds = g.Builds
		b := mustPlan(t, f)
		if b.Next != NextDone || b.Name != first.Name || b.PullSpec != string(first.Status.DigestedImagePushSpec) {
			t.Errorf("back: %s %s %q, want Done with the first build and its image", b.Next, b.Name, b.PullSpec)
		}
		if !slices.Equal(b.Superseded, []string{second.Name}) {
			t.Errorf("superseded %v, want the second build", b.Superseded)
		}

		second.Status = Interrupt(second, nil, testTime(30)).Status
		b = mustPlan(t, g)
		if b.Next != NextCreate || b.Attempt != 1 || b.Name == second.Name {
			t.Errorf("forth: %s attempt %d, want Create of attempt 1", b.Next, b.Attempt)
		}
	})
}

func TestAcceptRebuild(t *testing.T) {
	t.Run("24,25: the request is served once", func(t *testing.T) {
		f, _ := finished(t, factsFor("amd64"))
		f.Config.Annotations = map[string]string{AnnotationRebuild: "", "other": "kept"}
		accept := mustPlan(t, f)
		if accept.Next != NextAccept || accept.Attempt != 1 {
			t.Fatalf("%s of attempt %d, want Accept of 1", accept.Next, accept.Attempt)
		}
		got := AcceptRebuild(f.Config.Annotations, accept.Attempt)
		if diff := cmp.Diff(map[string]string{"other": "kept", AnnotationAttempt: "1"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		f.Config.Annotations = got
		f, _ = finished(t, f)
		if b := mustPlan(t, f); b.Next != NextDone || b.Attempt != 1 {
			t.Errorf("%s of attempt %d, want Done of 1: a request is served once", b.Next, b.Attempt)
		}
		f.Config.Annotations[AnnotationRebuild] = ""
		if b := mustPlan(t, f); b.Next != NextAccept || b.Attempt != 2 {
			t.Errorf("%s of attempt %d, want Accept of 2: the next request is another", b.Next, b.Attempt)
		}
	})
}

// A rebuild begins after every attempt of before, so that none of them counts.
func TestRebuildAfterRetries(t *testing.T) {
	t.Run("24: above every attempt", func(t *testing.T) {
		f := factsFor("amd64")
		f.Attempts = 3
		for range 2 {
			var object *mcfgv1.MachineOSBuild
			f, object = created(t, f)
			b := mustPlan(t, f)
			f.Jobs = append(f.Jobs, jobOf(b, b.Images[0], PhaseFailed))
			observed(t, f, object, 0)
		}
		f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
		if b := mustPlan(t, f); b.Next != NextAccept || b.Attempt != 2 {
			t.Errorf("%s of attempt %d, want Accept of 2", b.Next, b.Attempt)
		}
	})
}

// A rebuild does not wait for jobs of before, even of equal keys.
func TestRebuildWhileJobsRun(t *testing.T) {
	t.Run("36,50: of equal keys", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
		f.Config.Annotations = map[string]string{AnnotationAttempt: "1"}
		b = mustPlan(t, f)
		if b.Next != NextCreate || b.Images[0].State != StateRun || b.Images[0].Reason != ReasonRebuild {
			t.Errorf("%s, %s; want Create, Run for the rebuild", b.Next, states(b))
		}
		if !slices.Equal(b.Superseded, []string{object.Name}) || len(b.Obsolete) != 1 {
			t.Errorf("superseded %v, obsolete %v", b.Superseded, b.Obsolete)
		}
	})
}
