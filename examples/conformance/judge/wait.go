package judge

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pause is how long a wait rests between two questions.
const pause = 100 * time.Millisecond

// over says why there is no time left.
func over(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("the time for it is over")
	}
	return errors.New("the run was interrupted")
}

// An answer is what a question wanted and got.
type answer struct{ want, got string }

func (a answer) right() bool { return a.want == a.got }

// until asks until what is wanted was there so many times in a row, or the time is
// over and something else was answered. It returns the last answer. The error is
// of a question that has no answer: nobody answers for too long, or what it needs
// is not there.
func (r *run) until(ctx context.Context, timeout time.Duration, times int, ask func(context.Context) (answer, error)) (answer, error) {
	began, heard, right := time.Now(), time.Now(), 0
	for {
		a, err := ask(ctx)
		switch {
		case ctx.Err() != nil:
			return a, over(ctx)
		case err == nil:
			heard = time.Now()
			if !a.right() {
				right = 0
			} else if right++; right >= times {
				return a, nil
			}
			if time.Since(began) > timeout && right == 0 {
				return a, nil
			}
		case away(err):
			if since := time.Since(heard); since > r.Timeouts.Unreachable {
				return a, fmt.Errorf("no answer for %s: %w", since.Round(time.Second), err)
			}
			right = 0
		case hopeless(err):
			return a, err
		default:
			heard, right = time.Now(), 0
			if time.Since(began) > timeout {
				return a, err
			}
		}
		if right > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return a, over(ctx)
		case <-time.After(pause):
		}
	}
}

// try does something that an API server that is away does not refuse for good.
func (r *run) try(ctx context.Context, do func(context.Context) error) error {
	for began := time.Now(); ; {
		err := do(ctx)
		if ctx.Err() != nil && err != nil {
			return over(ctx)
		}
		if err == nil || !away(err) {
			return err
		}
		if since := time.Since(began); since > r.Timeouts.Unreachable {
			return fmt.Errorf("no answer for %s: %w", since.Round(time.Second), err)
		}
		select {
		case <-ctx.Done():
			return over(ctx)
		case <-time.After(pause):
		}
	}
}

// away reports whether the error is of an API server that does not answer, or
// says that it cannot now. What a step itself finds missing is a missing.
func away(err error) bool {
	var m missing
	var f foreign
	if errors.As(err, &m) || errors.As(err, &f) || meta.IsNoMatchError(err) {
		return false
	}
	switch apierrors.ReasonForError(err) {
	case metav1.StatusReasonUnknown, metav1.StatusReasonServiceUnavailable, metav1.StatusReasonInternalError,
		metav1.StatusReasonTimeout, metav1.StatusReasonServerTimeout, metav1.StatusReasonTooManyRequests:
		return true
	}
	// So says a server that starts, of what it does not serve yet. What it does not
	// serve at all, the client knows from its discovery.
	return apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// hopeless reports whether asking again would bring the same.
func hopeless(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsInvalid(err) ||
		apierrors.IsBadRequest(err) || apierrors.IsMethodNotSupported(err) || meta.IsNoMatchError(err)
}

// A missing is what a step needs to know and nobody says.
type missing string

func (m missing) Error() string { return string(m) }

// A foreign is a field that somebody else has set since the run has.
type foreign struct{ field, value string }

func (f foreign) Error() string {
	return fmt.Sprintf("%s is %s, which somebody else has set since: it is left alone", f.field, f.value)
}
