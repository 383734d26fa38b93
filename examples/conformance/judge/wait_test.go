package judge

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	errRefused   = errors.New("connection refused")
	errForbidden = apierrors.NewForbidden(schema.GroupResource{Resource: "images"}, "cluster", nil)
	errNotFound  = apierrors.NewNotFound(schema.GroupResource{Resource: "images"}, "cluster")
	errNotYet    = apierrors.NewGenericServerResponse(404, "get", schema.GroupResource{Resource: "images"}, "cluster", "404 page not found", 0, true)
	errNoKind    = &meta.NoKindMatchError{GroupKind: schema.GroupKind{Kind: "Image"}}
)

// A wait holds what it is told, one answer after the other, the last one for ever.
func TestUntil(t *testing.T) {
	right, wrong := "right", "wrong"
	const ample, none, little = time.Minute, time.Nanosecond, 2 * pause
	for _, tc := range []struct {
		name                 string
		timeout, unreachable time.Duration
		times                int
		answers              []any // what was got, or an error
		asked                int   // how often, 0 for any number
		got                  string
		err                  string
	}{
		{"right at once", none, ample, 1, []any{right}, 1, right, ""},
		{"right in the end", ample, ample, 1, []any{wrong, wrong, right}, 3, right, ""},
		{"wrong when the time is over", none, ample, 1, []any{wrong}, 1, wrong, ""},
		{"by turns, then three in a row", ample, ample, 3, []any{right, wrong, right, right, wrong, right, right, right}, 8, right, ""},
		{"three in a row begin when the time is over", none, ample, 3, []any{right, right, right}, 3, right, ""},
		{"by turns when the time is over", none, ample, 3, []any{right, right, wrong}, 3, wrong, ""},
		{"away is no answer, though the time is over", none, ample, 1, []any{errRefused, errRefused, wrong}, 3, wrong, ""},
		{"away, and a right answer before counts no more", ample, ample, 2, []any{right, errRefused, right, right}, 4, right, ""},
		{"away for too long", ample, little, 1, []any{errRefused}, 0, "", "no answer for"},
		{"a server that starts is away", none, ample, 1, []any{errNotYet, right}, 2, right, ""},
		{"forbidden stays so", ample, ample, 1, []any{errForbidden}, 1, "", "forbidden"},
		{"a kind that there is not", ample, ample, 1, []any{errNoKind}, 1, "", "no matches"},
		{"not there yet", ample, ample, 1, []any{errNotFound, right}, 2, right, ""},
		{"not there when the time is over", none, ample, 1, []any{errNotFound}, 1, "", "not found"},
		{"not known yet", ample, ample, 1, []any{missing("who knows"), right}, 2, right, ""},
		{"not known when the time is over", none, ample, 1, []any{missing("who knows")}, 1, "", "who knows"},
	} {
		r := &run{Options: Options{Timeouts: Timeouts{Unreachable: tc.unreachable}}}
		asked := 0
		a, err := r.until(t.Context(), tc.timeout, tc.times, func(context.Context) (answer, error) {
			next := tc.answers[min(asked, len(tc.answers)-1)]
			asked++
			if err, ok := next.(error); ok {
				return answer{}, err
			}
			return answer{right, next.(string)}, nil
		})
		if tc.err == "" && (err != nil || a.got != tc.got) {
			t.Errorf("%s: %q, %v, want %q", tc.name, a.got, err, tc.got)
		}
		if tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
			t.Errorf("%s: error %v, want %q", tc.name, err, tc.err)
		}
		if tc.asked > 0 && asked != tc.asked {
			t.Errorf("%s: asked %d times, want %d", tc.name, asked, tc.asked)
		}
	}
}

func TestInterruptedWaits(t *testing.T) {
	r := &run{Options: Options{Timeouts: Timeouts{Unreachable: time.Minute}}}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := r.until(ctx, time.Minute, 1, func(context.Context) (answer, error) {
		cancel()
		return answer{"a", "b"}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("until: %v", err)
	}
	if err := r.try(ctx, func(context.Context) error { return errRefused }); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("try: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if err := r.try(ctx, func(context.Context) error { return errRefused }); err == nil || strings.Contains(err.Error(), "interrupted") {
		t.Errorf("try when the time is over: %v", err)
	}
}

func TestTry(t *testing.T) {
	r := &run{Options: Options{Timeouts: Timeouts{Unreachable: time.Minute}}}
	tries := 0
	err := r.try(t.Context(), func(context.Context) error {
		if tries++; tries < 3 {
			return errRefused
		}
		return errForbidden
	})
	if !apierrors.IsForbidden(err) || tries != 3 {
		t.Errorf("%d tries, %v, want 3 and what the server says in the end", tries, err)
	}
	r.Timeouts.Unreachable = time.Nanosecond
	if err := r.try(t.Context(), func(context.Context) error { return errRefused }); !errors.Is(err, errRefused) {
		t.Errorf("away for too long: %v", err)
	}
}

// A getter answers every Get with one error, or none.
type getter struct {
	client.Client
	err error
}

func (g getter) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return g.err
}

// Nobody's real cluster is to be taken for one whose payload moves back.
func TestIsReference(t *testing.T) {
	for _, tc := range []struct {
		name, version string
		said          bool
		operator      error // of the ClusterOperator kube-apiserver
		want, fails   bool
	}{
		{"it says so", "v1.36.0-polyarch", false, nil, true, false},
		{"nobody says so", "v1.33.4", false, errNotFound, false, false},
		{"the caller says so", "v1.33.4", true, errNotFound, true, false},
		{"the caller says so of a cluster without operators", "v1.33.4", true, errNoKind, true, false},
		{"the caller says so of a real cluster", "v1.33.4", true, nil, false, true},
		{"the caller says so, and it cannot be known", "v1.33.4", true, errForbidden, false, true},
	} {
		got, err := isReference(t.Context(), getter{err: tc.operator}, tc.version, tc.said)
		if got != tc.want || (err != nil) != tc.fails {
			t.Errorf("%s: %v, %v, want %v, an error: %v", tc.name, got, err, tc.want, tc.fails)
		}
	}
}
