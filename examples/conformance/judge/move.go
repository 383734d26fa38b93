package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/payloadarch"
)

// move takes the payload from single to multi and back, as "oc adm upgrade" does,
// and judges what follows. The error is why the stage ended early.
func (r *run) move(ctx context.Context) error {
	cv, err := r.startOfMoves(ctx)
	if err != nil {
		return err
	}
	release := cv.Status.Desired
	toMulti := &configv1.Update{Architecture: configv1.ClusterVersionArchitectureMulti, Version: release.Version}
	toSingle := &configv1.Update{Image: release.Image, Version: release.Version}
	onSingle, err := r.create(ctx, r.unset("before-multi"))
	if err != nil {
		return err
	}
	err = r.remember(ctx, func(c *changes) {
		c.Update = &updateChange{Was: cv.Spec.DesiredUpdate, Multi: toMulti, Single: toSingle}
	})
	if err != nil {
		return err
	}

	if err := r.update(ctx, toMulti, func(now configv1.Release) bool { return now.Image != release.Image }); err != nil {
		return err
	}
	r.reports(ctx, "multi", payloadarch.Multi)
	r.hops(ctx, "multi")
	if r.step(onMultiPayload).State == report.StateNotRun {
		// The error is in the step.
		_, _ = r.atTheEnd(ctx, onMultiPayload, "multi-new", payloadarch.Multi)
	}
	onMulti, err := r.atTheEnd(ctx, "single-multi-single/multi", "multi-moved", payloadarch.Multi)
	if err != nil {
		return err
	}

	if err := r.update(ctx, toSingle, func(now configv1.Release) bool { return now.Image == release.Image }); err != nil {
		return err
	}
	r.reports(ctx, "single", payloadarch.Single)
	r.hops(ctx, "single")
	if _, err := r.atTheEnd(ctx, "single-multi-single/single", "single-moved", payloadarch.Single); err != nil {
		return err
	}
	began := time.Now()
	if modes(onSingle) == modes(onMulti) {
		r.set("single-multi-single/existing", began, unjudged(missing("new tags get the same mode on both payloads, so that there is nothing to stay away from")))
	} else {
		r.set("single-multi-single/existing", began, r.unchanged(ctx, onSingle, onMulti))
	}
	if err := r.restoreUpdate(ctx, r.changes.Update); err != nil {
		return err
	}
	return r.forget(ctx, func(c *changes) { c.Update = nil })
}

