package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// etcdRetryAfter is what clients are asked to wait: most elections are over by then.
const etcdRetryAfter = time.Second

// A retriableStorage tells clients that etcd has no leader at the moment, or that the member
// which was asked is gone, in a form that they know to try again after. Without it,
// k8s.io/apiserver v0.36.6 answers 500 without a reason (ErrorToAPIStatus of
// pkg/endpoints/handlers/responsewriters/status.go), which is what bugs look like,
// too: its storage of etcd3 makes no use of storage.NewUnreachableError.
type retriableStorage struct {
	storage.Interface
	resource schema.GroupResource
	silence  time.Duration // of etcd, after which an operation is given up
}

func (s retriableStorage) Create(ctx context.Context, key string, obj, out runtime.Object, ttl uint64) error {
	return s.bounded(ctx, "create", func(ctx context.Context) error {
		return s.Interface.Create(ctx, key, obj, out, ttl)
	})
}

func (s retriableStorage) Delete(ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions, validate storage.ValidateObjectFunc, cached runtime.Object, opts storage.DeleteOptions) error {
	return s.bounded(ctx, "delete", func(ctx context.Context) error {
		return s.Interface.Delete(ctx, key, out, preconditions, validate, cached, opts)
	})
}

func (s retriableStorage) Watch(ctx context.Context, key string, opts storage.ListOptions) (watch.Interface, error) {
	w, err := s.Interface.Watch(ctx, key, opts)
	return w, s.explain(err, "watch")
}

func (s retriableStorage) Get(ctx context.Context, key string, opts storage.GetOptions, into runtime.Object) error {
	return s.bounded(ctx, "get", func(ctx context.Context) error {
		return s.Interface.Get(ctx, key, opts, into)
	})
}

func (s retriableStorage) GetList(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	return s.bounded(ctx, "list", func(ctx context.Context) error {
		return s.Interface.GetList(ctx, key, opts, list)
	})
}

func (s retriableStorage) GuaranteedUpdate(ctx context.Context, key string, destination runtime.Object, ignoreNotFound bool, preconditions *storage.Preconditions, update storage.UpdateFunc, cached runtime.Object) error {
	return s.bounded(ctx, "update", func(ctx context.Context) error {
		return s.Interface.GuaranteedUpdate(ctx, key, destination, ignoreNotFound, preconditions, update, cached)
	})
}

// bounded gives an operation up that etcd has left without an answer for too long.
func (s retriableStorage) bounded(ctx context.Context, operation string, run func(context.Context) error) error {
	ctx, done := untilSilent(ctx, s.silence)
	defer done()
	err := run(ctx)
	if errors.Is(err, context.Canceled) && context.Cause(ctx) == errSilent {
		// Without a time after which to try again: clients would hold their own
		// callers for ten times as long.
		return apierrors.NewTimeoutError(fmt.Sprintf("the %s operation against %s: etcd has not answered for %s; try again when it runs and has a leader.%s", operation, s.resource, s.silence, possibly(operation)), 0)
	}
	return s.explain(err, operation)
}

// explain makes the answer for the client of what is over by itself, and leaves
// every other error as it is.
func (s retriableStorage) explain(err error, operation string) error {
	if !isUnavailable(err) {
		return err
	}
	answer := apierrors.NewServerTimeout(s.resource, operation, int(etcdRetryAfter.Seconds()))
	answer.ErrStatus.Message = fmt.Sprintf("The %s operation against %s was not confirmed by etcd, please try again.%s (%v)", operation, s.resource, possibly(operation), err)
	return answer
}

// possibly says of an operation that writes what may have become of it.
func possibly(operation string) string {
	switch operation {
	case "create", "update", "delete":
		return " It may have been done all the same."
	}
	return ""
}

// isUnavailable knows what etcd and the connections to it say while a member ends,
// starts or is elected, and while they are overrun.
func isUnavailable(err error) bool {
	var known rpctypes.EtcdError
	if errors.As(err, &known) {
		return known.Code() == codes.Unavailable || known == rpctypes.ErrTooManyRequests
	}
	status, ok := grpcstatus.FromError(err)
	return ok && status.Code() == codes.Unavailable
}
