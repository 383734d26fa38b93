package judge

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/payloadarch"
)

// Options says what to run. Run and Timeouts are required.
type Options struct {
	// Run is the id of the run, of NewRun or a label value of the caller's own.
	Run string
	// Namespace is where image streams are made. Empty means a namespace of the
	// run's own.
	Namespace string
	// Disruptive allows spec.imageStreamImportMode to be changed, and on the
	// reference apiserver the payload to be moved.
	Disruptive bool
	// Reference says that the cluster is the reference apiserver, though it does
	// not say so itself.
	Reference bool
	// Payload is what is installed, if the caller knows.
	Payload payloadarch.Kind
	// Dump is a directory to write the objects to before they are removed.
	Dump     string
	Timeouts Timeouts
	// Redact hides what a report is not to hold.
	Redact *report.Redactor
	// Told is called with each step when its state is known.
	Told func(report.Step)
}

// Timeouts say how long to wait. All are required.
type Timeouts struct {
	Payload     time.Duration // for an update of the payload to complete
	Report      time.Duration // for the ClusterVersion to report the payload
	Status      time.Duration // for the status of the image config to follow
	Observed    time.Duration // for the observed config
	Rollout     time.Duration // for openshift-apiserver to be rolled out
	Unreachable time.Duration // for an API server that is away to be back
	Request     time.Duration // for one answer
	Cleanup     time.Duration // for everything after the last step
}

// DefaultTimeouts are those for a cluster of usual size.
func DefaultTimeouts() Timeouts {
	return Timeouts{
		Payload: 10 * time.Minute, Report: 2 * time.Minute, Status: 2 * time.Minute, Observed: 2 * time.Minute,
		Rollout: 15 * time.Minute, Unreachable: 5 * time.Minute, Request: 30 * time.Second, Cleanup: 10 * time.Minute,
	}
}

// NewRun returns an id that no other run has.
func NewRun() string {
	random := make([]byte, 5)
	rand.Read(random) // never fails, by its documentation
	return hex.EncodeToString(random)
}

// Validate refuses what cannot be run.
func (o Options) Validate() error {
	var errs []error
	if problems := validation.IsDNS1123Label(namespacePrefix + o.Run); o.Run == "" || len(problems) > 0 {
		errs = append(errs, fmt.Errorf("the id of the run is %q, must be lower-case letters and digits: %v", o.Run, problems))
	}
	if o.Namespace != "" {
		if problems := validation.IsDNS1123Label(o.Namespace); len(problems) > 0 {
			errs = append(errs, fmt.Errorf("the namespace is %q: %v", o.Namespace, problems))
		}
	}
	t := o.Timeouts
	for _, d := range []time.Duration{t.Payload, t.Report, t.Status, t.Observed, t.Rollout, t.Unreachable, t.Request, t.Cleanup} {
		if d <= 0 {
			errs = append(errs, fmt.Errorf("a timeout is %s, must be positive", d))
		}
	}
	return errors.Join(errs...)
}
