package buildplan

import "slices"

// planImages says for each architecture where its image comes from: rules 34 to
// 47.
func planImages(in inputs, past history, d decision) ([]Image, []Finding) {
	images := slices.Clone(in.images)
	var findings []Finding
	stopped := false
	for i := range images {
		image := images[i]
		image.Job = jobName(d.name, image.Architecture)
		image.PushSpec = in.buildRepository + ":" + image.Job
		if len(images) == 1 && in.buildRepository == in.repository {
			image.PushSpec = string(d.pushSpec)
		}
		var met []Finding
		images[i], met = planImage(image, in.repository, past, d)
		findings = append(findings, met...)
		stopped = stopped || images[i].State == StateStop
	}
	for i := range images {
		if stopped && (images[i].State == StateRun || images[i].Reason == ReasonNameTaken) {
			images[i].State, images[i].Reason = StateHold, ReasonSiblingEnded
		}
	}
	return images, findings
}

func planImage(image Image, repository string, past history, d decision) (Image, []Finding) {
	if !d.active() {
		image.State, image.Reason = StateHold, ReasonInactive
		return image, nil
	}
	var findings []Finding
	if d.own != nil {
		var settled bool
		if image, settled, findings = fromOwnBuild(image, repository, past, d); settled {
			return image, findings
		}
	}
	image, more := fromOtherBuilds(image, repository, past, d.own)
	findings = append(findings, more...)
	if image.State == StateRun {
		image.State, image.Reason, more = past.toRun(image.Job, image.Reason)
		findings = append(findings, more...)
	}
	return image, findings
}

// toRun says what to do about a job that is to be run and is not the build's: run
// it, or wait until whoever has the name is gone: rule 83.
func (h history) toRun(job string, why ImageReason) (State, ImageReason, []Finding) {
	if len(h.jobs.named(job)) == 0 {
		return StateRun, why, nil
	}
	return StateWait, ReasonNameTaken, []Finding{{FindingNameTaken, "jobs[" + job + "]",
		"belongs to another build or to none, and has to go before the build can run a job of this name"}}
}

// fromOwnBuild plans from what the build itself has, and reports whether that
// settles it: rules 35 to 38.
func fromOwnBuild(image Image, repository string, past history, d decision) (_ Image, settled bool, findings []Finding) {
	names := namesOf(image.Architecture)
	job := past.jobs.owned(image.Job, d.own)
	image.Exists = job != nil
	if pullSpec := d.own.build.Annotations[names.image]; isPullSpec(pullSpec) {
		image.From = d.own.build.Annotations[names.from]
		needed := d.next != NextDone && past.published(d.own) == ""
		if needed && past.gone.has(pullSpec) {
			image.State, image.Reason = StateStop, ReasonImageGone
			return image, true, []Finding{gone(inBuild(d.name, names.image), pullSpec)}
		}
		image = using(image, pullSpec, repository)
		image.Recorded = true
		if needed && past.unreadable.has(pullSpec) {
			image.State, image.Reason = StateHold, ReasonImageUnreadable
			findings = []Finding{untold(inBuild(d.name, names.image), pullSpec)}
		}
		return image, true, findings
	} else if pullSpec != "" {
		findings = []Finding{unreadable(d.name, names.image, pullSpec)}
	}
	switch {
	case d.next == NextDone:
		image.State, image.Reason = StateHold, ReasonInactive
	case job != nil:
		state, reason, pullSpec := followed(job, past)
		if pullSpec != "" {
			image = using(image, pullSpec, repository)
		}
		if state != StateReuse {
			image.State, image.Reason = state, reason
		}
		if reason == ReasonImageUnreadable {
			findings = append(findings, untold("jobs["+job.Name+"]", pullSpec))
		}
	case d.own.lists(image.Job):
		image.State, image.Reason = StateStop, ReasonJobDeleted
	default:
		return image, false, findings
	}
	return image, true, findings
}

