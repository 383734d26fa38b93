package osimagestreamtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Verb is what happens to a cluster and to its operator.
type Verb string

const (
	// VerbRelease: the release with the streams of the step begins, and the operator
	// of it starts.
	VerbRelease Verb = "Release"
	// VerbFail: the image of the step cannot be inspected from now on.
	VerbFail Verb = "Fail"
	// VerbUnread: the payload cannot be read from now on.
	VerbUnread Verb = "Unread"
	// VerbHeal: all that failed works again.
	VerbHeal Verb = "Heal"
	// VerbReconcile: the reconcile step runs.
	VerbReconcile Verb = "Reconcile"
	// VerbStop: the reconcile step runs, and the operator is stopped after so many
	// writes. It starts anew.
	VerbStop Verb = "Stop"
	// VerbChoose: a user names the stream of the step in spec.defaultStream, if the
	// CRD takes it.
	VerbChoose Verb = "Choose"
	// VerbMeddle: somebody annotates the object, with the version of the release that
	// runs if Annotated is set, else with an empty one.
	VerbMeddle Verb = "Meddle"
)

// A HistoryStep is one of the things that happen.
type HistoryStep struct {
	Verb      Verb
	Streams   []mcfgv1.OSImageStreamSet
	Image     string
	Writes    int
	Stream    string
	Annotated bool
}

// A History is what happens to a cluster over several releases: a registry answers for
// one image and not for the next, the payload cannot always be read, the operator is
// stopped after any write, and users choose and meddle.
type History struct {
	Flavor         Flavor
	InstallVersion string
	Stored         *mcfgv1.OSImageStream // from before, nil if there is none
	Streams        []mcfgv1.OSImageStreamSet
	Steps          []HistoryStep
}

// A Violation is a rule that did not hold.
type Violation struct {
	Step int // its index, that of the end is the number of steps
	Rule string
	What string
}

// The rules that a history is held to.
const (
	ruleSeen      = "history-waits-until-seen"
	ruleOfOne     = "history-of-one-release"
	ruleAnnotated = "history-annotates-last"
	ruleTaken     = "history-writes-are-taken"
	ruleEnds      = "history-ends"
)

// a play is a history that happens.
type play struct {
	History
	newOperator func() Impl
	operator    Impl
	server      *Server
	releases    [][]mcfgv1.OSImageStreamSet // the last one runs
	world       *World                      // of the release that runs
	failing     map[string]bool
	unread      bool
	inspected   map[string]bool // by the operator that runs
	read        bool            // so is the payload
	inOrder     bool            // nobody but operators wrote annotations
	step        int
	violations  []Violation
}

// Play has the history happen to an operator, which newOperator makes at the beginning
// and whenever one starts, and returns the rules that did not hold. Of the operator,
// Reconcile is needed. At the end all that failed works again, and the reconcile step
// runs until it writes nothing more.
func (h History) Play(newOperator func() Impl) []Violation {
	p := &play{History: h, newOperator: newOperator, server: NewServer(h.Stored), failing: map[string]bool{}, inOrder: true}
	if h.Stored != nil && hasStatus(h.Stored) {
		p.releases = append(p.releases, h.Stored.Status.AvailableStreams)
	}
	p.release(h.Streams)
	for n, s := range h.Steps {
		p.step = n
		p.happen(s)
	}
	p.step = len(h.Steps)
	p.end()
	return p.violations
}

func (p *play) violate(rule, format string, args ...any) {
	p.violations = append(p.violations, Violation{p.step, rule, fmt.Sprintf(format, args...)})
}

// release begins another release.
func (p *play) release(streams []mcfgv1.OSImageStreamSet) {
	p.releases = append(p.releases, streams)
	p.world = worldOf(streams)
	p.start()
}

// start makes the operator anew. It has seen nothing.
func (p *play) start() {
	p.operator, p.inspected, p.read = p.newOperator(), map[string]bool{}, false
}

func (p *play) version() string { return fmt.Sprint("release-", len(p.releases)) }

func (p *play) happen(s HistoryStep) {
	switch s.Verb {
	case VerbRelease:
		p.release(s.Streams)
	case VerbFail:
		p.failing[s.Image] = true
	case VerbUnread:
		p.unread = true
	case VerbHeal:
		p.unread, p.failing = false, map[string]bool{}
	case VerbReconcile:
		p.reconcile()
	case VerbStop:
		p.server.StopAfter(s.Writes)
		p.reconcile()
		p.server.StopAfter(1 << 30)
		p.start()
	case VerbChoose, VerbMeddle:
		p.others(s)
	}
}

