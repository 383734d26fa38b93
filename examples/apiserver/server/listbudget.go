package server

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

const (
	// listRoom is how many bytes of etcd may be in memory as long lists at the same
	// time. Decoded, and with what the garbage collector leaves, a byte takes about
	// five. A list that is larger by itself is let in alone.
	listRoom = 64 << 20
	// listRetryAfter is how many seconds a client is asked to wait before it asks again.
	// Clients of client-go do so ten times, which outlasts many lists on a busy machine.
	listRetryAfter = 10
	// memoryReturn is how long after the last long list its memory is given back.
	memoryReturn = time.Second
)

// A listBudget lets long lists wait for one another, as priority and fairness does,
// which would need the core API for its configuration. Lists of one page, and
// everything else, never wait.
type listBudget struct {
	room *semaphore.Weighted
	// wait is how long a list waits before its client is asked to come again.
	wait time.Duration

	mu   sync.Mutex
	held int
	idle *time.Timer
}

type (
	listTicketKey struct{}
	listBudgetKey struct{} // for watches, which hold nothing of it
)

// A listTicket is held by the request from the second page to the end of the answer.
type listTicket struct {
	budget *listBudget
	weight int64
}

// boundLists holds the lists of the server to one budget.
func boundLists(config *genericapiserver.Config) {
	// A quarter of the time of a request is what priority and fairness waits
	// (DefaultBuildHandlerChain of k8s.io/apiserver pkg/server/config.go, v0.36.6).
	b := &listBudget{room: semaphore.NewWeighted(listRoom), wait: config.RequestTimeout / 4}
	next := config.BuildHandlerChainFunc
	config.BuildHandlerChainFunc = func(handler http.Handler, config *genericapiserver.Config) http.Handler {
		// Inside of the chain, which leaves a handler that takes too long to itself:
		// its list is in memory until it really returns.
		return next(b.tickets(handler), config)
	}
}

func (b *listBudget) tickets(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, ok := request.RequestInfoFrom(r.Context())
		if !ok {
			info = new(request.RequestInfo)
		}
		switch info.Verb {
		case "list", "deletecollection":
			ticket := &listTicket{budget: b}
			defer ticket.release()
			r = r.WithContext(context.WithValue(r.Context(), listTicketKey{}, ticket))
		case "watch":
			r = r.WithContext(context.WithValue(r.Context(), listBudgetKey{}, b))
		}
		next.ServeHTTP(w, r)
	})
}

// holdList waits until there is room for a list of that many bytes, which its request
// gives back at its end. What is no request for a list needs none.
func holdList(ctx context.Context, bytes int64) error {
	ticket, ok := ctx.Value(listTicketKey{}).(*listTicket)
	if !ok || ticket.weight > 0 {
		return nil
	}
	b, weight := ticket.budget, min(bytes, listRoom)
	waiting, cancel := context.WithTimeout(ctx, b.wait)
	defer cancel()
	if err := b.room.Acquire(waiting, weight); err != nil {
		return apierrors.NewTooManyRequests("too many long lists at the same time; ask again, or in pages by limit", listRetryAfter)
	}
	ticket.weight = weight
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held++
	if b.idle != nil {
		b.idle.Stop()
	}
	return nil
}

func (t *listTicket) release() {
	if t.weight == 0 {
		return
	}
	b := t.budget
	b.room.Release(t.weight)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held--
	b.returnLater()
}

// returnLater has memory given back, unless a list is held, after which it is.
func (b *listBudget) returnLater() {
	if b.held > 0 {
		return
	}
	if b.idle != nil {
		b.idle.Stop()
	}
	b.idle = time.AfterFunc(memoryReturn, returnMemory)
}

// watchBegun is told of a watch that has begun with several pages. They leave as much
// as a list does.
func watchBegun(ctx context.Context) {
	if b, ok := ctx.Value(listBudgetKey{}).(*listBudget); ok {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.returnLater()
	}
}

// returnMemory gives back to the system what lists have left. The runtime itself
// would keep it for minutes: it collects when the heap has doubled, and nothing
// doubles a heap that has just been several lists high.
func returnMemory() {
	runtime.GC() // pools keep what they have through one collection
	debug.FreeOSMemory()
}
