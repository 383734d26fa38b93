package buildplan

import "slices"

// planImages says for each architecture where its image comes from: rules 38 to
// 54.
func planImages(in inputs, past history, d decision) ([]Image, []Finding) {
	images := slices.Clone(in.images)
	findings := make([][]Finding, len(images))
	for i := range images {
		image := &images[i]
		image.Job = jobName(d.name, image.Architecture)
		image.PushSpec = in.buildRepository + ":" + image.Job
		if len(images) == 1 && in.buildRepository == in.repository {
			image.PushSpec = string(d.pushSpec)
		}
		settled := false
		if !d.active() {
			image.State, image.Reason, settled = StateHold, ReasonInactive, true
		} else if d.own != nil {
			*image, settled, findings[i] = fromOwnBuild(*image, in.repository, past, d)
		}
		if !settled {
			var met []Finding
			*image, met = past.searches[i].settle(*image, past)
			findings[i] = append(findings[i], met...)
		}
	}
	stopped := slices.ContainsFunc(images, func(i Image) bool { return i.State == StateStop })
	for i := range images {
		if stopped && (images[i].State == StateRun || images[i].Reason == ReasonNameTaken) {
			images[i].State, images[i].Reason = StateHold, ReasonSiblingEnded
		}
	}
	return images, slices.Concat(findings...)
}

// toRun says what to do about a job that is to be run and is not the build's: run
// it, or wait until whoever has the name is gone: rule 52.
func (h history) toRun(job string, why ImageReason) (State, ImageReason, []Finding) {
	if !h.jobs.isTaken(job) {
		return StateRun, why, nil
	}
	return StateWait, ReasonNameTaken, []Finding{{FindingNameTaken, "jobs[" + job + "]",
		"belongs to another build or to none, and has to go before the build can run a job of this name"}}
}

// fromOwnBuild plans from what the build itself has, and reports whether that
// settles it: rules 39 to 43.
func fromOwnBuild(image Image, repository string, past history, d decision) (_ Image, settled bool, findings []Finding) {
	names := namesOf(image.Architecture)
	job := past.jobs.of(d.own, image.Architecture)
	image.Exists = job != nil
	pullSpec, ignored := recordedImage(d.own, names, job)
	if pullSpec != "" {
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
	}
	findings = ignored
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

// recordedImage returns the image that a build records, empty if it records none. A
// record that is no pull spec, or not what the build's own job made, is ignored:
// rule 54.
func recordedImage(e *earlier, names annotationNames, job *Job) (pullSpec string, ignored []Finding) {
	pullSpec = e.build.Annotations[names.image]
	if pullSpec == "" {
		return "", nil
	}
	ok := isPullSpec(pullSpec)
	if made := job.made(); ok && made != "" && e.build.Annotations[names.from] == "" {
		ok = sameDigest(made, pullSpec)
	}
	if !ok {
		return "", []Finding{unreadable(e.build.Name, names.image, pullSpec)}
	}
	return pullSpec, nil
}

func sameDigest(a, b string) bool {
	aDigest, _ := digestOf(a)
	bDigest, _ := digestOf(b)
	return aDigest == bDigest
}

// followed says what the state of a build's own job means, and returns the image
// that it made: rule 42.
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

// using returns the image as one that exists: rule 46.
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
