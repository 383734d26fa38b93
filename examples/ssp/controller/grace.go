package controller

import (
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/polyarch/polyarch/dictexpand"
)

// absences is since when architectures are missing, by SSP object. The zero value
// has missed none yet. A restart forgets, so the period of grace begins anew then.
type absences struct {
	mu    sync.Mutex
	since map[types.UID]map[string]time.Time
}

// held returns the architectures that are missing for less than the period of
// grace, and when the first of them is to be dropped. Those that were there before
// are those that something was made for.
func (a *absences) held(about types.UID, o dictexpand.Options, have dictexpand.Existing, now time.Time, grace time.Duration) (held []string, next time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	was, is := a.since[about], map[string]time.Time{}
	for i := range have.Crons {
		arch := have.Crons[i].Labels[dictexpand.LabelArchitecture]
		if arch == "" || slices.Contains(o.Architectures, arch) {
			continue
		}
		if since, missed := was[arch]; missed {
			is[arch] = since
		} else {
			is[arch] = now
		}
	}
	if a.since == nil {
		a.since = map[types.UID]map[string]time.Time{}
	}
	a.since[about] = is
	for arch, since := range is {
		if left := grace - now.Sub(since); left > 0 {
			held = append(held, arch)
			if next == 0 || left < next {
				next = left
			}
		}
	}
	slices.Sort(held)
	return held, next
}

func (a *absences) forget(about types.UID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.since, about)
}
