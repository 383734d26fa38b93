package buildplan

import "slices"

// planPublishing says what to do about the publishing job, and returns the pull
// spec of the result once there is one: rules 58 to 61.
func planPublishing(in inputs, past history, d decision, images []Image) (publish Image, result string, findings []Finding) {
	publish = Image{Job: jobName(d.name, publishSuffix), PushSpec: string(d.pushSpec), Entry: -1}
	switch {
	case d.next == NextDone:
		publish.State, publish.Reason = StateReuse, ReasonComplete
		publish.PullSpec = string(d.own.build.Status.DigestedImagePushSpec)
		return publish, publish.PullSpec, nil
	case !d.active():
		publish.State, publish.Reason = StateHold, ReasonInactive
		return publish, "", nil
	case inPlace(images, publish.PushSpec):
		publish.State, publish.Reason = StateHold, ReasonInPlace
		if images[0].State == StateHold {
			return publish, "", nil
		}
		return publish, images[0].PullSpec, nil
	}
	if d.own != nil {
		if job := past.jobs.of(d.own, publishSuffix); job != nil {
			publish.Exists = true
			publish.State, publish.Reason, publish.PullSpec = followed(job, past)
			if publish.State == StateHold {
				return publish, "", []Finding{untold("jobs["+job.Name+"]", publish.PullSpec)}
			}
			return publish, publish.PullSpec, nil
		}
		if d.own.lists(publish.Job) {
			publish.State, publish.Reason = StateStop, ReasonJobDeleted
			return publish, "", nil
		}
	}
	switch {
	case slices.ContainsFunc(images, func(i Image) bool { return i.State == StateStop }):
		publish.State, publish.Reason = StateHold, ReasonSiblingEnded
	case slices.ContainsFunc(images, func(i Image) bool { return i.Reason == ReasonImageUnreadable }):
		publish.State, publish.Reason = StateHold, ReasonImageUnreadable
	case slices.ContainsFunc(images, func(i Image) bool { return !i.Recorded }):
		publish.State, publish.Reason = StateHold, ReasonArchitectures
	default:
		publish.State, publish.Reason, findings = past.toRun(publish.Job, ReasonComplete)
	}
	return publish, "", findings
}

// inPlace reports whether the one job of the build pushes, or has pushed, its
// image where the result belongs. Then the image is the result: no index is made
// of a single image.
func inPlace(images []Image, pushSpec string) bool {
	return len(images) == 1 && images[0].From == "" && images[0].PushSpec == pushSpec && images[0].State != StateCopy
}

// copied changes the images that were copied into what the publishing job has made
// of them.
func copied(images []Image, repository string) {
	for i := range images {
		if image := &images[i]; image.State == StateCopy {
			digest, _ := digestOf(image.PullSpec)
			image.PullSpec, image.Recorded = repository+"@"+digest, false
			image.State, image.Reason = StateReuse, ReasonComplete
		}
	}
}
