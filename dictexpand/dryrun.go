package dictexpand

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/quote"
)

// DryRunAnswer is what the API server said to a dry run.
type DryRunAnswer string

const (
	// DryRunUnknown: there was no answer, or one that says nothing about the cron,
	// such as a webhook that cannot be reached. It is the zero value. While a plan
	// has one, it deletes and redirects nothing.
	DryRunUnknown DryRunAnswer = ""
	// DryRunAccepted: the cron may be created once the old one of its name is gone.
	DryRunAccepted DryRunAnswer = "Accepted"
	// DryRunRefused: the API server or CDI refuses the cron. The old one stays.
	DryRunRefused DryRunAnswer = "Refused"
)

// A DryRun is what came of a step with VerbDryRun. DryRunOf makes one. A caller may
// keep what was accepted or refused from one run to the next, and should try again
// what had no answer.
type DryRun struct {
	Namespace string
	Name      string
	// Spec is that of the cron that was tried. The answer counts for no other.
	Spec   cdiv1beta1.DataImportCronSpec
	Answer DryRunAnswer
	// Message is what the API server said, for people.
	Message string
}

// DryRunOf returns what the error of a dry run says about the cron of the step;
// rules 68 to 70. The error is the one that the client returned for creating
// Step.Cron with metav1.DryRunAll, or nil.
func DryRunOf(s Step, err error) DryRun {
	d := DryRun{Namespace: s.Namespace, Name: s.Name}
	if s.Cron != nil {
		s.Cron.Spec.DeepCopyInto(&d.Spec)
	}
	if err == nil {
		d.Answer = DryRunAccepted
		return d
	}
	d.Message = quote.Cut(err.Error())
	// What the errors of k8s.io/apimachinery/pkg/api/errors implement.
	var status interface{ Status() metav1.Status }
	if !errors.As(err, &status) {
		return d
	}
	switch st := status.Status(); {
	case st.Reason == metav1.StatusReasonAlreadyExists:
		d.Answer, d.Message = DryRunAccepted, ""
	case refuses(st.Code):
		d.Answer = DryRunRefused
	}
	return d
}

// tried returns the answer to the dry run of a cron, the last of several.
func (f *facts) tried(c *Cron) (*DryRun, bool) {
	tries := f.dryRuns[keyOf(&c.Object.ObjectMeta)]
	for i := len(tries) - 1; i >= 0; i-- {
		if sameSpec(&tries[i].Spec, &c.Object.Spec) {
			return tries[i], true
		}
	}
	return nil, false
}

// replace decides whether a cron that should have another spec may make room for
// it; rules 54, 55 and 67. The step has no verb if it may.
func (f *facts) replace(live *cdiv1beta1.DataImportCron, c *Cron) Step {
	d, ok := f.tried(c)
	switch {
	case !ok:
		s := cronStep(VerbDryRun, live, ReasonSpecChanged)
		s.Cron = f.creation(c, ReasonSpecChanged).Cron
		return s
	case d.Answer == DryRunAccepted:
		return Step{}
	}
	// It is refused: one without an answer has frozen the plan.
	s := cronStep(VerbLeaveAlone, live, ReasonDryRunRefused)
	s.Detail = quote.Cut(d.Message)
	f.problems = append(f.problems, field.Forbidden(pathOf(c.Template).Child("spec"), fmt.Sprintf(
		"the cron %s is refused, and the one that exists stays as it is: %s", quote.Quote(c.Object.Name), s.Detail)))
	return s
}

// refuses reports whether an HTTP status says that the request would fail again.
func refuses(code int32) bool {
	switch code {
	case 400, 403, 404, 413, 422: // bad request, forbidden, not found, too large, invalid
		return true
	}
	return false
}
