package osimagestream

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"
)

// A machine is a cluster over several releases: a registry that answers for one
// image and not for the next, a payload that cannot always be read, an operator
// that is stopped after any write, and users who choose and meddle.
type machine struct {
	flavor   Flavor
	release  int                          // numbers the release that runs
	truth    [][]mcfgv1.OSImageStreamSet  // what each release offers, by its number
	payload  world                        // of the release that runs
	labels   map[string]map[string]string // what was inspected
	unread   bool                         // whether the payload cannot be read
	stored   *mcfgv1.OSImageStream
	inOrder  bool // whether nobody but the operator wrote annotations
	observed map[FindingCode]bool
}

// next begins another release.
func (m *machine) next(t *rapid.T) {
	streams := genStreams(t, "release", 1)
	m.release, m.truth = len(m.truth), append(m.truth, streams)
	m.payload = *newWorld()
	for i, s := range streams {
		name := fmt.Sprintf("rhel-coreos-%d", i)
		for _, half := range []struct {
			tag, image string
			labels     map[string]string
		}{{name, string(s.OSImage), osLabels(s.Name)}, {name + "-extensions", string(s.OSExtensionsImage), extLabels(s.Name)}} {
			m.payload.tags = append(m.payload.tags, tag(half.tag, half.image))
			m.payload.labels[half.image] = half.labels
		}
	}
	maps.DeleteFunc(m.labels, func(image string, _ map[string]string) bool { return m.payload.labels[image] == nil })
}

func (m *machine) version() string { return fmt.Sprint("release ", m.release) }

func (m *machine) cluster() Cluster {
	s := Sources{Payload: payload(m.payload.tags...), Labels: m.labels, AssumeStream: "assumed"}
	if m.unread {
		s.Payload = nil
	}
	return Cluster{Flavor: m.flavor, Discovery: Discover(s), Stored: m.stored, InstallVersion: "4.18.0",
		Release: Release{Version: m.version(), Image: m.version()}}
}

// seen reports whether the operator knows all there is to know of the release.
func (m *machine) seen() bool { return !m.unread && len(m.labels) == len(m.payload.labels) }

// write sends so many steps of a plan, then the operator is stopped.
func (m *machine) write(t *rapid.T, most int) {
	p := Plan(m.cluster())
	for _, f := range p.Findings {
		m.observed[f.Code] = true
	}
	if !m.seen() && len(p.Steps) > 0 {
		t.Fatalf("not all was seen, and yet it wants %v", script(p.Steps))
	}
	for _, s := range p.Steps[:min(most, len(p.Steps))] {
		next, err := crdSend(m.stored, s)
		if err != nil {
			t.Fatalf("%s %s is refused: %v", s.Verb, s.Reason, err)
		}
		m.stored = next
	}
}

// check holds what is true at any time.
func (m *machine) check(t *rapid.T) {
	if m.stored == nil || !hasStatus(m.stored) {
		if m.stored != nil && m.inOrder && len(m.stored.Annotations) > 0 {
			t.Fatal("annotated before there is a status")
		}
		return
	}
	status, truth := m.stored.Status, m.truth[m.release]
	// A default that has left may stay; all else is of one release.
	of := func(release []mcfgv1.OSImageStreamSet) bool {
		return !slices.ContainsFunc(status.AvailableStreams, func(s mcfgv1.OSImageStreamSet) bool {
			return !slices.Contains(release, s) && (m.flavor == OKD || s.Name != status.DefaultStream)
		})
	}
	if !slices.ContainsFunc(m.truth, of) {
		t.Fatalf("a mix of releases: %+v", status)
	}
	if m.inOrder && m.stored.Annotations[AnnotationReleaseVersion] == m.version() {
		whole := m.flavor == OKD && len(status.AvailableStreams) == 1 || slices.Equal(sorted(status.AvailableStreams), sorted(truth))
		if !whole || !slices.Contains(nameList(truth), status.DefaultStream) || !of(truth) {
			t.Fatalf("annotated as %s with the streams %+v", m.version(), status)
		}
	}
}

// Whatever fails to be inspected and wherever the operator is stopped: what is
// stored is of one release, the annotations come last, the CRD takes each write, and
// once all is seen, the object says what the release offers.
func TestStateMachine(t *testing.T) {
	observed := map[FindingCode]bool{}
	t.Run("63,69,74,27,62: inspections fail one by one, plans are broken off", rapid.MakeCheck(func(t *rapid.T) {
		m := &machine{
			flavor: rapid.SampledFrom([]Flavor{OCP, OKD}).Draw(t, "flavor"), labels: map[string]map[string]string{},
			inOrder: true, observed: observed,
		}
		m.next(t)
		one := func(labels map[string]map[string]string) string {
			return rapid.SampledFrom(slices.Sorted(maps.Keys(labels))).Draw(t, "image")
		}
		t.Repeat(map[string]func(*rapid.T){
			"":        m.check,
			"release": m.next,
			"inspect": func(*rapid.T) { i := one(m.payload.labels); m.labels[i] = m.payload.labels[i] },
			"inspect all": func(*rapid.T) {
				m.unread = false
				maps.Copy(m.labels, m.payload.labels)
			},
			"forget": func(t *rapid.T) {
				if len(m.labels) == 0 {
					t.Skip("nothing is known")
				}
				delete(m.labels, one(m.labels))
			},
			"payload": func(*rapid.T) { m.unread = !m.unread },
			"write":   func(t *rapid.T) { m.write(t, 1) },
			"plan":    func(t *rapid.T) { m.write(t, MaxStreams) },
			"choose": func(t *rapid.T) {
				spec := mcfgv1.OSImageStreamSpec{DefaultStream: rapid.SampledFrom(streamNames).Draw(t, "choice")}
				if o, err := crdSend(m.stored, Step{Verb: VerbUpdate, Object: &mcfgv1.OSImageStream{Spec: spec}}); err == nil {
					m.stored = o
				}
			},
			"meddle": func(t *rapid.T) {
				if m.stored == nil {
					t.Skip("nothing is stored")
				}
				m.stored = m.stored.DeepCopy()
				m.stored.Annotations, m.inOrder = map[string]string{AnnotationReleaseVersion: rapid.SampledFrom([]string{"", m.version()}).Draw(t, "annotation")}, false
			},
		})
		m.unread, m.labels = false, m.payload.labels
		m.write(t, MaxStreams)
		m.check(t)
		end := Plan(m.cluster())
		if len(end.Steps) > 0 {
			t.Fatalf("still wants %v", script(end.Steps))
		}
		if done := m.stored != nil && m.stored.Annotations[AnnotationReleaseImage] == m.version(); end.Stream != "" && !done {
			t.Fatalf("not annotated: %+v", m.stored)
		}
	}))
	// A machine that never comes there would prove nothing.
	for _, code := range []FindingCode{FindingIncomplete, FindingRetiredKept, FindingNotOffered} {
		if !observed[code] {
			t.Errorf("no state has the finding %s", code)
		}
	}
}
