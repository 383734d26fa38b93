package importer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/polyarch/polyarch/internal/quote"
)

// A CredentialsError is an image that neither the credentials nor anyone may read.
type CredentialsError struct{ Err error }

func (e *CredentialsError) Error() string {
	if e == nil {
		return "unauthorized"
	}
	return fmt.Sprint(e.Err)
}

func (e *CredentialsError) Unwrap() error { return e.Err }

func isUnauthorized(err error) bool {
	var answer *transport.Error
	return errors.As(err, &answer) && answer.StatusCode == http.StatusUnauthorized
}

// Status says in the words of formatRepositoryError and imageImportStatus of
// openshift-apiserver (importer.go, 026247d) why an image was not imported. Of what
// the registry said it takes the code, and never a text, in which a registry could
// repeat what it was sent (rule 13).
func Status(err error, image string) metav1.Status {
	if err == nil {
		return metav1.Status{Status: metav1.StatusSuccess}
	}
	image = quote.Cut(image)
	var blocked *BlockedError
	var credentials *CredentialsError
	var answer *transport.Error
	var status *apierrors.StatusError
	switch {
	case errors.As(err, &blocked):
		status = apierrors.NewForbidden(schema.GroupResource{}, "", blocked)
	case errors.As(err, &credentials):
		status = apierrors.NewUnauthorized(fmt.Sprintf("incorrect username or password for image %q", image))
	case errors.As(err, &answer):
		status = answered(answer, err, image)
	case timedOut(err):
		status = apierrors.NewTimeoutError(fmt.Sprintf("%s: %s", image, plain(err)), 0)
	default:
		status = apierrors.NewInternalError(fmt.Errorf("%s: %s", image, plain(err)))
	}
	return status.ErrStatus
}

func answered(answer *transport.Error, err error, image string) *apierrors.StatusError {
	switch answer.StatusCode {
	case http.StatusUnauthorized:
		return apierrors.NewUnauthorized(fmt.Sprintf("you may not have access to the container image %q", image))
	case http.StatusForbidden:
		return apierrors.NewForbidden(schema.GroupResource{}, "", fmt.Errorf("you may not have access to the container image %q", image))
	case http.StatusNotFound:
		var entry *EntryError
		if !errors.As(err, &entry) {
			return apierrors.NewNotFound(imagev1.Resource("dockerimage"), image)
		}
	case http.StatusTooManyRequests:
		return apierrors.NewTooManyRequestsError(fmt.Sprintf("%s: the registry answers that there are too many requests", image))
	}
	return apierrors.NewInternalError(fmt.Errorf("%s: %s", image, plain(err)))
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// plain tells an error in words of our own and of the network.
func plain(err error) string {
	var entry *EntryError
	if errors.As(err, &entry) {
		return fmt.Sprintf("manifest %s (%s) of the list: %s", shown(entry.Digest), entry.Platform, plain(entry.Err))
	}
	var content *ContentError
	var large *TooLargeError
	var refused *RefusedError
	var answer *transport.Error
	var certificate *tls.CertificateVerificationError
	var dial *net.OpError
	var request *url.Error
	switch {
	case errors.As(err, &content):
		return content.Error()
	case errors.As(err, &large):
		return large.Error()
	case errors.As(err, &certificate):
		return "the certificate of the registry is not trusted"
	case errors.As(err, &answer):
		return fmt.Sprintf("the registry answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	case timedOut(err):
		return "the registry did not answer in time"
	case errors.Is(err, context.Canceled):
		return "the import was canceled"
	case errors.As(err, &dial):
		return dialError(dial)
	case errors.As(err, &refused):
		return refused.Why
	case strings.Contains(err.Error(), "does not match requested digest"), strings.Contains(err.Error(), "error verifying"):
		return "content integrity error: what the registry gave does not have the digest that was asked for"
	case errors.As(err, &request):
		return "the registry cannot be reached"
	}
	return "the registry's answer cannot be read"
}

// dialError leaves out the name that was looked up: a redirect chooses it.
func dialError(err *net.OpError) string {
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return "the name of the registry cannot be looked up"
	}
	var parts []string
	for _, part := range []string{err.Op, err.Net} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if err.Addr != nil {
		parts = append(parts, err.Addr.String())
	}
	return strings.Join(parts, " ") + ": " + fmt.Sprint(err.Err)
}
