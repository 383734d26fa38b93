package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"

	imagev1 "github.com/openshift/api/image/v1"
)

// A stream is what an image stream holds of what writers write.
type stream struct {
	uid, version string // of the object, as the server gave them
	step         string // counts the writes
	tags         map[string]tag
}

// A tag is one of its spec tags. In what is asked for, the empty mode means that
// none is given and that the server has to choose.
type tag struct {
	from   string
	mode   imagev1.ImportModeType
	image  string // digest of the newest event
	failed string // reason of the last import, if that failed
	// expects is, in what is asked for, the image that is expected in place of
	// the one before: it depends on the mode.
	expects images
}

// images are the digests that an image is imported as: that of the image for the
// platform of the server, or that of its list.
type images struct{ legacy, preserve string }

func (i images) of(mode imagev1.ImportModeType) string {
	if mode == imagev1.ImportModePreserveOriginal {
		return i.preserve
	}
	return i.legacy
}

// stepAnnotation counts the writes of a stream.
const stepAnnotation = "soak.polyarch.example/step"

// read takes out of an image stream what writers write.
func read(is *imagev1.ImageStream) *stream {
	s := &stream{uid: string(is.UID), version: is.ResourceVersion, step: is.Annotations[stepAnnotation], tags: map[string]tag{}}
	for _, t := range is.Spec.Tags {
		from := ""
		if t.From != nil {
			from = t.From.Kind + " " + t.From.Name
		}
		s.tags[t.Name] = tag{from: from, mode: t.ImportPolicy.ImportMode}
	}
	for _, t := range is.Status.Tags {
		of := s.tags[t.Tag]
		if len(t.Items) > 0 {
			of.image = t.Items[0].Image
		}
		for _, c := range t.Conditions {
			if c.Type == imagev1.ImportSuccess && c.Status == corev1.ConditionFalse {
				of.failed = c.Reason
			}
		}
		s.tags[t.Tag] = of
	}
	return s
}

// with is a copy with another content.
func (s *stream) with(step string, edit func(map[string]tag)) *stream {
	copied := &stream{step: step, tags: map[string]tag{}}
	if s != nil {
		copied.uid = s.uid
		maps.Copy(copied.tags, s.tags)
	}
	if edit != nil {
		edit(copied.tags)
	}
	return copied
}

// A violation is something that must be true and is not.
type violation struct{ Invariant, Object, Field, Want, Got string }

func (v violation) String() string {
	return fmt.Sprintf("%s: %s: %s: is %s, should be %s", v.Invariant, v.Object, v.Field, v.Got, v.Want)
}

// The invariants that a journal is held against.
const (
	notLost      = "an acknowledged write is there with its content"
	modeKept     = "a stored mode changes only when a client asks"
	modeOfServer = "a new tag gets the mode of the server"
	nobodyAsked  = "nothing is there that nobody asked for"
	asInRegistry = "an import stores what the registry has"
)

// A journal is what each stream has to be: by the last write that was acknowledged, or
// by the one after it, whose answer never came. Each stream has one writer.
type journal struct {
	mu      sync.Mutex
	entries map[string]*entry
}

type entry struct {
	acknowledged *stream // nil: it is not there
	asked        *asked  // nil: nothing is on its way
}

// An asked write may or may not come to be.
type asked struct {
	want  *stream // nil: it is to be deleted
	modes []imagev1.ImportModeType
}

func newJournal() *journal { return &journal{entries: map[string]*entry{}} }

func (j *journal) of(name string) *entry {
	e := j.entries[name]
	if e == nil {
		e = &entry{}
		j.entries[name] = e
	}
	return e
}

// ask takes down a write that is about to be sent.
func (j *journal) ask(name string, want *stream) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.of(name).asked = &asked{want: want}
}

// acknowledge takes down the answer to it, and tells what is wrong with that.
func (j *journal) acknowledge(name string, got *stream, modes []imagev1.ImportModeType) []violation {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.of(name)
	e.asked.modes = modes
	wrong := differences(name, e.asked.want, got, e)
	e.acknowledged, e.asked = got, nil
	return wrong
}

