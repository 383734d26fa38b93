package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/polyarch/polyarch/internal/quote"
)

// A guard is what every request of a session goes through: it keeps rules 10 to 12.
type guard struct {
	session  *Session
	insecure string
}

// A TooLargeError is an answer that is larger than the limit.
type TooLargeError struct{ Limit int64 }

func (e *TooLargeError) Error() string {
	if e == nil {
		return "too large"
	}
	return fmt.Sprintf("the answer is larger than %d bytes", e.Limit)
}

// A RefusedError is a request that was not sent.
type RefusedError struct{ Host, Why string }

func (e *RefusedError) Error() string {
	if e == nil {
		return "refused"
	}
	return fmt.Sprintf("%s: %s", quote.Cut(e.Host), e.Why)
}

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	insecure := r.URL.Host == g.insecure || g.session.policy.insecure(r.URL.Host, "")
	if r.URL.Scheme != "https" && !insecure {
		return nil, &RefusedError{r.URL.Host, "plain HTTP is refused, since the registry is not marked as insecure"}
	}
	elsewhere, hops := redirected(r)
	if hops > maxRedirects {
		return nil, &RefusedError{r.URL.Host, "the registry redirects without end"}
	}
	if elsewhere {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			// Its body is what a token is asked for with.
			return nil, &RefusedError{r.URL.Host, "a redirect would take credentials there"}
		}
		r = r.Clone(r.Context())
		for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
			r.Header.Del(name)
		}
	}
	next := g.session.importer.verifying
	if insecure {
		next = g.session.importer.trusting
	}
	response, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	limit := g.session.importer.limits.Body
	response.Body = &limited{response.Body, limit, limit}
	return response, nil
}

// maxRedirects is as many as net/http allows by default. go-containerregistry sets a
// policy of its own, which allows any number.
const maxRedirects = 10

// redirected reports whether redirects have led to another host than the one that
// was asked first, and how many there were.
func redirected(r *http.Request) (elsewhere bool, hops int) {
	first := r
	for first.Response != nil && first.Response.Request != nil {
		first = first.Response.Request
		hops++
	}
	return first.URL.Host != r.URL.Host || first.URL.Scheme != r.URL.Scheme, hops
}

// limited is a body that ends with an error behind the limit.
type limited struct {
	io.ReadCloser
	left, limit int64
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	if int64(n) > l.left {
		n, err = int(l.left), &TooLargeError{l.limit}
	}
	l.left -= int64(n)
	return n, err
}

// worthRetrying is what may be over in a moment. What has taken its whole time
// once is not tried again.
func worthRetrying(err error) bool {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.As(err, &timeout) && timeout.Timeout() {
		return false
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
