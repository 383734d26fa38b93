package dictexpandtest

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A DryRunCase is what a client returns for the creation of a cron as a dry run, and what
// that says about the cron: Accepted, Refused or Unknown.
type DryRunCase struct {
	Rule, Name string
	Err        error
	Want       string
}

// DryRunCases are errors of all kinds.
func DryRunCases() []DryRunCase {
	webhook := &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: 422, Message: `admission webhook "dataimportcron-validate.cdi.kubevirt.io" denied the request: Illegal cron schedule`,
	}}
	return []DryRunCase{
		{"dry-run-accepted", "no error", nil, Accepted},
		{"dry-run-accepted", "the old cron is in the way, which is all", apierrors.NewAlreadyExists(cronResource, "x"), Accepted},
		{"dry-run-accepted", "so too when the client wraps it", fmt.Errorf("dry run: %w", apierrors.NewAlreadyExists(cronResource, "x")), Accepted},
		{"dry-run-refused", "CDI's webhook denies it", webhook, Refused},
		{"dry-run-refused", "the CRD or a policy denies it", apierrors.NewInvalid(schema.GroupKind{}, "x", nil), Refused},
		{"dry-run-refused", "a webhook without a code", apierrors.NewBadRequest("no"), Refused},
		{"dry-run-refused", "the caller may not, or a quota is used up", apierrors.NewForbidden(cronResource, "x", nil), Refused},
		{"dry-run-refused", "the namespace is gone", apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "ns"), Refused},
		{"dry-run-refused", "the cron is too large", apierrors.NewRequestEntityTooLargeError("3 MiB"), Refused},
		{"dry-run-unknown", "the webhook cannot be reached", apierrors.NewInternalError(errors.New("failed calling webhook")), Unknown},
		{"dry-run-unknown", "the server has no time", apierrors.NewTooManyRequests("later", 1), Unknown},
		{"dry-run-unknown", "the server has no time for the webhook", apierrors.NewTimeoutError("later", 1), Unknown},
		{"dry-run-unknown", "the token is no longer good", apierrors.NewUnauthorized("who"), Unknown},
		{"dry-run-unknown", "a conflict of another kind", apierrors.NewConflict(cronResource, "x", nil), Unknown},
		{"dry-run-unknown", "the connection was refused", errors.New("connection refused"), Unknown},
	}
}

func dryRunRows() []row {
	var all []row
	for _, c := range DryRunCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasDryRun, Call: func(i Impl) outcome {
			return outcome{Input: fmt.Sprint(c.Err), Want: c.Want, Got: i.DryRun(c.Err)}
		}})
	}
	return all
}
