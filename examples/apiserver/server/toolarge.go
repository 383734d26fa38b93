package server

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"go.etcd.io/etcd/server/v3/embed"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

func (s guardedStorage) Create(ctx context.Context, key string, obj, out runtime.Object, ttl uint64) error {
	m := &measure{}
	err := s.Interface.Create(context.WithValue(ctx, measureKey{}, m), key, obj, out, ttl)
	return s.explain(err, key, m)
}

func (s guardedStorage) GuaranteedUpdate(ctx context.Context, key string, destination runtime.Object, ignoreNotFound bool, preconditions *storage.Preconditions, update storage.UpdateFunc, cached runtime.Object) error {
	m := &measure{}
	err := s.Interface.GuaranteedUpdate(context.WithValue(ctx, measureKey{}, m), key, destination, ignoreNotFound, preconditions, update, cached)
	return s.explain(err, key, m)
}

// explain makes an answer for the client of what etcd or gRPC say of a write that is
// over their limit: 422, since the object cannot be stored however it is sent. Bodies
// over the limit of requests, which is larger, never come here: they are 413.
func (s guardedStorage) explain(err error, key string, m *measure) error {
	if !isOverLimit(err) {
		return err
	}
	name := path.Base(key)
	return tooLargeError{&apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusUnprocessableEntity,
		Reason:  metav1.StatusReasonInvalid,
		Details: &metav1.StatusDetails{Group: s.resource.Group, Kind: s.resource.Resource, Name: name},
		Message: fmt.Sprintf("%s %q is invalid: it would have %d bytes, too large to be stored: etcd takes requests of %d bytes, or what its --max-request-bytes says",
			s.resource, name, m.written, int(embed.DefaultMaxRequestBytes)),
	}}}
}

// isOverLimit knows the answers of etcd itself, and of the gRPC of its client and of
// its server.
func isOverLimit(err error) bool {
	if err == nil {
		return false
	}
	if err == rpctypes.ErrRequestTooLarge { // etcd's client makes it comparable
		return true
	}
	status, ok := grpcstatus.FromError(err)
	return ok && status.Code() == codes.ResourceExhausted && strings.Contains(status.Message(), "larger than max")
}

// A tooLargeError is also known to the handlers of k8s.io/apiserver (isTooLargeError
// of pkg/endpoints/handlers/rest.go, v0.36.6), which then try without the managed
// fields.
type tooLargeError struct{ *apierrors.StatusError }

func (e tooLargeError) Unwrap() error { return e.StatusError }

func (tooLargeError) GRPCStatus() *grpcstatus.Status {
	return grpcstatus.New(codes.ResourceExhausted, "trying to send message larger than max")
}
