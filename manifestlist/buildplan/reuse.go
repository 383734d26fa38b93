package buildplan

// A search is for an image of one key among other builds: rules 44 to 51.
type search struct {
	architecture, key, repository string
	names                         annotationNames

	reason            ImageReason
	best, running     *earlier
	bestImage, runsAs string
	unreadable        bool
	findings          []Finding
}

// searchesFor returns a search for each of the images.
func searchesFor(images []Image, repository string) []search {
	searches := make([]search, len(images))
	for i := range images {
		architecture := images[i].Architecture
		searches[i] = search{
			architecture: architecture, key: images[i].Key, repository: repository,
			names: namesOf(architecture), reason: ReasonNoEarlierImage,
		}
	}
	return searches
}

// consider is shown the builds by name.
func (s *search) consider(e *earlier, past *history) {
	key := e.build.Annotations[s.names.key]
	if key == "" || e.deleting || !e.intact {
		return
	}
	job := past.jobs.of(e, s.architecture)
	pullSpec, ignored := recordedImage(e, s.names, job)
	s.findings = append(s.findings, ignored...)
	if pullSpec == "" {
		pullSpec = job.made()
	}
	switch {
	case key != s.key:
		if pullSpec != "" && s.reason == ReasonNoEarlierImage {
			s.reason = ReasonKeyChanged
		}
	case e.attempt < past.floor:
		s.reason = ReasonRebuild
	case past.gone.has(pullSpec):
		s.findings = append(s.findings, gone(inBuild(e.build.Name, s.names.image), pullSpec))
		s.reason = ReasonImageGone
	case past.unreadable.has(pullSpec):
		s.findings = append(s.findings, untold(inBuild(e.build.Name, s.names.image), pullSpec))
		s.unreadable = true
	case pullSpec != "":
		if s.best == nil || preferred(s.repository, e, pullSpec, s.best, s.bestImage) {
			s.best, s.bestImage = e, pullSpec
		}
	case job != nil && !job.Phase.ended():
		if s.running == nil || e.attempt > s.running.attempt {
			s.running, s.runsAs = e, job.Name
		}
	}
}

// settle says what the search has come to.
func (s *search) settle(image Image, past history) (Image, []Finding) {
	findings := s.findings
	switch {
	case s.best != nil:
		image.From = s.best.build.Name
		image = using(image, s.bestImage, s.repository)
	case s.running != nil:
		image.State, image.Reason, image.Exists = StateWait, ReasonJobRunning, true
		image.From, image.Job = s.running.build.Name, s.runsAs
	case s.unreadable:
		image.State, image.Reason = StateHold, ReasonImageUnreadable
	default:
		var taken []Finding
		image.State, image.Reason, taken = past.toRun(image.Job, s.reason)
		findings = append(findings, taken...)
	}
	return image, findings
}

// preferred orders images of one key: rule 45.
func preferred(repository string, a *earlier, aImage string, b *earlier, bImage string) bool {
	if aHere, bHere := repositoryOf(aImage) == repository, repositoryOf(bImage) == repository; aHere != bHere {
		return aHere
	}
	if a.attempt != b.attempt {
		return a.attempt > b.attempt
	}
	return b.build.CreationTimestamp.Before(&a.build.CreationTimestamp) // else the first by name
}
