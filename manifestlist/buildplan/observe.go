package buildplan

import (
	"slices"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

const (
	jobsResource = "jobs"
	// maxRelatedObjects is the CRD's limit.
	maxRelatedObjects = 10
)

// An Outcome is the state of a MachineOSBuild.
type Outcome struct {
	// Progress is the condition that is true.
	Progress mcfgv1.BuildProgress
	Reason   ProgressReason
	// Annotations are to be merged into the MachineOSBuild's, before Status is
	// written; nil if there is nothing to record.
	Annotations map[string]string
	// Status is the whole status to write.
	Status mcfgv1.MachineOSBuildStatus
	// Changed is true if Status differs from that of the object given.
	Changed  bool
	Findings []Finding
}

// Observe returns the state of the build that b was planned for, current being
// the object that exists. Its status is one that the CRD takes: what has ended
// never changes, exactly one of the five conditions is true, times are set once:
// rules 73 to 85. The error is an *InputError if current is nil or not that build,
// or another object of its name.
func Observe(b Build, current *mcfgv1.MachineOSBuild, now metav1.Time) (Outcome, error) {
	if current == nil {
		return Outcome{}, &InputError{"current", "is nil"}
	}
	if current.Name != b.Name {
		return Outcome{}, &InputError{"current", "is " + current.Name + ", must be " + b.Name}
	}
	if b.UID != "" && current.UID != b.UID {
		return Outcome{}, &InputError{"current", "is another object of the name " + b.Name}
	}
	if out, ended := unchanged(current); ended {
		return out, nil
	}
	out := Outcome{Status: *current.Status.DeepCopy(), Annotations: b.toRecord(current.Annotations)}
	message := ""
	out.Progress, out.Reason, message = b.progress(current.Status.Conditions)
	status := &out.Status
	b.relate(&out)
	if out.Progress == mcfgv1.MachineOSBuildSucceeded {
		status.DigestedImagePushSpec = mcfgv1.ImageDigestFormat(b.PullSpec)
	}
	if out.Progress != mcfgv1.MachineOSBuildPrepared {
		status.Builder = b.builder()
	}
	out.settle(current, message, now)
	return out, nil
}

// Interrupt returns the state of a build that another has taken the place of, and
// records what its jobs have made until now. A build that has ended is not
// changed. The zero Outcome is returned for nil. Rules 79 to 83.
func Interrupt(current *mcfgv1.MachineOSBuild, jobs []Job, now metav1.Time) Outcome {
	if current == nil {
		return Outcome{}
	}
	if out, ended := unchanged(current); ended {
		return out
	}
	out := Outcome{
		Progress: mcfgv1.MachineOSBuildInterrupted,
		Reason:   ReasonSuperseded,
		Status:   *current.Status.DeepCopy(),
	}
	for _, j := range jobs {
		if j.Owner == "" || j.Owner != current.UID || j.Name != jobName(current.Name, j.Architecture) || j.made() == "" {
			continue
		}
		if name := AnnotationImage + j.Architecture; current.Annotations[name] == "" {
			if out.Annotations == nil {
				out.Annotations = map[string]string{}
			}
			out.Annotations[name] = j.PullSpec
		}
	}
	out.settle(current, "another build has taken its place", now)
	return out
}

func (o *Outcome) note(code FindingCode, path, detail string) {
	(*notes)(&o.Findings).note(code, path, detail)
}

func unchanged(current *mcfgv1.MachineOSBuild) (Outcome, bool) {
	ended := endedAs(current.Status.Conditions)
	return Outcome{Progress: ended, Reason: ReasonEnded, Status: *current.Status.DeepCopy()}, ended != ""
}

// settle writes conditions and times.
func (o *Outcome) settle(current *mcfgv1.MachineOSBuild, message string, now metav1.Time) {
	status := &o.Status
	now = now.Rfc3339Copy()
	if status.BuildStart == nil && o.Progress != mcfgv1.MachineOSBuildPrepared {
		status.BuildStart = now.DeepCopy()
	}
	switch o.Progress {
	case mcfgv1.MachineOSBuildFailed, mcfgv1.MachineOSBuildInterrupted, mcfgv1.MachineOSBuildSucceeded:
		if status.BuildEnd == nil {
			// The API keeps times by the second.
			end := metav1.Time{Time: status.BuildStart.Rfc3339Copy().Add(time.Second)}
			if end.Before(&now) {
				end = now
			}
			status.BuildEnd = &end
		}
	}
	dropped := 0
	status.Conditions, dropped = conditions(status.Conditions, o.Progress, o.Reason, message, now)
	if dropped > 0 {
		o.note(FindingConditions, "machineosbuilds["+current.Name+"].status.conditions",
			"has no room for "+strconv.Itoa(dropped)+" conditions of others, which were dropped")
	}
	o.Changed = !equality.Semantic.DeepEqual(current.Status, *status)
}

// toRecord returns the images that the object does not record yet.
func (b Build) toRecord(have map[string]string) map[string]string {
	var record map[string]string
	set := func(name, value string) {
		if value == "" || have[name] == value {
			return
		}
		if record == nil {
			record = map[string]string{}
		}
		record[name] = value
	}
	for _, i := range b.Images {
		names := namesOf(i.Architecture)
		set(names.image, i.PullSpec)
		if i.PullSpec != "" {
			set(names.from, i.From)
		}
	}
	return record
}

// builder names the job whose end is the end of the build: the publishing job, or
// the only job if its image is the result.
func (b Build) builder() *mcfgv1.MachineOSBuilderReference {
	name := b.Publish.Job
	if b.Publish.Reason == ReasonInPlace && len(b.Images) == 1 {
		name = b.Images[0].Job
	}
	ref := jobReference(name)
	return &mcfgv1.MachineOSBuilderReference{ImageBuilderType: mcfgv1.JobBuilder, Job: &ref}
}

// relate adds the jobs that exist to the related objects, which others add to
// too.
func (b Build) relate(out *Outcome) {
	related := out.Status.RelatedObjects
	for _, image := range b.all() {
		ref := jobReference(image.Job)
		if !image.Exists || slices.ContainsFunc(related, func(o mcfgv1.ObjectReference) bool {
			return o.Name == ref.Name && o.Resource == ref.Resource
		}) {
			continue
		}
		if len(related) >= maxRelatedObjects {
			out.note(FindingRelatedObjects, "machineosbuilds["+b.Name+"].status.relatedObjects", "has no room for job "+image.Job)
			continue
		}
		related = append(related, ref)
	}
	out.Status.RelatedObjects = related
}

func jobReference(name string) mcfgv1.ObjectReference {
	return mcfgv1.ObjectReference{Group: batchv1.GroupName, Resource: jobsResource, Namespace: Namespace, Name: name}
}
