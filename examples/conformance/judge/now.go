package judge

import (
	"context"
	"time"

	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/payloadarch"
)

// now judges the cluster as it is.
func (r *run) now(ctx context.Context) {
	r.payloadNow(ctx)
	r.hops(ctx, "now")
	r.given(ctx)
	r.multiNow(ctx)
}

// payloadNow judges what the ClusterVersion reports, if the caller knows what is
// installed.
func (r *run) payloadNow(ctx context.Context) {
	const id = "payload-type/now"
	began := time.Now()
	a, err := r.until(ctx, r.Timeouts.Report, 1, func(ctx context.Context) (answer, error) {
		payload, err := r.payload(ctx)
		if err == nil && payload.Kind == payloadarch.Unknown {
			err = unknown(payload)
		}
		got := orNone(payloadarch.ReportedArchitecture(payload.Kind))
		if r.Payload == payloadarch.Unknown {
			return answer{got, got}, err
		}
		return answer{orNone(payloadarch.ReportedArchitecture(r.Payload)), got}, err
	})
	if err == nil && r.Payload == payloadarch.Unknown {
		r.set(id, began, report.Step{
			State: report.StateObserved, Got: a.got,
			Detail: "nothing but the ClusterVersion says which payload is installed: --payload does",
		})
		return
	}
	r.judged(id, began, a, err)
}

// onMultiPayload is the step that is judged now or after a move, whenever the payload
// is multi.
const onMultiPayload = "new-image-streams/multi"

// multiNow judges new image streams if the payload is multi.
func (r *run) multiNow(ctx context.Context) {
	const id = onMultiPayload
	began, kind := time.Now(), r.Payload
	if kind == payloadarch.Unknown {
		var payload payloadarch.Verdict
		err := r.try(ctx, func(ctx context.Context) (err error) {
			payload, err = r.payload(ctx)
			return err
		})
		if err == nil && payload.Kind == payloadarch.Unknown {
			err = unknown(payload)
		}
		if err != nil {
			r.set(id, began, unjudged(err))
			return
		}
		kind = payload.Kind
	}
	switch {
	case kind == payloadarch.Multi:
		// The error is in the step.
		_, _ = r.atTheEnd(ctx, id, "multi-now", payloadarch.Multi)
	case !r.moves():
		r.set(id, began, report.Step{State: report.StateNotRun, Detail: "the payload is single"})
	}
}
