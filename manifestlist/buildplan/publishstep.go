package buildplan

// planPublish says what to do about the publishing job.
func (p *planner) planPublish() {
	s := &p.Publish
	s.Job, s.PushSpec, s.Entry = jobName(p.Name, publishSuffix), string(p.PushSpec), -1
	switch {
	case p.Next == Done:
		p.Image = string(p.own.build.Status.DigestedImagePushSpec)
		s.Action, s.Reason, s.Image = Reuse, ReasonPublished, p.Image
		return
	case !p.active():
		s.Action, s.Reason = Hold, p.Reason
		return
	case p.inPlace():
		s.Action, s.Reason = Hold, ReasonInPlace
		p.Image = p.Steps[0].Image
		return
	}
	if job, ok := p.job(p.Name, ""); p.own != nil && ok {
		s.Exists = true
		if image := p.follow(s, job); image != "" {
			s.Action, s.Reason, s.Image = Reuse, ReasonComplete, image
			p.Image = image
			p.moveIn()
		}
		return
	}
	if p.hasStarted(s.Job) {
		s.Action, s.Reason = Stop, ReasonJobDeleted
		return
	}
	s.Action, s.Reason = Run, ReasonComplete
	for i := range p.Steps {
		switch {
		case p.Steps[i].Action == Stop:
			s.Action, s.Reason = Hold, ReasonSiblingEnded
			return
		case !p.Steps[i].recorded:
			s.Action, s.Reason = Hold, ReasonArchitectures
		}
	}
}

// inPlace reports whether the one job of the build pushes, or has pushed, its
// image where the result belongs. Then the image is the result: no index is made
// of a single image.
func (p *planner) inPlace() bool {
	return len(p.Steps) == 1 && p.Steps[0].From == "" && p.Steps[0].PushSpec == string(p.PushSpec) && p.Steps[0].Action != Copy
}

// published returns the result of a publishing job that has succeeded.
func (p *planner) published() string {
	if job, ok := p.job(p.Name, ""); ok && job.Phase == Succeeded && isPullSpec(job.Image) && !p.gone(job.Image) {
		return job.Image
	}
	return ""
}

// moveIn records where the publishing job has copied the images to.
func (p *planner) moveIn() {
	for i := range p.Steps {
		s := &p.Steps[i]
		if digest, ok := digestOf(s.Image); ok && s.Action == Copy {
			s.Image, s.recorded = p.repository+"@"+digest, false
			s.Action, s.Reason = Reuse, ReasonComplete
		}
	}
}
