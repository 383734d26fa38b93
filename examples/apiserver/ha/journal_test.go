package ha_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
func (j *journal) acknowledge(server string, stream, tag string, got, given mode, possible []mode) (problems []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	name := tagName{stream, tag}
	if old, ok := j.acknowledged[name]; ok {
		if got != old {
			problems = append(problems, fmt.Sprintf("%s: %v was acknowledged as %s, and is now answered as %q", server, name, old, got))
		}
		return problems
	}
	if given != "" {
		possible = []mode{given}
	}
	if !slices.Contains(possible, got) {
		problems = append(problems, fmt.Sprintf("%s: %v was asked for as %q and came to be %q, want one of %v", server, name, given, got, possible))
	}
	j.acknowledged[name] = got
	if given == "" && len(possible) == 1 {
		j.decided[decision{server, got}]++
	}
	return problems
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
func (j *journal) compare(list *imagev1.ImageStreamList, there map[tagName]mode, gone map[tagName]bool) (problems []string) {
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	j.mu.Lock()
	defer j.mu.Unlock()
	read := map[tagName]mode{}
	for i := range list.Items {
		for _, tag := range list.Items[i].Spec.Tags {
			name := tagName{list.Items[i].Name, tag.Name}
			read[name] = tag.ImportPolicy.ImportMode
			if !j.asked[name] {
				problem("%v is there and nobody asked for it", name)
			}
			if gone[name] {
				problem("%v is there and its removal was acknowledged", name)
			}
			if old, ok := j.seen[name]; ok && old != tag.ImportPolicy.ImportMode {
				problem("the mode of %v was %q and is %q", name, old, tag.ImportPolicy.ImportMode)
			}
			j.seen[name] = tag.ImportPolicy.ImportMode
		}
	}
	for name, want := range there {
		got, ok := read[name]
		if ok && got != want || !ok && !j.leaving[name] {
			problem("%v was acknowledged as %s, read %q (there: %v)", name, want, got, ok)
		}
	}
	return problems
}

// TestJournal holds that the journal notices each thing that it is there for.
func TestJournal(t *testing.T) {
	t.Parallel()
	list := func(tags ...imagev1.TagReference) *imagev1.ImageStreamList {
		stream := imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Name: "s"}}
		stream.Spec.Tags = tags
		return &imagev1.ImageStreamList{Items: []imagev1.ImageStream{stream}}
	}
	kept := reference("kept", legacy)
	for name, c := range map[string]struct {
		answer, possible mode
		then             []*imagev1.ImageStreamList
		problems         int
	}{
		"all is well":                  {legacy, legacy, []*imagev1.ImageStreamList{list(kept), list(kept)}, 0},
		"a mode of another server":     {legacy, preserve, []*imagev1.ImageStreamList{list(kept)}, 1},
		"a lost tag":                   {legacy, legacy, []*imagev1.ImageStreamList{list()}, 1},
		"a lost stream":                {legacy, legacy, []*imagev1.ImageStreamList{{}}, 1},
		"a tag that nobody asked for":  {legacy, legacy, []*imagev1.ImageStreamList{list(kept, reference("strange", legacy))}, 1},
		"a tag that was removed":       {legacy, legacy, []*imagev1.ImageStreamList{list(kept, reference("removed", legacy))}, 1},
		"a mode that was acknowledged": {legacy, legacy, []*imagev1.ImageStreamList{list(reference("kept", preserve))}, 1},
		"a mode between two reads":     {legacy, legacy, []*imagev1.ImageStreamList{list(kept, reference("asked", legacy)), list(kept, reference("asked", preserve))}, 1},
	} {
		j := newJournal()
		j.ask("s", "kept", "removed", "asked")
		j.askToRemove("s", "removed")
		problems := j.acknowledge("a", "s", "kept", c.answer, "", []mode{c.possible})
		j.removed("s", "removed")
		for _, read := range c.then {
			there, gone := j.promised()
			problems = append(problems, j.compare(read, there, gone)...)
		}
		if len(problems) != c.problems {
			t.Errorf("%s: got %q, want %d", name, problems, c.problems)
		}
	}
}