// followed says what the state of a build's own job means, and returns the image
// that it made: rule 37.
func followed(job *Job, past history) (_ State, _ ImageReason, pullSpec string) {
	switch {
	case !job.Phase.ended():
		return StateWait, ReasonJobRunning, ""
	case job.Phase == PhaseFailed:
		return StateStop, ReasonJobFailed, ""
	case job.Phase == PhaseDeleted:
		return StateStop, ReasonJobDeleted, ""
	case !isPullSpec(job.PullSpec):
		return StateStop, ReasonNoDigest, ""
	case past.gone.has(job.PullSpec):
		return StateStop, ReasonImageGone, ""
	case past.unreadable.has(job.PullSpec):
		return StateHold, ReasonImageUnreadable, job.PullSpec
	}
	return StateReuse, ReasonComplete, job.PullSpec
}

// fromOtherBuilds plans from the images and running jobs of other builds: rules 39
// to 45.
func fromOtherBuilds(image Image, repository string, past history, own *earlier) (Image, []Finding) {
	names := namesOf(image.Architecture)
	image.State, image.Reason = StateRun, ReasonNoEarlierImage
	var findings []Finding
	var best, running *earlier
	var bestImage, runningJob string
	doubtful := false
	for i := range past.builds {
		e := &past.builds[i]
		if e.deleting || e == own || !e.intact {
			continue
		}
		var job *Job
		pullSpec := e.build.Annotations[names.image]
		if !isPullSpec(pullSpec) {
			if pullSpec != "" {
				findings = append(findings, unreadable(e.build.Name, names.image, pullSpec))
			}
			job = past.jobs.of(e, image.Architecture)
			pullSpec = job.made()
		}
		switch key := e.build.Annotations[names.key]; {
		case key == "":
		case key != image.Key:
			if pullSpec != "" && image.Reason == ReasonNoEarlierImage {
				image.Reason = ReasonKeyChanged
			}
		case e.attempt < past.floor:
			image.Reason = ReasonRebuild
		case pullSpec != "" && past.gone.has(pullSpec):
			findings = append(findings, gone(inBuild(e.build.Name, names.image), pullSpec))
			image.Reason = ReasonImageGone
		case pullSpec != "" && past.unreadable.has(pullSpec):
			findings = append(findings, untold(inBuild(e.build.Name, names.image), pullSpec))
			doubtful = true
		case pullSpec != "":
			if best == nil || preferred(repository, e, pullSpec, best, bestImage) {
				best, bestImage = e, pullSpec
			}
		case job != nil && !job.Phase.ended():
			if running == nil || e.attempt > running.attempt {
				running, runningJob = e, job.Name
			}
		}
	}
	switch {
	case best != nil:
		image.From = best.build.Name
		image = using(image, bestImage, repository)
	case running != nil:
		image.State, image.Reason, image.Exists = StateWait, ReasonJobRunning, true
		image.From, image.Job = running.build.Name, runningJob
	case doubtful:
		image.State, image.Reason = StateHold, ReasonImageUnreadable
	}
	return image, findings
}

// preferred orders images of one key: rule 40.
func preferred(repository string, a *earlier, aImage string, b *earlier, bImage string) bool {
	if aHere, bHere := repositoryOf(aImage) == repository, repositoryOf(bImage) == repository; aHere != bHere {
		return aHere
	}
	if a.attempt != b.attempt {
		return a.attempt > b.attempt
	}
	return b.build.CreationTimestamp.Before(&a.build.CreationTimestamp) // else the first by name
}

// using returns the image as one that exists: rule 41.
func using(image Image, pullSpec, repository string) Image {
	image.PullSpec = pullSpec
	switch {
	case repositoryOf(pullSpec) != repository:
		image.State, image.Reason = StateCopy, ReasonOtherRepository
	case image.From != "":
		image.State, image.Reason = StateReuse, ReasonSameKey
	default:
		image.State, image.Reason = StateReuse, ReasonComplete
	}
	return image
}
