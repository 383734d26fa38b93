package ha_test

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
)

type mode = imagev1.ImportModeType

// A tagName is where a mode is stored.
type tagName struct{ stream, tag string }

// A journal is what clients were told: the writes that were acknowledged, by tag, and
// the mode of each.
type journal struct {
	mu sync.Mutex
	// asked are the tags that may be there, acknowledged or not.
	asked map[tagName]bool
	// acknowledged are the tags that are there, under these modes.
	acknowledged map[tagName]mode
	// leaving are the tags that may be gone, and gone those that are.
	leaving, gone map[tagName]bool
	// seen are the modes that any read has ever shown.
	seen map[tagName]mode
	// answers and lastAnswer are of each server; pause is the longest time between
	// two of its answers since resetPauses.
	answers    map[string]int
	lastAnswer map[string]time.Time
	pause      map[string]time.Duration
	// decided counts the new tags whose mode only that server, and only in that
	// configuration, can have decided.
	decided map[decision]int
}

type decision struct {
	server string
	mode   mode
}

func newJournal() *journal {
	return &journal{
		asked: map[tagName]bool{}, acknowledged: map[tagName]mode{}, leaving: map[tagName]bool{}, gone: map[tagName]bool{},
		seen: map[tagName]mode{}, answers: map[string]int{}, lastAnswer: map[string]time.Time{},
		pause: map[string]time.Duration{}, decided: map[decision]int{},
	}
}

func (j *journal) ask(stream string, tags ...string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, tag := range tags {
		j.asked[tagName{stream, tag}] = true
	}
}

func (j *journal) askToRemove(stream, tag string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.leaving[tagName{stream, tag}] = true
}

func (j *journal) removed(stream, tag string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.acknowledged, tagName{stream, tag})
	j.gone[tagName{stream, tag}] = true
}

// answered notes that a server has acknowledged a write.
func (j *journal) answered(s *apiServer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	if last, ok := j.lastAnswer[s.name]; ok {
		j.pause[s.name] = max(j.pause[s.name], now.Sub(last))
	}
	j.lastAnswer[s.name] = now
	j.answers[s.name]++
}

// resetPauses begins to measure anew, and returns the longest pauses until now.
func (j *journal) resetPauses() map[string]time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	pauses := j.pause
	j.pause = map[string]time.Duration{}
	return pauses
}

// acknowledge notes the mode of a tag in an answer. Given is the mode that the client
// asked for, and possible are those of the servers that it has asked.
func (j *journal) acknowledge(t *testing.T, s *apiServer, stream, tag string, got, given mode, possible []mode) {
	j.mu.Lock()
	defer j.mu.Unlock()
	name := tagName{stream, tag}
	if old, ok := j.acknowledged[name]; ok {
		if got != old {
			t.Errorf("%s: %v was acknowledged as %s, and is now answered as %q", s.name, name, old, got)
		}
		return
	}
	if given != "" {
		possible = []mode{given}
	}
	if !slices.Contains(possible, got) {
		t.Errorf("%s: %v was asked for as %q and came to be %q, want one of %v", s.name, name, given, got, possible)
	}
	j.acknowledged[name] = got
	if given == "" && len(possible) == 1 {
		j.decided[decision{s.name, got}]++
	}
}

func (j *journal) count(f func(*journal) bool) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return f(j)
}

// promised is what must be in a read that begins now.
func (j *journal) promised() (there map[tagName]mode, gone map[tagName]bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.acknowledged), maps.Clone(j.gone)
}

// compare holds what was read against what was promised before the read began.
func (j *journal) compare(t *testing.T, when string, list *imagev1.ImageStreamList, there map[tagName]mode, gone map[tagName]bool) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	read := map[tagName]mode{}
	for i := range list.Items {
		for _, tag := range list.Items[i].Spec.Tags {
			name := tagName{list.Items[i].Name, tag.Name}
			read[name] = tag.ImportPolicy.ImportMode
			if !j.asked[name] {
				t.Errorf("%s: %v is there and nobody asked for it", when, name)
			}
			if gone[name] {
				t.Errorf("%s: %v is there and its removal was acknowledged", when, name)
			}
			if old, ok := j.seen[name]; ok && old != tag.ImportPolicy.ImportMode {
				t.Errorf("%s: the mode of %v was %q and is %q", when, name, old, tag.ImportPolicy.ImportMode)
			}
			j.seen[name] = tag.ImportPolicy.ImportMode
		}
	}
	for name, want := range there {
		got, ok := read[name]
		if ok && got != want || !ok && !j.leaving[name] {
			t.Errorf("%s: %v was acknowledged as %s, read %q (there: %v)", when, name, want, got, ok)
		}
	}
}
