package buildplan

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/internal/quote"
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

	problems field.ErrorList
	findings []Finding
}

// active reports whether the plan does anything about its build.
func (d decision) active() bool {
	return d.next == NextCreate || d.next == NextContinue || d.next == NextDone
}

// decide says what becomes of the build and names it: rules 4, 19 and 24
// to 37.
func decide(f Facts, in inputs, past history) decision {
	id := &in.identity
	tries := past.tries(id)
	latest, limit := tries.latest, max(1, f.Attempts)
	d := decision{attempt: past.floor}
	if latest != nil {
		d.attempt = latest.attempt
	}
	again := func(r NextReason) { d.next, d.reason, d.attempt = NextCreate, r, latest.attempt+1 }
	_, rebuild := f.Config.Annotations[AnnotationRebuild]
	switch {
	case rebuild:
		d.next, d.reason, d.attempt = NextAccept, ReasonRebuildRequested, max(past.highest(), d.attempt)+1
	case len(in.images) == 0:
		d.next, d.reason = NextIdle, ReasonNoArchitectures
	case len(in.problems) > 0:
		d.next, d.reason = NextBlocked, ReasonProblems
	case latest == nil:
		d.next, d.reason = NextCreate, ReasonNewInputs
	case latest.deleting:
		again(ReasonBuildDeleted)
	case latest.ended == "" && !latest.intact:
		d.next, d.reason, d.problems = NextBlocked, ReasonProblems, id.damage(latest)
	case latest.ended == "":
		d.next, d.reason, d.own = NextContinue, ReasonUnderWay, latest
	case latest.ended == mcfgv1.MachineOSBuildSucceeded:
		var lost bool
		switch lost, d.findings = past.lost(latest, in.images); {
		case !lost:
			d.next, d.reason, d.own = NextDone, ReasonSucceeded, latest
		case tries.losses > limit:
			d.next, d.reason, d.own = NextGiveUp, ReasonImagesLost, latest
		default:
			again(ReasonImagesLost)
		}
	case latest.ended == mcfgv1.MachineOSBuildFailed && tries.failures >= limit,
		latest.cutShort() && tries.losses > limit:
		d.next, d.reason, d.own = NextGiveUp, ReasonAttemptsUsed, latest
	default:
		again(ReasonRetry)
	}
	if latest != nil && latest.attempt == d.attempt {
		d.name = latest.build.Name
	} else {
		d.name = id.name(d.attempt)
	}
	if d.next == NextCreate && past.isTaken(d.name) {
		d.next, d.reason = NextBlocked, ReasonProblems
		d.problems = field.ErrorList{field.Forbidden(field.NewPath("machineosbuilds").Key(d.name),
			"has the name of the build to create and is not that build: delete it, or ask for a rebuild")}
	}
	d.pushSpec = mcfgv1.ImageTagFormat(in.repository + ":" + d.name)
	return d
}

// tries are the builds of one identity that count.
type tries struct {
	latest *earlier
	// failures have failed. losses had to be begun anew, or will have to be,
	// because images or jobs were gone.
	failures, losses int
}

// tries finds the builds of the identity from the floor on. It is the name that
// tells which attempt a build is, also where the record of it was edited.
func (h history) tries(id *identity) tries {
	var t tries
	var damaged []*earlier
	for i := range h.builds {
		switch e := &h.builds[i]; {
		case !e.intact && e.build.Spec.MachineConfig.Name == id.rendered:
			damaged = append(damaged, e)
		case e.planned && e.attempt >= h.floor:
			t.count(e)
		}
	}
	if len(damaged) == 0 || len(id.required) == 0 {
		return t
	}
	byName := make(map[string]*earlier, len(damaged))
	for _, e := range damaged {
		byName[e.build.Name] = e
	}
	last := h.floor
	if t.latest != nil {
		last = t.latest.attempt
	}
	for attempt := h.floor; attempt <= last+len(damaged)+prunedAttempts; attempt++ {
		if e := byName[id.name(attempt)]; e != nil {
			known := *e
			known.attempt = attempt
			t.count(&known)
		}
	}
	return t
}

// prunedAttempts is how many attempts between two builds may have been deleted
// for a build without a readable attempt to be found nevertheless.
const prunedAttempts = 16

func (t *tries) count(e *earlier) {
	switch {
	case e.deleting:
	case e.ended == mcfgv1.MachineOSBuildFailed:
		t.failures++
	case e.ended == mcfgv1.MachineOSBuildSucceeded || e.cutShort():
		t.losses++
	}
	if t.latest == nil || e.attempt > t.latest.attempt {
		t.latest = e
	}
}

// damage says which records of a build are not what its name was made of.
func (id *identity) damage(e *earlier) field.ErrorList {
	want := map[string]string{
		AnnotationAttempt: formatAttempt(e.attempt), AnnotationPool: id.pool, AnnotationPushSpec: id.pushSpec,
	}
	names := []string{AnnotationAttempt, AnnotationPool, AnnotationPushSpec}
	for _, r := range id.required {
		name := namesOf(r.architecture).key
		names, want[name] = append(names, name), r.key
	}
	have := identityOf(e.build, nil)
	for _, r := range have.required {
		if name := namesOf(r.architecture).key; want[name] == "" {
			names = append(names, name)
		}
	}
	var problems field.ErrorList
	path := field.NewPath("machineosbuilds").Key(e.build.Name).Child("metadata", "annotations")
	for _, name := range names {
		value := e.build.Annotations[name]
		if must, required := want[name]; !required {
			problems = append(problems, field.Forbidden(path.Key(name), "is for an architecture that the build does not require: remove it, or delete the build"))
		} else if value != must {
			problems = append(problems, field.Invalid(path.Key(name), quote.Cut(value), "was "+quote.Quote(must)+" when the build was created: restore it, or delete the build"))
		}
	}
	return problems
}
