package judge

import (
	"context"
	"fmt"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/conformance/report"
	"github.com/polyarch/polyarch/payloadarch"
)

// judged sets a step to what a wait came to.
func (r *run) judged(id string, began time.Time, a answer, err error) {
	if err != nil {
		r.set(id, began, unjudged(err))
		return
	}
	s := compared(a.want, a.got)
	if s.State == report.StateFail {
		s.Detail = fmt.Sprintf("after %s", time.Since(began).Round(100*time.Millisecond))
	}
	r.set(id, began, s)
}

// hops judges each hop from the ClusterVersion to a tag by the one before it. The
// order is that of the mode, so that each hop is at rest when the next is judged.
func (r *run) hops(ctx context.Context, step string) {
	r.status(ctx, step)
	r.observed(ctx, step)
	r.server(ctx, step)
}

// status judges the status of the image config by spec and ClusterVersion.
func (r *run) status(ctx context.Context, step string) {
	began := time.Now()
	a, err := r.until(ctx, r.Timeouts.Status, 1, func(ctx context.Context) (answer, error) {
		image, err := r.imageConfig(ctx)
		if err != nil {
			return answer{}, err
		}
		want := image.Spec.ImageStreamImportMode
		if want == "" {
			payload, err := r.payload(ctx)
			if err != nil {
				return answer{}, err
			}
			if payload.Kind == payloadarch.Unknown {
				return answer{}, unknown(payload)
			}
			want = modeOf(payload.Kind)
		}
		return answer{string(want), orNone(string(image.Status.ImageStreamImportMode))}, nil
	})
	r.judged("image-config-status/"+step, began, a, err)
}

// unknown says that the ClusterVersion does not tell the payload, and why.
func unknown(v payloadarch.Verdict) error {
	return missing(fmt.Sprintf("the ClusterVersion does not say which payload it is: %s", v.Reason))
}

// observed judges the observed config by the status of the image config.
func (r *run) observed(ctx context.Context, step string) {
	began := time.Now()
	a, err := r.until(ctx, r.Timeouts.Observed, 1, func(ctx context.Context) (answer, error) {
		image, err := r.imageConfig(ctx)
		if err != nil {
			return answer{}, err
		}
		mode, err := r.observedMode(ctx)
		return answer{orNone(string(image.Status.ImageStreamImportMode)), orNone(mode)}, err
	})
	r.judged("observed-config/"+step, began, a, err)
}

// server judges new image streams by the observed config.
func (r *run) server(ctx context.Context, step string) {
	id, began := "apiserver/"+step, time.Now()
	if r.noNamespace != nil {
		r.set(id, began, unjudged(r.noNamespace))
		return
	}
	a, err := r.until(ctx, r.Timeouts.Rollout, agree, func(ctx context.Context) (answer, error) {
		// It is read each time, since it may still change.
		mode, err := r.observedMode(ctx)
		if err != nil {
			return answer{}, fmt.Errorf("what the server is configured with: %w", err)
		}
		if mode == "" {
			mode = string(configv1.ImportModeLegacy)
		}
		got, err := r.newTags(ctx, step)
		return answer{allTags(mode), got}, err
	})
	if err == nil {
		// What a dry run shows is held to what is stored. After a wait in vain it
		// is there to be looked at.
		var is *imagev1.ImageStream
		if is, err = r.create(ctx, r.unset(step)); err == nil && a.right() {
			a.got = modes(is)
		}
	}
	r.judged(id, began, a, err)
}

// given judges tags whose mode the request names.
func (r *run) given(ctx context.Context) {
	began := time.Now()
	manifest := r.manifest("given", imagev1.ImportModeLegacy, imagev1.ImportModePreserveOriginal)
	is, err := r.create(ctx, manifest)
	if err != nil {
		r.set("apiserver/given", began, unjudged(err))
		return
	}
	r.set("apiserver/given", began, compared(modes(manifest), modes(is)))
}

// atTheEnd judges a new image stream by the payload, which is at the other end.
func (r *run) atTheEnd(ctx context.Context, id, stream string, payload payloadarch.Kind) (*imagev1.ImageStream, error) {
	began := time.Now()
	var image *configv1.Image
	err := r.try(ctx, func(ctx context.Context) (err error) {
		image, err = r.imageConfig(ctx)
		return err
	})
	if err == nil && image.Spec.ImageStreamImportMode != "" {
		err = missing("spec.imageStreamImportMode overrides the payload")
	}
	var is *imagev1.ImageStream
	if err == nil {
		is, err = r.create(ctx, r.unset(stream))
	}
	if err != nil {
		r.set(id, began, unjudged(err))
		return nil, err
	}
	r.set(id, began, compared(allTags(modeOf(payload)), modes(is)))
	return is, nil
}
