package buildplan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestPlanRules(t *testing.T) {
	const two = "amd64:Run/NoEarlierImage arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures"
	type want struct {
		next     Next
		reason   NextReason
		actions  string
		problems []field.ErrorType
		findings []FindingCode
	}
	for _, tc := range []struct {
		name  string
		facts func(t *testing.T) Facts
		want  want
	}{
		{
			name:  "several architectures: a job each and an index",
			facts: func(*testing.T) Facts { return factsFor("amd64", "arm64") },
			want:  want{NextCreate, ReasonNewInputs, two, nil, nil},
		},
		{
			name:  "one architecture on a multi payload: one job, no index",
			facts: func(*testing.T) Facts { return factsFor("arm64") },
			want:  want{NextCreate, ReasonNewInputs, "arm64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "one architecture on a single payload is nothing odd",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Payload = payloadarch.Single
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "several architectures need a multi payload",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Payload = payloadarch.Single
				return f
			},
			want: want{NextCreate, ReasonNewInputs, two, nil, []FindingCode{FindingPayloadNotMulti}},
		},
		{
			name:  "no architecture: idle",
			facts: func(*testing.T) Facts { return factsFor() },
			want:  want{NextIdle, ReasonNoArchitectures, "publish:Hold/Inactive", nil, []FindingCode{FindingNoArchitectures}},
		},
		{
			name: "no base image of an architecture: blocked",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				delete(f.Base, "arm64")
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive",
				[]field.ErrorType{field.ErrorTypeRequired, field.ErrorTypeRequired}, nil},
		},
		{
			name: "a base image by tag: blocked",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Base["amd64"] = BaseImages{OS: "quay.io/release/os:4.21", Extensions: f.Base["amd64"].Extensions}
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, nil},
		},
		{
			name: "no extensions image needed where nothing comes out of it",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Rendered.Spec.Extensions = nil
				f.Base["amd64"] = BaseImages{OS: f.Base["amd64"].OS}
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "a push spec with two path levels: told before any job",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.RenderedImagePushSpec = "registry.example.com/org/team/os:latest"
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, nil},
		},
		{
			name: "a containerfile for an architecture that the pool lacks",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.S390, Content: "FROM configs"})
				return f
			},
			want: want{NextCreate, ReasonNewInputs, two, nil, []FindingCode{FindingContainerfileUnused}},
		},
		{
			name: "no containerfile for one of the architectures",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.Containerfile[0].ContainerfileArch = mcfgv1.Amd64
				return f
			},
			want: want{NextCreate, ReasonNewInputs, two, nil, []FindingCode{FindingContainerfileMissing}},
		},
		{
			name: "no containerfile at all is nothing odd",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Config.Spec.Containerfile = nil
				return f
			},
			want: want{NextCreate, ReasonNewInputs, two, nil, nil},
		},
		{
			name: "a containerfile for no known architecture",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Config.Spec.Containerfile[0].ContainerfileArch = "RISCV64"
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeNotSupported}, nil},
		},
		{
			name: "two containerfiles for one architecture",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile, mcfgv1.MachineOSContainerfile{Content: "FROM other"})
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeDuplicate}, nil},
		},
		{
			name: "64k-pages: an arm64 pool has it",
			facts: func(*testing.T) Facts {
				f := factsFor("arm64")
				f.Rendered.Spec.KernelType = "64k-pages"
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "arm64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "64k-pages: decided per architecture, refused for the others",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64", "s390x")
				f.Rendered.Spec.KernelType = "64k-pages"
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive s390x:Hold/Inactive publish:Hold/Inactive",
				[]field.ErrorType{field.ErrorTypeInvalid, field.ErrorTypeInvalid}, nil},
		},
		{
			name: "an unknown kernel",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Rendered.Spec.KernelType = "micro"
				return f
			},
			want: want{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeNotSupported}, nil},
		},
		{
			name: "an architecture that is no GOARCH name",
			facts: func(*testing.T) Facts {
				f := factsFor("Not_An_Architecture")
				return f
			},
			want: want{NextBlocked, ReasonProblems, "Not_An_Architecture:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, nil},
		},
		{
			name: "the build exists: continue it, nothing twice",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "all images there: publish",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Run/Complete", nil, nil},
		},
		{
			name: "images not recorded yet are not published",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "published: done",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				return f
			},
			want: want{NextDone, ReasonSucceeded, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Reuse/Complete", nil, nil},
		},
		{
			name: "another push spec: copied and published, not built",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Copy/OtherRepository arm64:Copy/OtherRepository publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "another rendered config with equal ingredients: reused, not built",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Rendered.Name = "rendered-worker-2"
				f.Rendered.Spec.FIPS = true
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "a node of a new architecture: one job, the rest reused",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				g := factsFor("amd64", "arm64", "s390x")
				g.Builds, g.Jobs = f.Builds, f.Jobs
				return g
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Reuse/SameKey s390x:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "the last node of an architecture leaves: no job, no index",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Architectures = payloadarch.SetOf("amd64")
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "one architecture's base image changed: one job",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Base["arm64"] = BaseImages{OS: digestText("new"), Extensions: f.Base["arm64"].Extensions}
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Reuse/SameKey arm64:Run/KeyChanged publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "a reused image is gone: built again, the rest reused",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Gone = []string{object.Annotations[AnnotationImage+"arm64"]}
				return f
			},
			want: want{NextCreate, ReasonImagesLost, "amd64:Reuse/SameKey arm64:Run/ImageGone publish:Hold/WaitingForArchitectures", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "only the index is gone: published again, nothing built",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				f.Gone = []string{string(object.Status.DigestedImagePushSpec)}
				return f
			},
			want: want{NextCreate, ReasonImagesLost, "amd64:Reuse/SameKey arm64:Reuse/SameKey publish:Hold/WaitingForArchitectures", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "an image is gone while the build runs: the build stops",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Gone = []string{object.Annotations[AnnotationImage+"amd64"]}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Stop/ImageGone arm64:Hold/SiblingEnded publish:Hold/SiblingEnded", nil, []FindingCode{FindingImageGone}},
		},
		{
			name: "a rebuild is asked for: accept it first",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
				return f
			},
			want: want{NextAccept, ReasonRebuildRequested, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive", nil, nil},
		},
		{
			name: "a rebuild is accepted: everything is built",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64", "arm64"))
				f.Config.Annotations = map[string]string{AnnotationRebuild: ""}
				f.Config.Annotations = AcceptRebuild(f.Config.Annotations, mustPlan(t, f).Attempt)
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Run/Rebuild arm64:Run/Rebuild publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "a failed build stays failed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseFailed)}
				observed(t, f, object, 0)
				return f
			},
			want: want{NextGiveUp, ReasonAttemptsUsed, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive", nil, nil},
		},
		{
			name: "a failed build with attempts left: a new object that builds only what failed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseFailed)}
				observed(t, f, object, 0)
				f.Attempts = 2
				return f
			},
			want: want{NextCreate, ReasonRetry, "amd64:Reuse/SameKey arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures", nil, nil},
		},
		{
			name: "an interrupted build is begun anew",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				object.Status = Interrupt(object, nil, testTime(0)).Status
				return f
			},
			want: want{NextCreate, ReasonRetry, two, nil, nil},
		},
		{
			name: "the build is being deleted: another object",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64", "arm64"))
				now := testTime(0)
				object.DeletionTimestamp = &now
				return f
			},
			want: want{NextCreate, ReasonBuildDeleted, two, nil, nil},
		},
		{
			name: "a failed job's siblings are left to finish, none is started",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64", "arm64", "s390x"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning), jobOf(b, b.Images[1], PhaseFailed)}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Stop/JobFailed s390x:Hold/SiblingEnded publish:Hold/SiblingEnded", nil, nil},
		},
		{
			name: "a job that the status lists and that is not there was deleted",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning), jobOf(b, b.Images[1], PhaseRunning)}
				observed(t, f, object, 0)
				f.Jobs = f.Jobs[:1]
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Wait/JobRunning arm64:Stop/JobDeleted publish:Hold/SiblingEnded", nil, nil},
		},
		{
			name: "a job that succeeded without a digest has failed",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{{Name: b.Images[0].Job, Build: b.Name, Architecture: "amd64", Phase: PhaseSucceeded}}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Stop/NoDigest publish:Hold/InPlace", nil, nil},
		},
		{
			name: "a job's image is gone before it is recorded",
			facts: func(t *testing.T) Facts {
				f, _ := created(t, factsFor("amd64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				f.Gone = []string{f.Jobs[0].PullSpec}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Stop/ImageGone publish:Hold/InPlace", nil, nil},
		},
		{
			name: "published, then the source of a copy is gone: it is not needed any more",
			facts: func(t *testing.T) Facts {
				f, _ := finished(t, factsFor("amd64"))
				f.Config.Spec.RenderedImagePushSpec = otherRegistry + ":latest"
				f, object := created(t, f)
				b := mustPlan(t, f)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseSucceeded))
				f.Gone = []string{object.Annotations[AnnotationImage+"amd64"]}
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete publish:Reuse/Complete", nil, nil},
		},
		{
			name: "the publishing job runs",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseRunning))
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Wait/JobRunning", nil, nil},
		},
		{
			name: "the publishing job failed",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64", "arm64"))
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded), jobOf(b, b.Images[1], PhaseSucceeded)}
				observed(t, f, object, 0)
				f.Jobs = append(f.Jobs, jobOf(b, b.Publish, PhaseFailed))
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Reuse/Complete arm64:Reuse/Complete publish:Stop/JobFailed", nil, nil},
		},
		{
			name: "a build registry: built there, then copied",
			facts: func(t *testing.T) Facts {
				f := factsFor("amd64")
				f.BuildRepository = "builds.example.com/os"
				f, object := created(t, f)
				b := mustPlan(t, f)
				f.Jobs = []Job{jobOf(b, b.Images[0], PhaseSucceeded)}
				observed(t, f, object, 0)
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Copy/OtherRepository publish:Run/Complete", nil, nil},
		},
		{
			name: "an attempt that was not written here",
			facts: func(t *testing.T) Facts {
				f, object := finished(t, factsFor("amd64"))
				object.Annotations[AnnotationAttempt] = "first"
				f.Config.Annotations = map[string]string{AnnotationAttempt: "-1"}
				return f
			},
			want: want{NextCreate, ReasonNewInputs, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, []FindingCode{FindingRecordUnreadable, FindingRecordUnreadable}},
		},
		{
			name: "an image record that was not written here",
			facts: func(t *testing.T) Facts {
				f, object := created(t, factsFor("amd64"))
				object.Annotations[AnnotationImage+"amd64"] = "os:latest"
				return f
			},
			want: want{NextContinue, ReasonUnderWay, "amd64:Run/NoEarlierImage publish:Hold/InPlace", nil, []FindingCode{FindingRecordUnreadable}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := tc.facts(t)
			b := mustPlan(t, f)
			got := want{next: b.Next, reason: b.Reason, actions: actions(b)}
			for _, p := range b.Problems {
				got.problems = append(got.problems, p.Type)
			}
			if len(b.Findings) > 0 {
				got.findings = codes(b.Findings)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, finding := range b.Findings {
				if finding.Path == "" || finding.Detail == "" {
					t.Errorf("finding %+v says too little", finding)
				}
			}
		})
	}
}

