package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestRetriable holds which errors of storage tell a client to try again, and that
// all others stay as they are.
func TestRetriable(t *testing.T) {
	t.Parallel()
	s := retriableStorage{resource: schema.GroupResource{Group: "image.openshift.io", Resource: "imagestreams"}}
	for _, c := range []struct {
		err   error
		again bool
	}{
		{rpctypes.ErrLeaderChanged, true},
		{rpctypes.ErrNoLeader, true},
		{rpctypes.ErrTimeout, true},
		{rpctypes.ErrTimeoutDueToLeaderFail, true},
		{rpctypes.ErrStopped, true},
		{rpctypes.ErrTooManyRequests, true},
		{grpcstatus.Error(codes.Unavailable, "error reading from server: EOF"), true},
		{fmt.Errorf("wrapped: %w", rpctypes.ErrLeaderChanged), true},
		{rpctypes.ErrRequestTooLarge, false},
		{rpctypes.ErrNoSpace, false},
		{rpctypes.ErrCompacted, false},
		{grpcstatus.Error(codes.ResourceExhausted, "trying to send message larger than max"), false},
		{context.DeadlineExceeded, false},
		{context.Canceled, false},
		{storage.NewKeyNotFoundError("k", 1), false},
		{errors.New("anything else"), false},
		{nil, false},
	} {
		for _, operation := range []string{"create", "update", "delete", "get", "list", "watch"} {
			got := s.explain(c.err, operation)
			if !c.again {
				if got != c.err {
					t.Errorf("%s: %v became %v", operation, c.err, got)
				}
				continue
			}
			status, ok := got.(apierrors.APIStatus)
			if !ok || !apierrors.IsServerTimeout(got) || status.Status().Code != http.StatusInternalServerError || status.Status().Details.RetryAfterSeconds != 1 {
				t.Errorf("%s: %v became %#v, want a server timeout with the time to wait", operation, c.err, got)
				continue
			}
			writes := operation == "create" || operation == "update" || operation == "delete"
			if message := status.Status().Message; !strings.Contains(message, c.err.Error()) || !strings.Contains(message, "try again") ||
				strings.Contains(message, "may have been done") != writes {
				t.Errorf("%s: %v became %q", operation, c.err, message)
			}
		}
	}
}

// TestSilence holds that an operation ends when etcd leaves it without an answer, that
// it takes its time while objects come, and that other ends stay what they are.
func TestSilence(t *testing.T) {
	t.Parallel()
	const silence = time.Second
	s := retriableStorage{resource: schema.GroupResource{Group: "image.openshift.io", Resource: "imagestreams"}, silence: silence}
	wait := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for _, operation := range []string{"create", "get"} {
		err := s.bounded(t.Context(), operation, wait)
		status, ok := err.(apierrors.APIStatus)
		if !ok || !apierrors.IsTimeout(err) || status.Status().Code != http.StatusGatewayTimeout || status.Status().Details.RetryAfterSeconds != 0 {
			t.Errorf("%s: got %#v, want a timeout", operation, err)
			continue
		}
		if message := status.Status().Message; !strings.Contains(message, "etcd has not answered for 1s") || !strings.Contains(message, "try again") ||
			strings.Contains(message, "may have been done") != (operation == "create") {
			t.Errorf("%s: the message is %q", operation, message)
		}
	}
	transformer := newMeasuring()
	err := s.bounded(t.Context(), "list", func(ctx context.Context) error {
		for range 6 {
			time.Sleep(silence / 4)
			if _, _, err := transformer.TransformFromStorage(ctx, []byte("{}"), nil); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
	if err != nil {
		t.Errorf("objects come all the time: %v", err)
	}
	conflict := storage.NewResourceVersionConflictsError("k", 1)
	if err := s.bounded(t.Context(), "update", func(ctx context.Context) error {
		<-ctx.Done()
		return conflict
	}); err != conflict {
		t.Errorf("an answer that comes at the last moment became %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.bounded(ctx, "get", wait); err != context.Canceled {
		t.Errorf("the end of the request became %v", err)
	}
}

// unreadable is the server's own client when the server takes no more connections.
type unreadable struct{ client.Reader }

func (unreadable) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errors.New("connection refused")
}

func (unreadable) List(context.Context, client.ObjectList, ...client.ListOption) error {
	return errors.New("connection refused")
}

// TestImportUnread holds that an import which meets the end of its server is told to
// try again.
func TestImportUnread(t *testing.T) {
	t.Parallel()
	i := imports{reader: unreadable{}}
	_, ofPolicy := i.policy(t.Context())
	_, ofKeychain := i.keychain(t.Context(), "demo")
	for name, err := range map[string]error{"images.config.openshift.io/cluster": ofPolicy, "secrets of namespace demo": ofKeychain} {
		seconds, told := apierrors.SuggestsClientDelay(err)
		if !apierrors.IsServiceUnavailable(err) || !told || seconds != 1 || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("%s: got %#v, want that it is unavailable for a second", name, err)
		}
	}
}