// others write to the object, if there is one and the CRD takes it.
func (p *play) others(s HistoryStep) {
	o := p.server.Stored()
	if o == nil {
		return
	}
	if s.Verb == VerbChoose {
		o.Spec.DefaultStream = s.Stream
	} else {
		o.Annotations = map[string]string{annotationVersion: ""}
		if s.Annotated {
			o.Annotations[annotationVersion] = p.version()
		}
	}
	writes := p.server.Writes
	if _, err := p.server.Update(o); err == nil && s.Verb == VerbMeddle {
		p.inOrder = false
	}
	p.server.Writes = writes // those are the operator's
}

// seen reports whether the operator knows all there is to know of the release.
func (p *play) seen() bool {
	for image := range p.world.Labels {
		if !p.inspected[image] {
			return false
		}
	}
	return p.read
}

func (p *play) cluster() Cluster {
	version := p.version()
	return Cluster{
		Flavor: p.Flavor, InstallVersion: p.InstallVersion, Version: version, Image: version, Server: p.server,
		Payload: func() (*imagev1.ImageStream, error) {
			if p.unread {
				return nil, errors.New("the payload cannot be read")
			}
			p.read = true
			return Payload(p.world.Tags...), nil
		},
		Inspect: func(image string) (map[string]string, error) {
			labels, ok := p.world.Labels[image]
			if !ok || p.failing[image] {
				return nil, fmt.Errorf("%s cannot be inspected", image)
			}
			p.inspected[image] = true
			return maps.Clone(labels), nil
		},
	}
}

// reconcile runs the step once and judges what it wrote.
func (p *play) reconcile() {
	from := len(p.server.Writes)
	p.server.writing = func() {
		if !p.seen() {
			p.violate(ruleSeen, "a write, and not all was seen")
		}
	}
	_ = p.operator.Reconcile(p.cluster()) // it is run again in any case
	p.server.writing = nil
	for _, w := range p.server.Writes[from:] {
		if w.Refused != "" {
			p.violate(ruleTaken, "%s: %s", w.Verb, w.Refused)
		}
		p.judge(w.Stored)
	}
}

// judge holds what is true at any time.
func (p *play) judge(o *mcfgv1.OSImageStream) {
	if o == nil {
		return
	}
	if !hasStatus(o) {
		if p.inOrder && p.Stored == nil && len(o.Annotations) > 0 {
			p.violate(ruleAnnotated, "annotated before there is a status")
		}
		return
	}
	// A default that has left may stay on OCP; all else is of one release.
	of := func(release []mcfgv1.OSImageStreamSet) bool {
		return !slices.ContainsFunc(o.Status.AvailableStreams, func(s mcfgv1.OSImageStreamSet) bool {
			return !slices.Contains(release, s) && (p.Flavor == OKD || s.Name != o.Status.DefaultStream)
		})
	}
	if !slices.ContainsFunc(p.releases, of) {
		p.violate(ruleOfOne, "a mix of releases: %v", namesOf(o.Status.AvailableStreams))
	}
	if p.inOrder && o.Annotations[annotationVersion] == p.version() {
		runs := p.releases[len(p.releases)-1]
		whole := p.Flavor == OKD && len(o.Status.AvailableStreams) == 1 ||
			slices.Equal(byName(o.Status.AvailableStreams), byName(runs))
		if !whole || !offers(runs, o.Status.DefaultStream) || !of(runs) {
			p.violate(ruleAnnotated, "annotated as the release that runs, with the streams %v", namesOf(o.Status.AvailableStreams))
		}
	}
}

// end lets the reconcile step run until it writes nothing more, with all that it needs.
func (p *play) end() {
	p.happen(HistoryStep{Verb: VerbHeal})
	o := Offer{Flavor: p.Flavor, InstallVersion: p.InstallVersion, Streams: p.releases[len(p.releases)-1], Stored: p.server.Stored()}
	for n := range runs + 1 {
		from := len(p.server.Writes)
		p.reconcile()
		if len(p.server.Writes) == from {
			break
		}
		if n == runs {
			p.violate(ruleEnds, "it writes on and on")
		}
	}
	got := stateOf(p.server.Stored())
	spec, status, _ := PlanOracle(o)
	if got.Spec != spec || !sameState(got.Status, status) {
		p.violate(ruleEnds, "spec %q, default %q of %v; want %q, %q of %v", got.Spec, got.Status.DefaultStream,
			namesOf(got.Status.AvailableStreams), spec, status.DefaultStream, namesOf(status.AvailableStreams))
	}
	if def, _ := DefaultOracle(o); def != "" && (got.Annotations[annotationVersion] != p.version() || got.Annotations[annotationImage] != p.version()) {
		p.violate(ruleEnds, "the annotations are not those of the release that runs")
	}
}
