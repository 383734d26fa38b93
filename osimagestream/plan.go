package osimagestream

import (
	"fmt"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Singleton is what the OSImageStream is to say, and how to get there. The zero
// value writes nothing.
type Singleton struct {
	// Choice is the default stream. Its Problems and Findings go on with those of
	// the plan.
	Choice
	// Steps are the writes, in order. There are none if nothing differs, or if
	// Problems leaves nothing that may be written.
	Steps []Step
}

// Plan plans the writes that bring the singleton to what the release offers, by
// rules 62 to 74; its default is that of Default.
//
// While OCP has no default, nothing rolls out: the stored default keeps its
// images, and the annotations stay, so that MCO renders nothing for the new
// release. The new streams are published all the same, because spec can name only
// what status offers.
func Plan(c Cluster) Singleton {
	streams, choice := choose(c)
	s := Singleton{Choice: choice}
	if len(streams) == 0 {
		return s
	}
	goal := New(s.Stream)
	goal.Annotations = c.Release.annotations()
	if len(goal.Annotations) < 2 {
		s.note(FindingUnannotated, singletonPath().Child("metadata", "annotations"),
			"MCO ignores the object unless it has both "+AnnotationReleaseVersion+" and "+AnnotationReleaseImage)
	}
	goal.Status = mcfgv1.OSImageStreamStatus{DefaultStream: s.Stream, AvailableStreams: streams}
	if s.Stream == "" {
		if c.Stored == nil || c.Stored.Status.DefaultStream == "" {
			return s
		}
		retired, kept := retiredDefault(streams, c.Stored.Status)
		if kept {
			s.note(FindingRetiredKept, availablePath().Key(retired.Name), fmt.Sprintf(
				"the release has no such stream; it stays the default, with the images it had, until spec.defaultStream names one of %s", names(streams)))
			streams = sorted(append(slices.Clip(streams), retired))
		}
		goal = New("")
		goal.Status = mcfgv1.OSImageStreamStatus{DefaultStream: c.Stored.Status.DefaultStream, AvailableStreams: streams}
	}
	if n := len(goal.Status.AvailableStreams); n > MaxStreams {
		s.Problems = append(s.Problems, field.TooMany(availablePath(), n, MaxStreams))
		return s
	}
	s.Steps = steps(c.Stored, goal)
	return s
}

func (s *Singleton) note(code FindingCode, path *field.Path, detail string) {
	s.Findings = append(s.Findings, Finding{code, path.String(), detail})
}

// steps leads from the stored object to the goal, by rules 63 to 67. A goal
// without a spec leaves the stored one as it is, unless that is empty; annotations
// that the goal does not have stay.
func steps(stored, goal *mcfgv1.OSImageStream) []Step {
	publish := Step{VerbUpdateStatus, ReasonPublish, &mcfgv1.OSImageStream{Status: goal.Status}}
	if stored == nil {
		created := New(goal.Spec.DefaultStream)
		return append([]Step{{VerbCreate, ReasonCreate, created}}, steps(created, goal)...)
	}
	var plan []Step
	spec := stored.Spec
	if spec.DefaultStream == "" {
		spec.DefaultStream = fill(goal.Status.DefaultStream, stored.Status)
		plan = append(plan, Step{VerbUpdate, ReasonFillSpec, &mcfgv1.OSImageStream{Spec: spec}})
	}
	if !sameStatus(goal.Status, stored.Status) {
		plan = append(plan, publish)
	}
	follow := &mcfgv1.OSImageStream{Spec: spec}
	if goal.Spec.DefaultStream != "" {
		follow.Spec = goal.Spec
	}
	follow.Annotations = goal.Annotations
	annotated := true
	for key, value := range goal.Annotations {
		annotated = annotated && stored.Annotations[key] == value
	}
	if follow.Spec != spec || !annotated {
		plan = append(plan, Step{VerbUpdate, ReasonFollow, follow})
	}
	return plan
}

// retiredDefault returns the stored default as it is stored, if the release has no
// stream of its name.
func retiredDefault(streams []mcfgv1.OSImageStreamSet, stored mcfgv1.OSImageStreamStatus) (mcfgv1.OSImageStreamSet, bool) {
	i := index(stored.AvailableStreams, stored.DefaultStream)
	if i < 0 || index(streams, stored.DefaultStream) >= 0 {
		return mcfgv1.OSImageStreamSet{}, false
	}
	return stored.AvailableStreams[i], true
}

// fill returns what rule 66 fills an empty spec with.
func fill(target string, stored mcfgv1.OSImageStreamStatus) string {
	offered := stored.AvailableStreams
	if len(offered) == 0 || index(offered, target) >= 0 {
		return target
	}
	if index(offered, stored.DefaultStream) >= 0 {
		return stored.DefaultStream
	}
	return offered[0].Name
}

// sameStatus compares without regard to order: availableStreams is a map by name.
func sameStatus(a, b mcfgv1.OSImageStreamStatus) bool {
	return a.DefaultStream == b.DefaultStream && slices.Equal(sorted(a.AvailableStreams), sorted(b.AvailableStreams))
}

func sorted(streams []mcfgv1.OSImageStreamSet) []mcfgv1.OSImageStreamSet {
	return slices.SortedFunc(slices.Values(streams), func(a, b mcfgv1.OSImageStreamSet) int { return strings.Compare(a.Name, b.Name) })
}
