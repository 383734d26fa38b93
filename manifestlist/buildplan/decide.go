package buildplan

import (
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// decision is which build is planned and what becomes of it.
type decision struct {
	next     Next
	reason   NextReason
	attempt  int
	name     string
	pushSpec mcfgv1.ImageTagFormat
	// own is the build that is planned, if it exists.
	own *earlier

	findings []Finding
}

// active reports whether the plan does anything about its build.
func (d decision) active() bool {
	return d.next == NextCreate || d.next == NextContinue || d.next == NextDone
}

// decide says what becomes of the build and names it: rules 19, 4
// and 23 to 33.
func decide(f Facts, in inputs, past history) decision {
	id := identity{f.Config.Spec.MachineConfigPool.Name, f.Rendered.Name, string(f.Config.Spec.RenderedImagePushSpec), in.images}
	latest, failures := past.attempts(id)
	d := decision{attempt: past.floor}
	if latest != nil {
		d.attempt = latest.attempt
	}
	again := func(r NextReason) { d.next, d.reason, d.attempt = NextCreate, r, latest.attempt+1 }
	_, rebuild := f.Config.Annotations[AnnotationRebuild]
	switch {
	case rebuild:
		d.next, d.reason, d.attempt = NextAccept, ReasonRebuildRequested, past.highest()+1
	case len(in.images) == 0:
		d.next, d.reason = NextIdle, ReasonNoArchitectures
	case len(in.problems) > 0:
		d.next, d.reason = NextBlocked, ReasonProblems
	case latest == nil:
		d.next, d.reason = NextCreate, ReasonNewInputs
	case latest.deleting:
		again(ReasonBuildDeleted)
	case latest.ended == "":
		d.next, d.reason, d.own = NextContinue, ReasonUnderWay, latest
	case latest.ended == mcfgv1.MachineOSBuildSucceeded:
		if d.findings = past.lost(latest, in.images); d.findings != nil {
			again(ReasonImagesLost)
		} else {
			d.next, d.reason, d.own = NextDone, ReasonSucceeded, latest
		}
	case latest.ended == mcfgv1.MachineOSBuildFailed && failures >= max(1, f.Attempts):
		d.next, d.reason, d.own = NextGiveUp, ReasonAttemptsUsed, latest
	default:
		again(ReasonRetry)
	}
	if latest != nil && latest.attempt == d.attempt {
		d.name = latest.build.Name
	} else {
		d.name = id.name(d.attempt)
	}
	d.pushSpec = mcfgv1.ImageTagFormat(in.repository + ":" + d.name)
	return d
}

// attempts returns the latest build of the identity, and how many of its builds
// have failed. Attempts below the floor do not count.
func (h history) attempts(id identity) (latest *earlier, failures int) {
	for i := range h.builds {
		e := &h.builds[i]
		if e.attempt < h.floor || e.build.Spec.MachineConfig.Name != id.rendered || id.name(e.attempt) != e.build.Name {
			continue
		}
		if e.ended == mcfgv1.MachineOSBuildFailed {
			failures++
		}
		if latest == nil || e.attempt > latest.attempt {
			latest = e
		}
	}
	return latest, failures
}
