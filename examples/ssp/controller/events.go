package controller

import (
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// tellings is what was told last, by SSP object. The zero value has told nothing.
type tellings struct {
	mu   sync.Mutex
	last map[types.UID][]note
}

// news returns the notes that were not told the last time. After a restart only
// the condition knows what that was: all of it if the condition is still the same,
// else as much as its message held.
func (t *tellings) news(about types.UID, notes []note, same bool, message string) []note {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, known := t.last[about]
	told := make(map[note]bool, len(last))
	for _, n := range last {
		told[n] = true
	}
	lines := strings.Split(message, "\n")
	var news []note
	for _, n := range notes {
		if !told[n] && (known || !same && !slices.Contains(lines, n.message)) {
			news = append(news, n)
		}
		told[n] = true
	}
	if t.last == nil {
		t.last = map[types.UID][]note{}
	}
	t.last[about] = slices.Clone(notes)
	return news
}

func (t *tellings) forget(about types.UID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.last, about)
}

func (n note) eventType() string {
	if n.warning {
		return corev1.EventTypeWarning
	}
	return corev1.EventTypeNormal
}
