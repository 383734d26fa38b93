package buildplan

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/internal/quote"
)

// history is what there is of builds, jobs and images.
type history struct {
	// builds are those of this MachineOSConfig, by name.
	builds []earlier
	// searches are for the images of the plan among the builds, one for each.
	searches []search
	// others are the builds of other MachineOSConfigs: their names are taken.
	others []*mcfgv1.MachineOSBuild
	// floor is the first attempt that counts.
	floor int
	jobs  jobs
	gone  pullSpecs
	// unreadable are images that may be there or not.
	unreadable pullSpecs

	findings []Finding
}

// earlier is a build that exists.
type earlier struct {
	build *mcfgv1.MachineOSBuild
	// attempt is -1 where it is not known.
	attempt int
	// lastJob is where its jobs are found, -1 if it has none.
	lastJob int
	// intact is true if the records are those that the name was made of. Nothing
	// is reused of a build that is not.
	intact bool
	// planned is true if its records say that it is an attempt of what is planned.
	planned bool
	// ended is the condition that ended it, empty while it runs.
	ended    mcfgv1.BuildProgress
	deleting bool
}

// readHistory gathers the builds of the MachineOSConfig and the first attempt
// that counts. It goes through the builds once and takes from each all that the plan
// asks for: there may be thousands, too many to stay in the caches of a processor.
func readHistory(f Facts, in inputs) history {
	var n notes
	past := history{
		searches: searchesFor(in.images, in.repository),
		jobs:     jobsByOwner(f.Jobs), gone: setOf(f.Gone), unreadable: setOf(f.Unreadable),
	}
	text := f.Config.Annotations[AnnotationAttempt]
	floor, ok := parseAttempt(text, maxFloor)
	if !ok {
		n.note(FindingRecordUnreadable, "machineosconfigs["+f.Config.Name+"].metadata.annotations["+AnnotationAttempt+"]", "is "+quote.Cut(text)+notOurs)
	}
	past.floor = floor
	builds := make([]*mcfgv1.MachineOSBuild, 0, len(f.Builds))
	for _, b := range f.Builds {
		switch {
		case b == nil:
		case b.Spec.MachineOSConfig.Name == f.Config.Name:
			builds = append(builds, b)
		default:
			past.others = append(past.others, b)
		}
	}
	slices.SortFunc(builds, func(a, b *mcfgv1.MachineOSBuild) int { return strings.Compare(a.Name, b.Name) })
	past.builds = make([]earlier, len(builds))
	scratch := make([]requirement, 0, 4)
	for i, b := range builds {
		id, attempt, intact := readRecords(b, scratch)
		if !intact && isRecorded(b) {
			n.note(FindingRecordUnreadable, "machineosbuilds["+b.Name+"].metadata.annotations",
				"were not written together with the name of the build: nothing of it is reused")
		}
		past.builds[i] = earlier{
			build: b, attempt: attempt, lastJob: past.jobs.lastOf(b.UID),
			intact: intact, planned: id.equal(&in.identity),
			ended: endedAs(b.Status.Conditions), deleting: b.DeletionTimestamp != nil,
		}
		for j := range past.searches {
			past.searches[j].consider(&past.builds[i], &past)
		}
		scratch = id.required
	}
	past.findings = n
	return past
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

// cutShort reports whether a build was interrupted because an image or a job of
// it was gone, and not because another took its place.
func (e *earlier) cutShort() bool {
	return e.ended == mcfgv1.MachineOSBuildInterrupted && slices.ContainsFunc(e.build.Status.Conditions, func(c metav1.Condition) bool {
		return c.Type == string(mcfgv1.MachineOSBuildInterrupted) &&
			(c.Reason == string(ReasonBuildImageGone) || c.Reason == string(ReasonBuildJobDeleted))
	})
}

// highest is the highest attempt of any build, or the floor if that is higher.
func (h history) highest() int {
	highest := h.floor
	for i := range h.builds {
		highest = max(highest, h.builds[i].attempt)
	}
	return highest
}

// isTaken reports whether a build of a name exists, of whatever MachineOSConfig.
func (h history) isTaken(name string) bool {
	_, mine := slices.BinarySearchFunc(h.builds, name, func(e earlier, name string) int { return strings.Compare(e.build.Name, name) })
	return mine || slices.ContainsFunc(h.others, func(b *mcfgv1.MachineOSBuild) bool { return b.Name == name })
}

// published returns the result of a build's publishing job that has succeeded.
func (h history) published(e *earlier) string {
	if pullSpec := h.jobs.of(e, publishSuffix).made(); !h.gone.has(pullSpec) {
		return pullSpec
	}
	return ""
}

// lost says whether the registry lost anything of a build that has succeeded:
// what it published, or images of it. What the registry will not tell is not lost.
func (h history) lost(e *earlier, images []Image) (lost bool, findings []Finding) {
	check := func(pullSpec string, path func() string) {
		switch {
		case h.gone.has(pullSpec):
			lost, findings = true, append(findings, gone(path(), pullSpec))
		case h.unreadable.has(pullSpec):
			findings = append(findings, untold(path(), pullSpec))
		}
	}
	for i := range images {
		name := namesOf(images[i].Architecture).image
		check(e.build.Annotations[name], func() string { return inBuild(e.build.Name, name) })
	}
	result := string(e.build.Status.DigestedImagePushSpec)
	path := func() string { return "machineosbuilds[" + e.build.Name + "].status.digestedImagePushSpec" }
	if !isPullSpec(result) {
		return true, append(findings, gone(path(), orNone(result)))
	}
	check(result, path)
	return lost, findings
}

// lists reports whether the build's status lists a job, which was then started.
func (e *earlier) lists(job string) bool {
	return slices.ContainsFunc(e.build.Status.RelatedObjects, func(o mcfgv1.ObjectReference) bool {
		return o.Resource == jobsResource && o.Name == job
	})
}
