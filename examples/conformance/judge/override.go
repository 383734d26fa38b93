package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/conformance/report"
)

// override sets spec.imageStreamImportMode to the other mode, judges what follows,
// and sets it back. The error is why the stage ended early.
func (r *run) override(ctx context.Context) error {
	var image *configv1.Image
	err := r.try(ctx, func(ctx context.Context) (err error) {
		image, err = r.imageConfig(ctx)
		return err
	})
	if err != nil {
		return err
	}
	was := image.Spec.ImageStreamImportMode
	effective := was
	if effective == "" {
		effective = image.Status.ImageStreamImportMode
	}
	set := configv1.ImportModePreserveOriginal
	if effective == configv1.ImportModePreserveOriginal {
		set = configv1.ImportModeLegacy
	}
	existing, err := r.create(ctx, r.unset("existing"))
	if err != nil {
		return err
	}
	reapplied, err := r.create(ctx, r.unset("reapplied"))
	if err != nil {
		return err
	}
	if err := r.remember(ctx, func(c *changes) { c.ImportMode = &importModeChange{Was: was, Set: set} }); err != nil {
		return err
	}
	if err := r.setSpec(ctx, was, set); err != nil {
		return err
	}
	r.hops(ctx, "override")
	r.stays(ctx, existing, reapplied)
	if ctx.Err() != nil {
		return over(ctx)
	}
	if err := r.restoreSpec(ctx, r.changes.ImportMode); err != nil {
		return err
	}
	if err := r.forget(ctx, func(c *changes) { c.ImportMode = nil }); err != nil {
		return err
	}
	r.hops(ctx, "restored")
	return nil
}

// stays judges image streams that were stored before the mode changed.
func (r *run) stays(ctx context.Context, existing, reapplied *imagev1.ImageStream) {
	const untouched, again = "apiserver/existing", "apiserver/reapplied"
	began := time.Now()
	now, err := r.read(ctx, r.unset("override"))
	if err == nil && modes(now) == modes(existing) {
		err = missing("new tags get the same mode as before, so that there is nothing to stay away from")
	}
	if err != nil {
		r.set(untouched, began, unjudged(err))
		r.set(again, began, unjudged(err))
		return
	}
	r.set(untouched, began, r.unchanged(ctx, existing))
	began = time.Now()
	after, err := r.reapply(ctx, r.unset("reapplied"))
	if err != nil {
		r.set(again, began, unjudged(err))
		return
	}
	r.set(again, began, compared(modes(reapplied), modes(after)))
}

// unchanged compares image streams with what they were.
func (r *run) unchanged(ctx context.Context, streams ...*imagev1.ImageStream) report.Step {
	text := func(is *imagev1.ImageStream) string {
		return fmt.Sprintf("%s: %s, generation %d", is.Name, modes(is), is.Generation)
	}
	var want, got []string
	for _, was := range streams {
		is, err := r.read(ctx, was)
		if err != nil {
			return unjudged(err)
		}
		want, got = append(want, text(was)), append(got, text(is))
	}
	return compared(strings.Join(want, "\n"), strings.Join(got, "\n"))
}

// setSpec sets spec.imageStreamImportMode, "" for none, if it is still what it was.
func (r *run) setSpec(ctx context.Context, was, mode configv1.ImportModeType) error {
	for {
		var err error
		var image *configv1.Image
		err = r.try(ctx, func(ctx context.Context) (err error) {
			image, err = r.imageConfig(ctx)
			return err
		})
		if err != nil {
			return err
		}
		switch image.Spec.ImageStreamImportMode {
		case mode:
			return nil
		case was:
		default:
			return foreign{"images[cluster].spec.imageStreamImportMode", orNone(string(image.Spec.ImageStreamImportMode))}
		}
		var value any
		if mode != "" {
			value = mode
		}
		// The rest of the object is not touched, whatever this program knows of it.
		patch, err := json.Marshal(map[string]any{
			"metadata": map[string]any{"resourceVersion": image.ResourceVersion},
			"spec":     map[string]any{"imageStreamImportMode": value},
		})
		if err != nil {
			return err
		}
		err = r.try(ctx, func(ctx context.Context) error {
			return r.client.Patch(ctx, image, client.RawPatch(types.MergePatchType, patch))
		})
		if !apierrors.IsConflict(err) {
			return err
		}
	}
}

// restoreSpec sets back what the run has set.
func (r *run) restoreSpec(ctx context.Context, c *importModeChange) error {
	return r.setSpec(ctx, c.Set, c.Was)
}