// unanswered takes down that no answer came, and which modes the write can have met.
func (j *journal) unanswered(name string, modes []imagev1.ImportModeType) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.of(name).asked.modes = modes
}

// last is the stream as it was acknowledged, and whether that is sure, so that
// another write can build on it.
func (j *journal) last(name string) (s *stream, sure bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.of(name)
	return e.acknowledged, e.asked == nil
}

// tally is what became of the writes without an answer.
type tally struct{ Stored, Dropped int }

// settle holds all streams that are stored against the journal. What is there then
// stays, acknowledged or not.
func (j *journal) settle(stored map[string]*stream) (wrong []violation, unanswered tally) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(j.entries)) {
		e, got := j.entries[name], stored[name]
		switch {
		case e.asked == nil:
			wrong = append(wrong, e.unchanged(name, got)...)
		case same(e.acknowledged, got):
			unanswered.Dropped++
		default:
			unanswered.Stored++
			wrong = append(wrong, differences(name, e.asked.want, got, e)...)
		}
		e.acknowledged, e.asked = got, nil
	}
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		if j.entries[name] == nil {
			wrong = append(wrong, violation{nobodyAsked, name, "metadata", "not there", "there"})
		}
	}
	return wrong, unanswered
}

// unchanged holds one stream against its last acknowledged write.
func (e *entry) unchanged(name string, got *stream) []violation {
	if same(e.acknowledged, got) {
		return nil
	}
	wrong := differences(name, e.acknowledged, got, e)
	if len(wrong) == 0 {
		wrong = append(wrong, violation{nobodyAsked, name, "metadata.resourceVersion", e.acknowledged.version, got.version})
	}
	return wrong
}

// same reports whether it is the very same version of the same content. Not every answer
// tells the version.
func same(a, b *stream) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.uid == b.uid && (a.version == b.version || a.version == "") && a.step == b.step && maps.Equal(a.tags, b.tags)
}

// differences are what the content of a stream has that was not asked for.
func differences(name string, want, got *stream, e *entry) (wrong []violation) {
	note := func(invariant, field string, want, got any) {
		wrong = append(wrong, violation{invariant, name, field, fmt.Sprint(want), fmt.Sprint(got)})
	}
	switch {
	case want == nil && got == nil:
		return nil
	case want == nil:
		note(notLost, "metadata", "deleted", "there")
		return wrong
	case got == nil:
		note(notLost, "metadata", "there", "gone")
		return wrong
	}
	if want.uid != "" && got.uid != want.uid {
		note(notLost, "metadata.uid", want.uid, got.uid)
	}
	if got.step != want.step {
		note(notLost, "metadata.annotations["+stepAnnotation+"]", want.step, got.step)
	}
	for _, t := range slices.Sorted(maps.Keys(want.tags)) {
		path := "spec.tags[" + t + "]"
		w := want.tags[t]
		g, there := got.tags[t]
		if !there {
			note(notLost, path, "there", "gone")
			continue
		}
		if g.from != w.from {
			note(notLost, path+".from", w.from, g.from)
		}
		mode := path + ".importPolicy.importMode"
		switch {
		case w.mode == "" && (e.asked == nil || !slices.Contains(e.asked.modes, g.mode)):
			var modes []imagev1.ImportModeType
			if e.asked != nil {
				modes = e.asked.modes
			}
			note(modeOfServer, mode, modes, g.mode)
		case w.mode != "" && g.mode != w.mode:
			note(modeKept, mode, w.mode, g.mode)
		}
		image := w.image
		if w.expects != (images{}) {
			image = w.expects.of(g.mode)
		}
		if g.image != image {
			note(asInRegistry, "status.tags["+t+"].items[0].image", image, g.image)
		}
		if g.failed != w.failed {
			note(asInRegistry, "status.tags["+t+"].conditions[ImportSuccess]", w.failed, g.failed)
		}
	}
	for _, t := range slices.Sorted(maps.Keys(got.tags)) {
		if _, there := want.tags[t]; !there {
			note(nobodyAsked, "spec.tags["+t+"]", "not there", got.tags[t])
		}
	}
	return wrong
}
