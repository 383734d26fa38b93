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
	// floor is the first attempt that counts.
	floor int
	jobs  []Job
	gone  []string

	findings []Finding
}

// earlier is a build that exists.
type earlier struct {
	build   *mcfgv1.MachineOSBuild
	attempt int
	// ended is the condition that ended it, empty while it runs.
	ended    mcfgv1.BuildProgress
	deleting bool
}

// readHistory gathers the builds of the MachineOSConfig and the first attempt
// that counts.
func readHistory(f Facts) history {
	var n notes
	past := history{jobs: f.Jobs, gone: f.Gone}
	text := f.Config.Annotations[AnnotationAttempt]
	floor, ok := parseAttempt(text)
	if !ok {
		n.add(unreadable("machineosconfigs["+f.Config.Name+"]", AnnotationAttempt, text))
	}
	past.floor = floor
	for _, b := range f.Builds {
		if b == nil || b.Spec.MachineOSConfig.Name != f.Config.Name {
			continue
		}
		attempt, ok := parseAttempt(b.Annotations[AnnotationAttempt])
		if !ok {
			attempt = -1 // below every floor: it is superseded and not reused
		}
		past.builds = append(past.builds, earlier{b, attempt, endedAs(b.Status.Conditions), b.DeletionTimestamp != nil})
	}
	slices.SortFunc(past.builds, func(a, b earlier) int { return strings.Compare(a.build.Name, b.build.Name) })
	for _, e := range past.builds {
		if e.attempt < 0 {
			n.add(unreadable("machineosbuilds["+e.build.Name+"]", AnnotationAttempt, e.build.Annotations[AnnotationAttempt]))
		}
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

// highest is the highest attempt of any build, or the floor if that is higher.
func (h history) highest() int {
	highest := h.floor
	for i := range h.builds {
		highest = max(highest, h.builds[i].attempt)
	}
	return highest
}

// named returns the build of a name, nil if there is none.
func (h history) named(name string) *earlier {
	for i := range h.builds {
		if h.builds[i].build.Name == name {
			return &h.builds[i]
		}
	}
	return nil
}

// job returns the job of a build for an architecture, the publishing job for
// none; nil if there is no such job.
func (h history) job(build, architecture string) *Job {
	for i := range h.jobs {
		if j := &h.jobs[i]; j.Build == build && j.Architecture == architecture && j.Name != "" {
			return j
		}
	}
	return nil
}

func (h history) isGone(image string) bool { return slices.Contains(h.gone, image) }

// published returns the result of a build's publishing job that has succeeded.
func (h history) published(build string) string {
	if pullSpec := h.job(build, "").made(); !h.isGone(pullSpec) {
		return pullSpec
	}
	return ""
}

// lost says what the registry lost of a build that has succeeded: what it
// published, or images of it.
func (h history) lost(e *earlier, images []Image) []Finding {
	var findings []Finding
	for i := range images {
		name := namesOf(images[i].Architecture).image
		if image := e.build.Annotations[name]; image != "" && h.isGone(image) {
			findings = append(findings, gone(e, name, image))
		}
	}
	if result := string(e.build.Status.DigestedImagePushSpec); !isPullSpec(result) || h.isGone(result) {
		findings = append(findings, Finding{FindingImageGone, "machineosbuilds[" + e.build.Name + "].status.digestedImagePushSpec",
			"is " + quote.Cut(orNone(result)) + ", which the registry does not have"})
	}
	return findings
}

// lists reports whether the build's status lists a job, which was then started.
func (e *earlier) lists(job string) bool {
	return slices.ContainsFunc(e.build.Status.RelatedObjects, func(o mcfgv1.ObjectReference) bool {
		return o.Resource == jobsResource && o.Name == job
	})
}

func gone(e *earlier, annotation, image string) Finding {
	return Finding{FindingImageGone, "machineosbuilds[" + e.build.Name + "].metadata.annotations[" + annotation + "]",
		"is " + quote.Cut(image) + ", which the registry does not have"}
}

func unreadable(object, annotation, value string) Finding {
	return Finding{FindingRecordUnreadable, object + ".metadata.annotations[" + annotation + "]", "is " + quote.Cut(value) + ", which was not written here"}
}
