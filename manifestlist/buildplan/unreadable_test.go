package buildplan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
)

// A registry that refuses, is in trouble or does not answer has lost nothing.
func TestUnreadableImages(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "31: a build that is done stays done",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Unreadable = []string{object.Annotations[AnnotationImage+"arm64"], string(object.Status.DigestedImagePushSpec)}
				return f
			},
			want: planned{NextDone, ReasonSucceeded, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Reuse/Complete", nil,
				[]FindingCode{FindingImageUnreadable, FindingImageUnreadable}},
		},
		{
			name: "33: one is unreadable and another is gone: built again",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Unreadable = []string{object.Annotations[AnnotationImage+"amd64"]}
				f.Gone = []string{object.Annotations[AnnotationImage+"arm64"]}
				return f
			},
			want: planned{NextCreate, ReasonImagesLost, "amd64:Hold/ImageUnreadable arm64:Run/ImageGone publish:Hold/ImageUnreadable", nil,
				[]FindingCode{FindingImageUnreadable, FindingImageGone}},
		},
		{
			name: "49: an image to reuse: held, not built",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Unreadable = []string{object.Annotations[AnnotationImage+"amd64"]}
				f.Rendered.Name = "rendered-worker-2"
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Hold/ImageUnreadable arm64:Reuse/SameKey publish:Hold/ImageUnreadable", nil,
				[]FindingCode{FindingImageUnreadable}},
		},
		{
			name: "44,49: another image of the same key can be read",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64"))
				f.Rendered.Name = "rendered-worker-2"
				f, second := finished(t, f)
				second.Annotations[AnnotationImage+"amd64"] = testRepository + "@" + buildplantest.Digest("second")
				f.Unreadable = []string{object.Annotations[AnnotationImage+"amd64"]}
				f.Rendered.Name = "rendered-worker-3"
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil,
				[]FindingCode{FindingImageUnreadable}},
		},
		{
			name: "39: a recorded image: the build holds, nothing is published",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Unreadable = []string{f.Jobs[0].PullSpec}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Hold/ImageUnreadable arm64:Reuse/Complete publish:Hold/ImageUnreadable", nil,
				[]FindingCode{FindingImageUnreadable}},
		},
		{
			name: "39: the image of a job, not recorded yet",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseRunning)}
				f.Unreadable = []string{f.Jobs[0].PullSpec}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Hold/ImageUnreadable arm64:Wait/JobRunning publish:Hold/ImageUnreadable", nil,
				[]FindingCode{FindingImageUnreadable}},
		},
		{
			name: "39: an only image is not the result until it can be read",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				f.Unreadable = []string{f.Jobs[0].PullSpec}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Hold/ImageUnreadable publish:Hold/InPlace", nil,
				[]FindingCode{FindingImageUnreadable}},
		},
		{
			name: "39,62: once it is published, a source that cannot be read no longer matters",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64"))
				f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
				f, object := created(t, f)
				b := mustPlan(t, f)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
				f.Unreadable = []string{object.Annotations[AnnotationImage+"amd64"]}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete publish:Reuse/Complete", nil, nil},
		},
		{
			name: "61: what the publishing job pushed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
				f.Unreadable = []string{f.Jobs[2].PullSpec}
				return f
			},
			want: planned{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Hold/ImageUnreadable", nil,
				[]FindingCode{FindingImageUnreadable}},
		},
	})
}

// A build that holds is neither over nor interrupted, and goes on where it was.
func TestBuildsThatHoldGoOn(t *testing.T) {
	t.Run("39,61,77: an image, then the result", func(t *testing.T) {
		f, object := created(t, factsFor("amd64", "arm64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
		f.Unreadable = []string{f.Jobs[0].PullSpec}
		if out := observed(t, f, object, 0); out.Progress != mcfgv1.MachineOSBuilding || object.Annotations[AnnotationImage+"amd64"] == "" {
			t.Errorf("%s, recorded %v: what a job reports is recorded", out.Progress, object.Annotations)
		}
		f.Unreadable = nil
		b = mustPlan(t, f)
		if b.Publish.State != StateRun {
			t.Fatalf("states %s, want the publishing job to run", states(b))
		}
		f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
		f.Unreadable = []string{f.Jobs[2].PullSpec}
		if out := observed(t, f, object, 10); out.Progress != mcfgv1.MachineOSBuilding || out.Status.DigestedImagePushSpec != "" {
			t.Errorf("%s with %q", out.Progress, out.Status.DigestedImagePushSpec)
		}
		f.Unreadable = nil
		if out := observed(t, f, object, 20); out.Progress != mcfgv1.MachineOSBuildSucceeded {
			t.Errorf("%s, want Succeeded", out.Progress)
		}
	})
}

// The image of a pool of one architecture is the result of its build once the
// controller can read it.
func TestOnlyImageThatCannotBeRead(t *testing.T) {
	t.Run("39,77: not published yet", func(t *testing.T) {
		f, object := created(t, factsFor("amd64"))
		b := mustPlan(t, f)
		f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
		f.Unreadable = []string{f.Jobs[0].PullSpec}
		if out := observed(t, f, object, 0); out.Progress != mcfgv1.MachineOSBuilding || mustPlan(t, f).PullSpec != "" {
			t.Errorf("%s with %q", out.Progress, mustPlan(t, f).PullSpec)
		}
		f.Unreadable = nil
		if out := observed(t, f, object, 10); out.Progress != mcfgv1.MachineOSBuildSucceeded {
			t.Errorf("%s, want Succeeded", out.Progress)
		}
	})
}

func TestUnreadableIsNotAskedForAgain(t *testing.T) {
	t.Run("55: in the same look", func(t *testing.T) {
		f, object := finished(t, factsFor("amd64", "arm64"))
		f.Unreadable = mustPlan(t, f).Verify[:2]
		want := mustPlan(t, f)
		f.Unreadable = append(f.Unreadable, want.Verify...)
		b := mustPlan(t, f)
		if diff := cmp.Diff([]string(nil), b.Verify); diff != "" || b.Next != NextDone || b.PullSpec != string(object.Status.DigestedImagePushSpec) {
			t.Errorf("%s %q, verify (-want +got):\n%s", b.Next, b.PullSpec, diff)
		}
	})
}
