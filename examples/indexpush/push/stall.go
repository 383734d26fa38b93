package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// A StalledError ends an exchange in which nothing moved for too long.
type StalledError struct {
	After time.Duration
}

func (e *StalledError) Error() string {
	if e == nil {
		return "no byte moved"
	}
	return fmt.Sprintf("no byte moved for %s", e.After)
}

// Stall returns a transport that gives an exchange up when no byte of it has gone
// either way for as long as limit: a registry that takes a connection and then says
// nothing would hold its client forever. How long the whole exchange takes does not
// count. The error is a [*StalledError], which go-containerregistry does not retry.
func Stall(next http.RoundTripper, limit time.Duration) http.RoundTripper {
	return stall{next, limit}
}

type stall struct {
	next  http.RoundTripper
	limit time.Duration
}

func (s stall) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &watch{ctx: ctx, limit: s.limit, end: func() { cancel(nil) }}
	w.timer = time.AfterFunc(s.limit, func() { cancel(&StalledError{After: s.limit}) })
	r = r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &watchedBody{ReadCloser: r.Body, watch: w}
	}
	resp, err := s.next.RoundTrip(r)
	if err != nil {
		err = w.cause(err)
		w.stop()
		return nil, err
	}
	w.moved()
	resp.Body = &watchedBody{ReadCloser: resp.Body, watch: w, last: true}
	return resp, nil
}

// A watch is over one exchange.
type watch struct {
	ctx   context.Context
	limit time.Duration
	timer *time.Timer
	end   func()
}

func (w *watch) moved() { w.timer.Reset(w.limit) }

func (w *watch) stop() {
	w.timer.Stop()
	w.end()
}

// cause says of an error of a canceled exchange that it had stalled.
func (w *watch) cause(err error) error {
	var stalled *StalledError
	if errors.As(context.Cause(w.ctx), &stalled) {
		return stalled
	}
	return err
}

// A watchedBody is that of the request or of the response, which is the last that
// is read of an exchange.
type watchedBody struct {
	io.ReadCloser
	watch *watch
	last  bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.watch.moved()
	}
	if err != nil && err != io.EOF && b.last {
		err = b.watch.cause(err)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	err := b.ReadCloser.Close()
	if b.last {
		b.watch.stop()
	}
	return err
}
