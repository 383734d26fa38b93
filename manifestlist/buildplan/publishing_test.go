package buildplan

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestPublishing(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "63: a push spec with two path levels: told before any job",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.RenderedImagePushSpec = "registry.example.com/org/team/os:latest"
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, nil},
		},
		{
			name: "40,59: all images there: publish",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Run/Complete", nil, nil},
		},
		{
			name: "59: images not recorded yet are not published",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "62: published, then the source of a copy is gone: it is not needed any more",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64"))
				f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
				f, object := created(t, f)
				b := mustPlan(t, f)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
				f.Gone = []string{object.Annotations[AnnotationImage+"amd64"]}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete publish:Reuse/Complete", nil, nil},
		},
		{
			name: "60: the publishing job runs",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseRunning))
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Wait/JobRunning", nil, nil},
		},
		{
			name: "60: the publishing job failed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseFailed))
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Stop/JobFailed", nil, nil},
		},
		{
			name: "60: the status lists the publishing job, and it is not there",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseRunning))
				observed(t, f, object, 0)
				f.Jobs = f.Jobs[:2]
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Stop/JobDeleted", nil, nil},
		},
		{
			name: "60,72: the publishing job, of unknown phase",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseUnknown))
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Wait/JobRunning", nil, nil},
		},
		{
			name: "58: the only image is there: it is the result",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64"))
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete publish:Reuse/Complete", nil, nil},
		},
	})
}

func TestCopiedImagesAreRecordedWhereTheyWent(t *testing.T) {
	t.Run("62: to another repository", func(t *testing.T) {
		f, _ := finished(t, factsFor("amd64", "arm64"))
		f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
		f, object := finished(t, f)
		for _, r := range Records(object) {
			if r.Copy || !strings.HasPrefix(r.PullSpec, otherRegistry+"@") {
				t.Errorf("%s: %s, want it in %s", r.Architecture, r.PullSpec, otherRegistry)
			}
		}
		if !strings.HasPrefix(string(object.Status.DigestedImagePushSpec), otherRegistry+"@") {
			t.Errorf("published as %s", object.Status.DigestedImagePushSpec)
		}
	})
}
