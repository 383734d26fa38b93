package push

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/polyarch/polyarch/internal/quote"
)

// An Op is what was being done when it failed.
type Op string

const (
	// OpRead: the manifest, config or a layer of an image was read where it is.
	OpRead Op = "read"
	// OpWrite: an image was written beside the index that is to hold it.
	OpWrite Op = "write"
	// OpPush: the index was pushed by its digest.
	OpPush Op = "push"
	// OpTag: the tag was set to the index.
	OpTag Op = "tag"
)

// A Reason is why a registry could not be read or written.
type Reason string

const (
	// ReasonUnauthorized: 401, it wants credentials, or others.
	ReasonUnauthorized Reason = "Unauthorized"
	// ReasonForbidden: 403, the credentials do not suffice.
	ReasonForbidden Reason = "Forbidden"
	// ReasonNotFound: 404.
	ReasonNotFound Reason = "NotFound"
	// ReasonTooManyRequests: 429, still after several tries.
	ReasonTooManyRequests Reason = "TooManyRequests"
	// ReasonRegistryFault: 5xx, still after several tries.
	ReasonRegistryFault Reason = "RegistryFault"
	// ReasonRefused: any other status that is no success.
	ReasonRefused Reason = "Refused"
	// ReasonBroken: the connection was cut, still after several tries.
	ReasonBroken Reason = "Broken"
	// ReasonStalled: no byte went either way for as long as [Stall] allows.
	ReasonStalled Reason = "Stalled"
	// ReasonUnreachable: no connection came about.
	ReasonUnreachable Reason = "Unreachable"
	// ReasonCertificate: its certificate is not one that is trusted.
	ReasonCertificate Reason = "Certificate"
	// ReasonPlainHTTP: it speaks HTTP without TLS.
	ReasonPlainHTTP Reason = "PlainHTTP"
	// ReasonNotImage: what is there is no image that can be in an index.
	ReasonNotImage Reason = "NotImage"
	// ReasonInterrupted: the context ended.
	ReasonInterrupted Reason = "Interrupted"
	// ReasonOther: anything else; Err says what.
	ReasonOther Reason = "Other"
)

// ofOneImage says whether other images of the registry may well be read.
func (r Reason) ofOneImage() bool { return r == ReasonNotFound || r == ReasonNotImage }

// An Error is what could not be read or written, and why.
type Error struct {
	Op Op
	// Reference is what Op was about. It names the registry that failed.
	Reference name.Reference
	Reason    Reason
	// Status is the HTTP status of the answer, if there was one.
	Status int
	// Host is the server at fault, if it is another one than the registry, such as
	// one that gives tokens.
	Host string
	// Err is the cause, with all its URLs.
	Err error
}

// Error is one line of bounded length, without URLs: those of blobs are hundreds
// of characters long, and may be signed.
func (e *Error) Error() string {
	if e == nil || e.Reference == nil {
		return "push: no error"
	}
	host := e.Reference.Context().RegistryStr()
	if e.Host != "" {
		host += " (its server " + e.Host + ")"
	}
	return fmt.Sprintf("%s %s: %s", e.Op, e.Reference, e.text(host))
}

func (e *Error) text(host string) string {
	switch e.Reason {
	case ReasonStalled:
		return fmt.Sprintf("%s stalls: %s", host, innermost(e.Err))
	case ReasonBroken:
		return fmt.Sprintf("the connection to %s broke: %s", host, innermost(e.Err))
	case ReasonUnreachable:
		return fmt.Sprintf("%s cannot be reached: %s", host, innermost(e.Err))
	case ReasonCertificate:
		return fmt.Sprintf("the certificate of %s is not trusted: %s", host, innermost(e.Err))
	case ReasonPlainHTTP:
		return host + " speaks HTTP without TLS"
	case ReasonInterrupted:
		return "interrupted"
	case ReasonNotImage, ReasonOther:
		var notImage notImageError
		if errors.As(e.Err, &notImage) {
			return notImage.Error() // quotes what it quotes cut
		}
		return innermost(e.Err)
	}
	text := fmt.Sprintf("%s answers %d %s", host, e.Status, http.StatusText(e.Status))
	if said := diagnosis(e.Err); said != "" {
		text += ": " + said
	}
	return strings.TrimSuffix(text, " ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Errors are those of several images, in the order of the images.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns every error.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, err := range e {
		all[i] = err
	}
	return all
}

// notImageError is what is wrong with what a registry has, rather than with the
// registry.
type notImageError string

func (e notImageError) Error() string { return string(e) }

// newError finds out why. The order counts: against a registry on loopback, which
// is tried with TLS and without, go-containerregistry returns both errors as one.
func newError(ctx context.Context, op Op, ref name.Reference, err error) *Error {
	e := &Error{Op: op, Reference: ref, Reason: ReasonOther, Err: err}
	var (
		notImage    notImageError
		stalled     *StalledError
		certificate *tls.CertificateVerificationError
		answer      *transport.Error
		dial        *net.OpError
		lookup      *net.DNSError
	)
	switch {
	case ctx.Err() != nil:
		e.Reason, e.Err = ReasonInterrupted, context.Cause(ctx)
		return e
	case errors.As(err, &notImage):
		e.Reason = ReasonNotImage
	case errors.As(err, &stalled):
		e.Reason = ReasonStalled
	case errors.As(err, &certificate):
		e.Reason = ReasonCertificate
	case errors.As(err, &answer):
		e.Reason, e.Status = ofStatus(answer.StatusCode), answer.StatusCode
	case errors.As(err, &lookup), errors.As(err, &dial) && dial.Op == "dial":
		e.Reason = ReasonUnreachable
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e.Reason = ReasonBroken
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"): // net/http has no type for it
		e.Reason = ReasonPlainHTTP
	}
	if host := hostOf(err); host != ref.Context().RegistryStr() {
		e.Host = host
	}
	return e
}

func ofStatus(status int) Reason {
	switch {
	case status == http.StatusUnauthorized:
		return ReasonUnauthorized
	case status == http.StatusForbidden:
		return ReasonForbidden
	case status == http.StatusNotFound:
		return ReasonNotFound
	case status == http.StatusTooManyRequests:
		return ReasonTooManyRequests
	case status >= http.StatusInternalServerError:
		return ReasonRegistryFault
	}
	return ReasonRefused
}

// hostOf returns the host that was spoken to when err came about, if err knows it.
func hostOf(err error) string {
	var answer *transport.Error
	if errors.As(err, &answer) && answer.Request != nil && answer.Request.URL != nil {
		return answer.Request.URL.Host
	}
	var requested *url.Error
	if errors.As(err, &requested) {
		if u, err := url.Parse(requested.URL); err == nil {
			return u.Host
		}
	}
	return ""
}

// diagnosis is what a registry says besides the status.
func diagnosis(err error) string {
	var answer *transport.Error
	if !errors.As(err, &answer) {
		return ""
	}
	var said []string
	for _, d := range answer.Errors {
		if d.Message != "" {
			said = append(said, d.Message)
		} else if d.Code != "" {
			said = append(said, string(d.Code))
		}
	}
	return cut(strings.Join(said, "; "))
}

// innermost is the text of err without the URL that net/http puts before it.
func innermost(err error) string {
	if err == nil {
		return "no cause is known"
	}
	var stalled *StalledError
	if errors.As(err, &stalled) {
		return stalled.Error()
	}
	var requested *url.Error
	for errors.As(err, &requested) {
		err = requested.Err
	}
	return cut(err.Error())
}

// cut makes one line of bounded length of what others said.
func cut(s string) string { return quote.Cut(strings.Join(strings.Fields(s), " ")) }