func TestPlanCallerMistakes(t *testing.T) {
	for _, tc := range []struct {
		name, field string
		change      func(*Facts)
	}{
		{"no config", "Facts.Config", func(f *Facts) { f.Config = nil }},
		{"config without name", "Facts.Config", func(f *Facts) { f.Config.Name = "" }},
		{"config without pool", "Facts.Config", func(f *Facts) { f.Config.Spec.MachineConfigPool.Name = "" }},
		{"no rendered config", "Facts.Rendered", func(f *Facts) { f.Rendered = nil }},
		{"rendered config without name", "Facts.Rendered", func(f *Facts) { f.Rendered.Name = "" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsFor("amd64")
			tc.change(&f)
			b, err := Plan(f)
			var input *InputError
			if !errors.As(err, &input) || input.Field != tc.field {
				t.Fatalf("error %v, want an *InputError for %s", err, tc.field)
			}
			if diff := cmp.Diff(Build{}, b); diff != "" {
				t.Errorf("not the zero result (-want +got):\n%s", diff)
			}
		})
	}
}

// An edit while jobs run: the new build waits for the job whose image it can use
// and the other is deleted.
func TestEditWhileJobsRun(t *testing.T) {
	f, object := created(t, factsFor("amd64", "arm64"))
	old := mustPlan(t, f)
	f.Jobs = []Job{jobOf(old, old.Images[0], PhaseRunning), jobOf(old, old.Images[1], PhaseRunning)}
	observed(t, f, object, 0)
	f.Config.Spec.Containerfile = append(f.Config.Spec.Containerfile,
		mcfgv1.MachineOSContainerfile{ContainerfileArch: mcfgv1.Arm64, Content: "FROM configs AS final\nRUN true"})

	f, second := created(t, f)
	b := mustPlan(t, f)
	if got, want := actions(b), "amd64:Wait/JobRunning arm64:Run/NoEarlierImage publish:Hold/WaitingForArchitectures"; got != want {
		t.Errorf("actions %s, want %s", got, want)
	}
	if s := step(t, b, "amd64"); s.Job != old.Images[0].Job || s.From != old.Name {
		t.Errorf("amd64 waits for %s of %q, want %s of %s", s.Job, s.From, old.Images[0].Job, old.Name)
	}
	if diff := cmp.Diff([]string{old.Name}, b.Superseded); diff != "" {
		t.Errorf("superseded (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{old.Images[1].Job}, b.Obsolete); diff != "" {
		t.Errorf("obsolete (-want +got):\n%s", diff)
	}

	// The job of the first build ends up in the second one's record.
	object.Status = Interrupt(object, f.Jobs, testTime(5)).Status
	f.Builds[0] = object
	f.Jobs = []Job{jobOf(old, old.Images[0], PhaseSucceeded)}
	out := observed(t, f, second, 9)
	if got, want := out.Annotations[AnnotationImage+"amd64"], f.Jobs[0].PullSpec; got != want {
		t.Errorf("recorded image %q, want %q", got, want)
	}
	if got := out.Annotations[AnnotationFrom+"amd64"]; got != old.Name {
		t.Errorf("recorded as from %q, want %q", got, old.Name)
	}
}

// Going back to earlier inputs, whose build was interrupted, is a new attempt;
// going back to those of a build that succeeded is nothing at all.
func TestThereAndBack(t *testing.T) {
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
}

func TestAcceptRebuild(t *testing.T) {
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
}

// A rebuild begins after every attempt of before, so that none of them counts.
func TestRebuildAfterRetries(t *testing.T) {
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
}

// A rebuild does not wait for jobs of before, even of equal keys.
func TestRebuildWhileJobsRun(t *testing.T) {
	f, object := created(t, factsFor("amd64"))
	b := mustPlan(t, f)
	f.Jobs = []Job{jobOf(b, b.Images[0], PhaseRunning)}
	f.Config.Annotations = map[string]string{AnnotationAttempt: "1"}
	b = mustPlan(t, f)
	if b.Next != NextCreate || b.Images[0].State != StateRun || b.Images[0].Reason != ReasonRebuild {
		t.Errorf("%s, %s; want Create, Run for the rebuild", b.Next, actions(b))
	}
	if !slices.Equal(b.Superseded, []string{object.Name}) || len(b.Obsolete) != 1 {
		t.Errorf("superseded %v, obsolete %v", b.Superseded, b.Obsolete)
	}
}

// Of several images of one key the one that needs no copy is taken, then that of
// the latest build.
func TestPreferredImage(t *testing.T) {
	f := factsFor("amd64")
	key := mustPlan(t, f).Images[0].Key
	build := func(name, attempt, repository string, created int) *mcfgv1.MachineOSBuild {
		return &mcfgv1.MachineOSBuild{
			ObjectMeta: metav1.ObjectMeta{
				Name: name, CreationTimestamp: testTime(created),
				Annotations: map[string]string{
					AnnotationAttempt: attempt, AnnotationKey + "amd64": key,
					AnnotationImage + "amd64": repository + "@" + digestText(name),
				},
			},
			Spec: mcfgv1.MachineOSBuildSpec{MachineOSConfig: mcfgv1.MachineOSConfigReference{Name: "worker"}},
		}
	}
	far := build("a", "9", otherRegistry, 9)
	early := build("b", "0", testRepository, 1)
	late := build("c", "0", testRepository, 2)
	retried := build("d", "1", testRepository, 0)
	foreign := build("e", "5", testRepository, 5)
	foreign.Spec.MachineOSConfig.Name = "infra"
	for _, tc := range []struct {
		name   string
		builds []*mcfgv1.MachineOSBuild
		want   string
	}{
		{"no copy first", []*mcfgv1.MachineOSBuild{far, early}, "b"},
		{"higher attempt", []*mcfgv1.MachineOSBuild{early, late, retried}, "d"},
		{"later build", []*mcfgv1.MachineOSBuild{early, late}, "c"},
		{"not that of another pool", []*mcfgv1.MachineOSBuild{foreign, early}, "b"},
		{"a nil is no build", []*mcfgv1.MachineOSBuild{nil, early}, "b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f.Builds = tc.builds
			if got := mustPlan(t, f).Images[0].From; got != tc.want {
				t.Errorf("from %q, want %q", got, tc.want)
			}
			slices.Reverse(f.Builds)
			if got := mustPlan(t, f).Images[0].From; got != tc.want {
				t.Errorf("in reverse: from %q, want %q", got, tc.want)
			}
		})
	}
}

func TestCopiedImagesAreRecordedWhereTheyWent(t *testing.T) {
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
}
