package importmodetest

import (
	"encoding/json"

	"pgregory.net/rapid"

	imagev1 "github.com/openshift/api/image/v1"
)

// Verb is what happens to a server and to its one stream.
type Verb string

const (
	// VerbPut: a client writes the stream of the step, in place of what is stored.
	VerbPut Verb = "Put"
	// VerbAgain: a client writes what it last put once more.
	VerbAgain Verb = "Again"
	// VerbEdit: a client reads the stream, changes a label and puts it back.
	VerbEdit Verb = "Edit"
	// VerbFlip: the mode of the cluster becomes that of the step.
	VerbFlip Verb = "Flip"
	// VerbRestart: the server is made anew and reads what is stored.
	VerbRestart Verb = "Restart"
)

// A Step is one of the things that happen.
type Step struct {
	Verb   Verb
	Stream *imagev1.ImageStream
	Mode   imagev1.ImportModeType
}

// A History is what happens to one stream on a server.
type History struct {
	// Stored is the stream that is there from before, nil if there is none.
	Stored  *imagev1.ImageStream
	Cluster imagev1.ImportModeType
	Steps   []Step
}

// A Change is a mode that became another though nobody asked for it.
type Change struct {
	Step    int // index of the step, -1 before the first
	Tag     string
	Was, Is imagev1.ImportModeType
}

// Steps draws a history.
func Steps() *rapid.Generator[History] {
	step := rapid.Custom(func(t *rapid.T) Step {
		verb := rapid.SampledFrom([]Verb{VerbPut, VerbAgain, VerbEdit, VerbFlip, VerbRestart}).Draw(t, "verb")
		switch verb {
		case VerbPut:
			return Step{Verb: verb, Stream: Stream().Draw(t, "stream")}
		case VerbFlip:
			return Step{Verb: verb, Mode: goodMode().Draw(t, "mode")}
		}
		return Step{Verb: verb}
	})
	return rapid.Custom(func(t *rapid.T) History {
		h := History{Cluster: goodMode().Draw(t, "cluster"), Steps: rapid.SliceOfN(step, 1, 12).Draw(t, "steps")}
		if rapid.Bool().Draw(t, "stored before") {
			h.Stored = Stream().Draw(t, "stored")
		}
		return h
	})
}

// Play has the history happen to a server, which newServer makes at the beginning and
// for each restart, and returns the modes that changed though the request left them
// out. A tag that the request takes away, or gives a mode, is not looked at. Of the
// server, CreateStream and UpdateStream are needed; ReadStream is what it makes of a
// stored stream, which stays as it is where there is none.
func (h History) Play(newServer func() Impl) (changes []Change) {
	server, cluster := newServer(), h.Cluster
	stored, sent := h.Stored.DeepCopy(), (*imagev1.ImageStream)(nil)
	read := func() *imagev1.ImageStream {
		if stored == nil || server.ReadStream == nil {
			return stored.DeepCopy()
		}
		return server.ReadStream(stored.DeepCopy(), cluster)
	}
	compare := func(step int, request, was, is *imagev1.ImageStream) {
		for _, t := range ModesOf(was) {
			asked, kept := find(request, t.Name)
			if now, ok := find(is, t.Name); kept && asked == "" && ok && now != t.Mode {
				changes = append(changes, Change{step, t.Name, t.Mode, now})
			}
		}
	}
	put := func(step int, request *imagev1.ImageStream) {
		if stored == nil {
			stored = server.CreateStream(request.DeepCopy(), cluster)
			return
		}
		before := stored
		stored = server.UpdateStream(request.DeepCopy(), read(), cluster)
		compare(step, request, before, stored)
	}
	for n, s := range h.Steps {
		switch {
		case s.Verb == VerbFlip:
			cluster = s.Mode
		case s.Verb == VerbRestart:
			server = newServer()
			stored = encoded(stored)
		case s.Verb == VerbPut:
			sent = s.Stream
			put(n, sent)
		case s.Verb == VerbAgain && sent != nil:
			put(n, sent)
		case s.Verb == VerbEdit && stored != nil:
			before, seen := stored, read()
			// Nobody asks for a mode by putting back what was read.
			request := seen.DeepCopy()
			request.Labels = map[string]string{"edited": "true"}
			stored = server.UpdateStream(request, read(), cluster)
			compare(n, withoutModes(before), before, stored)
		}
	}
	return changes
}

// encoded returns a stream as it comes out of storage.
func encoded(s *imagev1.ImageStream) *imagev1.ImageStream {
	if s == nil {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return s
	}
	var out imagev1.ImageStream
	if json.Unmarshal(text, &out) != nil {
		return s
	}
	return &out
}

func withoutModes(s *imagev1.ImageStream) *imagev1.ImageStream {
	s = s.DeepCopy()
	for i := range s.Spec.Tags {
		s.Spec.Tags[i].ImportPolicy.ImportMode = ""
	}
	return s
}

func historyProperties() []property {
	return []property{{Rule: "history-keeps-modes", Name: "any history",
		Implemented: func(i Impl) bool { return hasCreate(i) && hasUpdate(i) },
		Call: func(t *rapid.T, i Impl) outcome {
			h := Steps().Draw(t, "history")
			return outcome{Input: h, Want: []Change(nil), Got: h.Play(func() Impl { return i })}
		}}}
}
