package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
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
