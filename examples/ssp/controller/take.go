package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// take takes the steps in their order and returns those that the API server did
// not take. One that fails stops no other: a plan deletes and redirects only what
// it has seen a replacement of.
func (r *Reconciler) take(ctx context.Context, ssp client.Object, steps []dictexpand.Step) []*stepError {
	var failed []*stepError
	for _, s := range steps {
		if !s.Writes() {
			continue
		}
		err := r.write(ctx, s)
		if s.Verb == dictexpand.VerbCreate && apierrors.IsAlreadyExists(err) {
			continue // it is still being deleted: its going will be an event
		}
		if err != nil {
			failed = append(failed, &stepError{s, err})
			continue
		}
		if s.Data == dictexpand.DataDeleted {
			r.Events.Event(ssp, corev1.EventTypeNormal, EventImagesDeleted, lost(s))
		}
		if r.Took != nil {
			r.Took(s)
		}
	}
	return failed
}

// lost says what went with a cron.
func lost(s dictexpand.Step) string {
	message := fmt.Sprintf("the cron %s/%s is deleted (%s), and the images that it imported go with it", s.Namespace, s.Name, s.Reason)
	if s.Detail != "" {
		message += ": " + s.Detail
	}
	return cut(message, maxNote)
}

func (r *Reconciler) write(ctx context.Context, s dictexpand.Step) error {
	switch s.Verb {
	case dictexpand.VerbCreate:
		return r.Client.Create(ctx, objectOf(s))
	case dictexpand.VerbRelabel, dictexpand.VerbUpdate:
		return r.Client.Update(ctx, objectOf(s))
	case dictexpand.VerbDelete:
		return client.IgnoreNotFound(r.Client.Delete(ctx, objectOf(s), client.Preconditions{UID: &s.UID, ResourceVersion: &s.ResourceVersion}))
	}
	return nil
}

// unfinished reports whether there is anything left to write or to wait for.
func unfinished(steps []dictexpand.Step) bool {
	return slices.ContainsFunc(steps, func(s dictexpand.Step) bool { return s.Writes() || s.Verb == dictexpand.VerbWait })
}

// A stepError is a step that the API server did not take.
type stepError struct {
	step dictexpand.Step
	err  error
}

func (e *stepError) Error() string {
	return fmt.Sprintf("%s %s %s/%s: %v", e.step.Verb, e.step.Kind, e.step.Namespace, e.step.Name, e.err)
}

func (e *stepError) Unwrap() error { return e.err }

// stale reports whether the step was planned on an object that has changed since.
// That change is an event, and nothing to tell anybody.
func (e *stepError) stale() bool { return apierrors.IsConflict(e.err) }

func joined(failed []*stepError) error {
	all := make([]error, len(failed))
	for i, f := range failed {
		all[i] = f
	}
	return errors.Join(all...)
}

// objectOf returns the object to write, or one to delete.
func objectOf(s dictexpand.Step) client.Object {
	switch {
	case s.Cron != nil:
		return s.Cron
	case s.DataSource != nil:
		return s.DataSource
	case s.Kind == dictexpand.KindDataSource:
		return &cdiv1beta1.DataSource{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}}
	}
	return &cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name}}
}
