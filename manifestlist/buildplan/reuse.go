package buildplan

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// earlier is a build that exists.
type earlier struct {
	build   *mcfgv1.MachineOSBuild
	attempt int
	// ended is the condition that ended it, empty while it runs.
	ended    mcfgv1.BuildProgress
	deleting bool
}

// readBuilds gathers the builds of the MachineOSConfig and the first attempt that
// counts.
func (p *planner) readBuilds() {
	annotations := p.facts.Config.Annotations
	floor, ok := parseAttempt(annotations[AttemptAnnotation])
	if !ok {
		p.unreadable("machineosconfigs["+p.Config+"]", AttemptAnnotation, annotations[AttemptAnnotation])
	}
	p.floor = floor
	for _, b := range p.facts.Builds {
		if b == nil || b.Spec.MachineOSConfig.Name != p.Config {
			continue
		}
		attempt, ok := parseAttempt(b.Annotations[AttemptAnnotation])
		if !ok {
			attempt = -1 // below every floor: it is superseded and not reused
		}
		p.builds = append(p.builds, earlier{b, attempt, endedAs(b.Status.Conditions), b.DeletionTimestamp != nil})
	}
	slices.SortFunc(p.builds, func(a, b earlier) int { return strings.Compare(a.build.Name, b.build.Name) })
	for _, e := range p.builds {
		if e.attempt < 0 {
			p.unreadable("machineosbuilds["+e.build.Name+"]", AttemptAnnotation, e.build.Annotations[AttemptAnnotation])
		}
	}
}

// endedAs returns the condition that ended a build. The CRD lets Failed and
// Succeeded both be true; Failed counts then.
func endedAs(conditions []metav1.Condition) mcfgv1.BuildProgress {
	ended := mcfgv1.BuildProgress("")
	for _, c := range conditions {
		if c.Status != metav1.ConditionTrue {
			continue
		}
		switch t := mcfgv1.BuildProgress(c.Type); t {
		case mcfgv1.MachineOSBuildFailed:
			return t
		case mcfgv1.MachineOSBuildInterrupted:
			ended = t
		case mcfgv1.MachineOSBuildSucceeded:
			ended = cmp.Or(ended, t)
		}
	}
	return ended
}

// anyGone reports whether the registry lost what a succeeded build published, or
// an image of it.
func (p *planner) anyGone(e *earlier) bool {
	gone := false
	for i := range p.Steps {
		name := namesOf(p.Steps[i].Architecture).image
		if image := e.build.Annotations[name]; image != "" && p.gone(image) {
			p.lost(e, name, image)
			gone = true
		}
	}
	if published := string(e.build.Status.DigestedImagePushSpec); !isPullSpec(published) || p.gone(published) {
		p.find(FindingImageGone, "machineosbuilds["+e.build.Name+"].status.digestedImagePushSpec",
			"is "+orNone(published)+", which the registry does not have")
		gone = true
	}
	return gone
}

// planSteps says for each architecture where its image comes from.
func (p *planner) planSteps() {
	stopped := false
	for i := range p.Steps {
		s := &p.Steps[i]
		s.Job = jobName(p.Name, s.Architecture)
		s.PushSpec = p.buildRepository + ":" + s.Job
		if len(p.Steps) == 1 && p.buildRepository == p.repository {
			s.PushSpec = string(p.PushSpec)
		}
		if !p.active() {
			s.Action, s.Reason = Hold, p.Reason
			continue
		}
		if p.own == nil || !p.planOwn(s) {
			p.planFromOthers(s)
		}
		stopped = stopped || s.Action == Stop
	}
	if !stopped {
		return
	}
	for i := range p.Steps {
		if s := &p.Steps[i]; s.Action == Run {
			s.Action, s.Reason = Hold, ReasonSiblingEnded
		}
	}
}

// planOwn plans from what the build itself has, and reports whether that
// settles it.
func (p *planner) planOwn(s *Step) bool {
	names := namesOf(s.Architecture)
	if image := p.own.build.Annotations[names.image]; isPullSpec(image) {
		s.From = p.own.build.Annotations[names.from]
		_, s.Exists = p.job(p.Name, s.Architecture)
		p.use(s, image)
		s.recorded = true
		if p.gone(image) && p.published() == "" && p.Next != Done {
			p.lost(p.own, names.image, image)
			s.Action, s.Reason, s.Image, s.recorded = Stop, ReasonImageGone, "", false
		}
		return true
	} else if image != "" {
		p.unreadable("machineosbuilds["+p.Name+"]", names.image, image)
	}
	if p.Next == Done {
		s.Action, s.Reason = Hold, p.Reason
		return true
	}
	job, ok := p.job(p.Name, s.Architecture)
	if !ok {
		if p.hasStarted(s.Job) {
			s.Action, s.Reason = Stop, ReasonJobDeleted
			return true
		}
		return false
	}
	s.Exists = true
	if image := p.follow(s, job); image != "" {
		p.use(s, image)
	}
	return true
}

