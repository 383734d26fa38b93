package main

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ensure creates the object if it is not there, and writes its status too where
// the object has one: a create leaves it out.
func (w *world) ensure(ctx context.Context, obj client.Object) error {
	withStatus := obj.DeepCopyObject().(client.Object)
	if err := w.client.Create(ctx, obj); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return fmt.Errorf("create %T %s: %w", obj, obj.GetName(), err)
	}
	withStatus.SetResourceVersion(obj.GetResourceVersion())
	withStatus.SetUID(obj.GetUID())
	err := w.client.Status().Update(ctx, withStatus)
	if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
		return nil // it has no status of its own
	}
	return err
}

// change reads the object again, lets edit change it, and updates it, once more
// if somebody else was faster.
func change[T client.Object](ctx context.Context, w *world, obj T, edit func(T)) error {
	for {
		if err := w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return err
		}
		edit(obj)
		if err := w.client.Update(ctx, obj); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// changeStatus is change for the status.
func changeStatus[T client.Object](ctx context.Context, w *world, obj T, edit func(T)) error {
	for {
		if err := w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return err
		}
		edit(obj)
		if err := w.client.Status().Update(ctx, obj); !apierrors.IsConflict(err) {
			return err
		}
	}
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

// recorded reads whether an event was recorded that is about what is looked for.
func (w *world) recorded(about func(corev1.Event) bool) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var events corev1.EventList
		if err := w.client.List(ctx, &events); err != nil {
			return nil, err
		}
		return slices.ContainsFunc(events.Items, about), nil
	}
}
