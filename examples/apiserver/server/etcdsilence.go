package server

import (
	"context"
	"errors"
	"time"
)

// silenceTimeout is how long an operation of storage waits for etcd. It is more than a
// member takes to give up (seven seconds) and a connection has (stallTimeout), since
// these tell more about the cause. Nothing else ends the operation before the request:
// gRPC waits for a connection for ever, and etcd's client (v3.6.8, client/v3/options.go)
// repeats a read a hundred times while there is no leader.
const silenceTimeout = stallTimeout + 2*time.Second

var errSilent = errors.New("etcd is silent")

type silenceKey struct{}

// untilSilent ends the context with errSilent when nothing was heard for that long.
// What it returns is called at the end.
func untilSilent(ctx context.Context, silence time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(silence, func() { cancel(errSilent) })
	return context.WithValue(ctx, silenceKey{}, func() { timer.Reset(silence) }), func() {
		timer.Stop()
		cancel(nil)
	}
}

// heard is told of each object that comes: a long list may take its time.
func heard(ctx context.Context) {
	if prolong, ok := ctx.Value(silenceKey{}).(func()); ok {
		prolong()
	}
}