// startOfMoves is the ClusterVersion, if the moves can begin.
func (r *run) startOfMoves(ctx context.Context) (cv *configv1.ClusterVersion, err error) {
	var payload payloadarch.Verdict
	err = r.try(ctx, func(ctx context.Context) (err error) {
		if payload, err = r.payload(ctx); err != nil {
			return err
		}
		cv, err = r.clusterVersion(ctx)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case payload.Kind != payloadarch.Single || r.Payload == payloadarch.Multi:
		return nil, missing(fmt.Sprintf("the plan begins with a single payload, and this one is %s (%s)", payload.Kind, payload.Reason))
	case cv.Status.Desired.Image == "" || cv.Status.Desired.Version == "":
		return nil, missing("the ClusterVersion does not say which release it is")
	}
	return cv, nil
}

// update asks for a release and waits until it is there.
func (r *run) update(ctx context.Context, to *configv1.Update, there func(configv1.Release) bool) error {
	if err := r.setUpdate(ctx, to); err != nil {
		return err
	}
	var cv *configv1.ClusterVersion
	a, err := r.until(ctx, r.Timeouts.Payload, 1, func(ctx context.Context) (a answer, err error) {
		a.want = string(configv1.CompletedUpdate)
		if cv, err = r.clusterVersion(ctx); err == nil && there(cv.Status.Desired) &&
			len(cv.Status.History) > 0 && cv.Status.History[0].Image == cv.Status.Desired.Image {
			a.got = string(cv.Status.History[0].State)
		}
		return a, err
	})
	if err == nil && !a.right() {
		err = missing(fmt.Sprintf("the update does not complete; %s", history(cv)))
		for _, c := range cv.Status.Conditions {
			if c.Type == "Invalid" && c.Status == configv1.ConditionTrue {
				err = missing(fmt.Sprintf("%v; %s", err, c.Message))
			}
		}
	}
	return err
}

// reports judges the ClusterVersion by the payload that it was moved to.
func (r *run) reports(ctx context.Context, step string, payload payloadarch.Kind) {
	began := time.Now()
	a, err := r.until(ctx, r.Timeouts.Report, 1, func(ctx context.Context) (answer, error) {
		cv, err := r.clusterVersion(ctx)
		return answer{orNone(payloadarch.ReportedArchitecture(payload)), orNone(cv.Status.Desired.Architecture)}, err
	})
	r.judged("payload-type/"+step, began, a, err)
}

// setUpdate sets spec.desiredUpdate, nil for none.
func (r *run) setUpdate(ctx context.Context, to *configv1.Update) error {
	for {
		var cv *configv1.ClusterVersion
		err := r.try(ctx, func(ctx context.Context) (err error) {
			cv, err = r.clusterVersion(ctx)
			return err
		})
		if err != nil {
			return err
		}
		if equality.Semantic.DeepEqual(cv.Spec.DesiredUpdate, to) {
			return nil
		}
		patch := []map[string]any{{"op": "test", "path": "/metadata/resourceVersion", "value": cv.ResourceVersion}}
		if to != nil {
			patch = append(patch, map[string]any{"op": "add", "path": "/spec/desiredUpdate", "value": to})
		} else {
			patch = append(patch, map[string]any{"op": "remove", "path": "/spec/desiredUpdate"})
		}
		data, err := json.Marshal(patch)
		if err != nil {
			return err
		}
		err = r.try(ctx, func(ctx context.Context) error {
			return r.client.Patch(ctx, cv, client.RawPatch(types.JSONPatchType, data))
		})
		// A test that does not hold is an invalid request.
		if !apierrors.IsConflict(err) && !apierrors.IsInvalid(err) {
			return err
		}
		if errAgain := r.again(ctx, cv); errAgain != nil {
			return err
		}
	}
}

// again returns nil if the ClusterVersion is another one by now, so that there is
// a point in trying again.
func (r *run) again(ctx context.Context, was *configv1.ClusterVersion) error {
	cv, err := r.clusterVersion(ctx)
	if err == nil && cv.ResourceVersion == was.ResourceVersion {
		err = missing("nothing has changed")
	}
	return err
}

// restoreUpdate takes the payload back to where it was, if it is the run's own
// update that is asked for, and asks for what was asked for.
func (r *run) restoreUpdate(ctx context.Context, c *updateChange) error {
	var cv *configv1.ClusterVersion
	err := r.try(ctx, func(ctx context.Context) (err error) {
		cv, err = r.clusterVersion(ctx)
		return err
	})
	if err != nil {
		return err
	}
	now := cv.Spec.DesiredUpdate
	if !equality.Semantic.DeepEqual(now, c.Multi) && !equality.Semantic.DeepEqual(now, c.Single) {
		if equality.Semantic.DeepEqual(now, c.Was) {
			return nil
		}
		return foreign{"clusterversions[version].spec.desiredUpdate", "another"}
	}
	if err := r.update(ctx, c.Single, func(now configv1.Release) bool { return now.Image == c.Single.Image }); err != nil {
		return fmt.Errorf("clusterversions[version].spec.desiredUpdate asks for the release of before: %w", err)
	}
	return r.setUpdate(ctx, c.Was)
}

// observeMoves writes down what there is to see where the payload is not moved.
func (r *run) observeMoves(ctx context.Context) {
	began := time.Now()
	why := "payloads are moved on the reference apiserver only; here the step observes"
	if r.reference {
		why = "payloads are moved with --disruptive only; without it the step observes"
	}
	var cv *configv1.ClusterVersion
	var payload payloadarch.Verdict
	err := r.try(ctx, func(ctx context.Context) (err error) {
		if payload, err = r.payload(ctx); err != nil {
			return err
		}
		cv, err = r.clusterVersion(ctx)
		return err
	})
	for _, id := range []string{"payload-type/multi", "payload-type/single", "single-multi-single/multi", "single-multi-single/single"} {
		if err != nil {
			r.set(id, began, unjudged(err))
			continue
		}
		r.set(id, began, report.Step{
			State: report.StateObserved, Detail: why,
			Got: fmt.Sprintf("payload %s (%s), new tags %s, %s", payload.Kind, payload.Reason, orNone(r.step("apiserver/now").Got), history(cv)),
		})
	}
}