// follow plans from the state of the build's own job and returns the image that
// it made.
func (p *planner) follow(s *Step, job *Job) (image string) {
	switch {
	case job.Phase == Running:
		s.Action, s.Reason = Wait, ReasonJobRunning
	case job.Phase == Deleted:
		s.Action, s.Reason = Stop, ReasonJobDeleted
	case job.Phase == Succeeded && !isPullSpec(job.Image):
		s.Action, s.Reason = Stop, ReasonNoDigest
	case job.Phase == Succeeded && p.gone(job.Image):
		s.Action, s.Reason = Stop, ReasonImageGone
	case job.Phase == Succeeded:
		return job.Image
	default:
		s.Action, s.Reason = Stop, ReasonJobFailed
	}
	return ""
}

// planFromOthers plans from the images and running jobs of other builds.
func (p *planner) planFromOthers(s *Step) {
	names := namesOf(s.Architecture)
	s.Action, s.Reason = Run, ReasonNoEarlierImage
	var best, running *earlier
	var bestImage, runningJob string
	for i := range p.builds {
		e := &p.builds[i]
		if e.deleting || e == p.own || e.attempt < 0 {
			continue
		}
		job, _ := p.job(e.build.Name, s.Architecture)
		image := p.imageOf(e, names.image, job)
		switch key := e.build.Annotations[names.key]; {
		case key == "":
		case key != s.Key:
			if image != "" && s.Reason == ReasonNoEarlierImage {
				s.Reason = ReasonKeyChanged
			}
		case e.attempt < p.floor:
			s.Reason = ReasonRebuild
		case image != "" && p.gone(image):
			p.lost(e, names.image, image)
			s.Reason = ReasonImageGone
		case image != "":
			if best == nil || p.preferred(e, image, best, bestImage) {
				best, bestImage = e, image
			}
		case job != nil && job.Phase == Running:
			if running == nil || e.attempt > running.attempt {
				running, runningJob = e, job.Name
			}
		}
	}
	switch {
	case best != nil:
		s.From = best.build.Name
		p.use(s, bestImage)
	case running != nil:
		s.Action, s.Reason, s.From, s.Job, s.Exists = Wait, ReasonJobRunning, running.build.Name, runningJob, true
	}
}

// imageOf returns the image that a build records, or that its job has made since.
func (p *planner) imageOf(e *earlier, annotation string, job *Job) string {
	if image := e.build.Annotations[annotation]; isPullSpec(image) {
		return image
	} else if image != "" {
		p.unreadable("machineosbuilds["+e.build.Name+"]", annotation, image)
	}
	if job != nil && job.Phase == Succeeded && isPullSpec(job.Image) {
		return job.Image
	}
	return ""
}

// preferred orders images of one key: those that need no copy, then those of the
// latest build.
func (p *planner) preferred(a *earlier, aImage string, b *earlier, bImage string) bool {
	if aHere, bHere := repositoryOf(aImage) == p.repository, repositoryOf(bImage) == p.repository; aHere != bHere {
		return aHere
	}
	if a.attempt != b.attempt {
		return a.attempt > b.attempt
	}
	return b.build.CreationTimestamp.Before(&a.build.CreationTimestamp) // else the first by name
}

// use gives a step its image.
func (p *planner) use(s *Step, image string) {
	s.Image = image
	switch {
	case repositoryOf(image) != p.repository:
		s.Action, s.Reason = Copy, ReasonOtherRepository
	case s.From != "":
		s.Action, s.Reason = Reuse, ReasonSameKey
	default:
		s.Action, s.Reason = Reuse, ReasonComplete
	}
}

// hasStarted reports whether the build's status lists a job.
func (p *planner) hasStarted(job string) bool {
	return p.own != nil && slices.ContainsFunc(p.own.build.Status.RelatedObjects, func(o mcfgv1.ObjectReference) bool {
		return o.Resource == jobsResource && o.Name == job
	})
}

// job returns the job of a build for an architecture, the publishing job for none.
func (p *planner) job(build, architecture string) (*Job, bool) {
	for i := range p.facts.Jobs {
		if j := &p.facts.Jobs[i]; j.Build == build && j.Architecture == architecture && j.Name != "" {
			return j, true
		}
	}
	return nil, false
}

func (p *planner) buildNamed(name string) *earlier {
	for i := range p.builds {
		if p.builds[i].build.Name == name {
			return &p.builds[i]
		}
	}
	return nil
}

func (p *planner) gone(image string) bool { return slices.Contains(p.facts.Gone, image) }

func (p *planner) lost(e *earlier, annotation, image string) {
	p.find(FindingImageGone, "machineosbuilds["+e.build.Name+"].metadata.annotations["+annotation+"]",
		"is "+image+", which the registry does not have")
}

func (p *planner) unreadable(object, annotation, value string) {
	p.find(FindingRecordUnreadable, object+".metadata.annotations["+annotation+"]", "is "+value+", which was not written here")
}
