package osimagestream

import (
	"fmt"
	"slices"
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Plan is what to write so that the singleton says what the release offers.
type Plan struct {
	// Choice is the default stream, with all problems and findings.
	Choice
	// Steps are the writes, in order. None means that nothing is to be written,
	// because all is well or because Problems leaves nothing that may be written.
	Steps []Step
}

// Advance plans the writes that bring the singleton to what the release offers,
// with the default of Default. The steps depend on the stored object only, so a
// plan that stopped half way is finished by the next one.
//
// While OCP has no default (Default, rules 3 and 6) the stored default stays: its
// images too, if the release has others of that name or none. The rest of status
// is brought up to date, so that spec can name what the problem says. The
// annotations stay, so MCO renders nothing for the new release. With no status
// stored, nothing is written: spec may then name any stream.
func Advance(c Cluster) Plan {
	streams, choice := choose(c)
	p := Plan{Choice: choice}
	if len(streams) == 0 {
		return p
	}
	annotations := c.Release.annotations()
	if len(annotations) < 2 {
		p.Findings = append(p.Findings, Finding{FindingUnannotated, "osimagestream[" + Name + "].metadata.annotations",
			"MCO ignores the object without " + AnnotationReleaseVersion + " and " + AnnotationReleaseImage})
	}

	status := mcfgv1.OSImageStreamStatus{AvailableStreams: streams, DefaultStream: p.Stream}
	if p.Stream == "" {
		annotations = nil
		if c.Existing == nil || c.Existing.Status.DefaultStream == "" {
			return p
		}
		status.DefaultStream = c.Existing.Status.DefaultStream
		status.AvailableStreams = p.keepDefault(streams, c.Existing.Status)
	}
	if len(status.AvailableStreams) > MaxStreams {
		p.Problems = append(p.Problems, field.TooMany(availablePath(), len(status.AvailableStreams), MaxStreams))
		return p
	}

	if c.Existing == nil {
		p.step(Create, ReasonCreate, New(p.Stream, c.Release))
		p.step(UpdateStatus, ReasonPublish, &mcfgv1.OSImageStream{Status: status})
		return p
	}
	stored := c.Existing
	spec := stored.Spec
	if spec.DefaultStream == "" {
		spec.DefaultStream = fill(status.DefaultStream, stored.Status)
		p.step(Update, ReasonFillSpec, &mcfgv1.OSImageStream{Spec: spec})
	}
	if !sameStatus(status, stored.Status) {
		p.step(UpdateStatus, ReasonPublish, &mcfgv1.OSImageStream{Status: status})
	}
	follow := spec
	if p.Stream != "" {
		follow.DefaultStream = p.Stream
	}
	annotated := true
	for key, value := range annotations {
		annotated = annotated && stored.Annotations[key] == value
	}
	if follow != spec || !annotated {
		p.step(Update, ReasonFollow, &mcfgv1.OSImageStream{ObjectMeta: metav1.ObjectMeta{Annotations: annotations}, Spec: follow})
	}
	return p
}

func (p *Plan) step(op Operation, reason Reason, o *mcfgv1.OSImageStream) {
	p.Steps = append(p.Steps, Step{op, reason, o})
}

// keepDefault returns the streams of the release and the stored default's images
// as they are stored.
func (p *Plan) keepDefault(streams []mcfgv1.OSImageStreamSet, stored mcfgv1.OSImageStreamStatus) []mcfgv1.OSImageStreamSet {
	if index(streams, stored.DefaultStream) >= 0 {
		return streams
	}
	old := index(stored.AvailableStreams, stored.DefaultStream)
	if old < 0 {
		return streams
	}
	p.Findings = append(p.Findings, Finding{FindingRetiredKept, availablePath().Key(stored.DefaultStream).String(),
		fmt.Sprintf("the release has no such stream; it stays the default with the images it had until spec.defaultStream names one of %s", names(streams))})
	return sorted(append(slices.Clip(streams), stored.AvailableStreams[old]))
}

// fill returns what an empty spec can be filled with: the stream that it shall name
// in the end, or, while the stored status does not offer that, one that it does.
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
