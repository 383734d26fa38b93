package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/conformance/report"
)

// ErrNothing is returned by Cleanup when there is nothing of that run.
var ErrNothing = errors.New("nothing has the label of that run")

// Cleanup sets back and removes what the run of that id left. Of the options it
// needs Run, Timeouts, and Namespace if the run was given one.
func Cleanup(ctx context.Context, config *rest.Config, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	r := &run{Options: o, namespace: o.Namespace}
	if r.Redact == nil {
		r.Redact = &report.Redactor{}
	}
	if r.namespace == "" {
		r.namespace = namespacePrefix + o.Run
	}
	if err := r.connect(ctx, config); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeouts.Cleanup)
	defer cancel()
	if found, err := r.anything(ctx); err != nil {
		return err
	} else if !found {
		return fmt.Errorf("%w: run %s, namespace %s", ErrNothing, o.Run, r.namespace)
	}
	return errors.Join(r.cleanup(ctx)...)
}

// anything reports whether something of the run is there.
func (r *run) anything(ctx context.Context) (bool, error) {
	ns, err := r.ownNamespace(ctx)
	if ns != nil || err != nil {
		return ns != nil, err
	}
	record, _, err := r.recall(ctx)
	if record != nil || err != nil {
		return record != nil, err
	}
	streams, err := r.streams(ctx, client.MatchingLabels(r.labels()))
	return len(streams) > 0, err
}

// cleanup sets back what the run changed, and removes what it made. It goes on
// after an error, and returns all.
func (r *run) cleanup(ctx context.Context) (errs []error) {
	record, changed, err := r.recall(ctx)
	if err != nil {
		errs = append(errs, err)
		// What the run itself knows is as good.
		changed = r.changes
	}
	restored := err == nil
	for _, err := range r.restore(ctx, changed) {
		errs = append(errs, err)
		// What somebody else has set since is no longer the run's to set back.
		var f foreign
		restored = restored && errors.As(err, &f)
	}
	streams, err := r.streams(ctx, client.MatchingLabels(r.labels()))
	if err != nil {
		errs = append(errs, err)
	}
	for _, is := range streams {
		errs = append(errs, r.remove(ctx, &is)...)
	}
	if !restored {
		return errs // the record is what it can be tried again from
	}
	if record != nil {
		errs = append(errs, r.remove(ctx, record)...)
	}
	return append(errs, r.removeNamespace(ctx)...)
}

func (r *run) restore(ctx context.Context, changed changes) (errs []error) {
	if c := changed.Update; c != nil {
		if err := r.restoreUpdate(ctx, c); err != nil {
			errs = append(errs, err)
		}
	}
	if c := changed.ImportMode; c != nil {
		if err := r.restoreSpec(ctx, c); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// streams lists image streams of the run's namespace.
func (r *run) streams(ctx context.Context, options ...client.ListOption) ([]imagev1.ImageStream, error) {
	var list imagev1.ImageStreamList
	err := r.try(ctx, func(ctx context.Context) error {
		return r.client.List(ctx, &list, append(options, client.InNamespace(r.namespace))...)
	})
	return list.Items, err
}

// remove deletes an object, unless another has taken its name.
func (r *run) remove(ctx context.Context, obj client.Object) []error {
	uid := obj.GetUID()
	err := r.try(ctx, func(ctx context.Context) error {
		return r.client.Delete(ctx, obj, client.Preconditions{UID: &uid})
	})
	if err == nil || apierrors.IsNotFound(err) {
		return nil
	}
	return []error{fmt.Errorf("remove %T %s: %w", obj, obj.GetName(), err)}
}

// ownNamespace returns the namespace that the run made, nil if there is none.
func (r *run) ownNamespace(ctx context.Context) (*corev1.Namespace, error) {
	if r.Options.Namespace != "" {
		return nil, nil
	}
	ns := &corev1.Namespace{}
	err := r.try(ctx, func(ctx context.Context) error { return r.client.Get(ctx, client.ObjectKey{Name: r.namespace}, ns) })
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if ns.Labels[LabelRun] != r.Run {
		return nil, nil
	}
	return ns, nil
}

// removeNamespace removes the run's own namespace, unless there is something of
// others in it, which would go with it.
func (r *run) removeNamespace(ctx context.Context) []error {
	ns, err := r.ownNamespace(ctx)
	if err != nil {
		return []error{err}
	}
	if ns == nil {
		return nil
	}
	others, err := r.others(ctx)
	if err != nil {
		return []error{err}
	}
	if len(others) > 0 {
		return []error{fmt.Errorf("namespaces[%s] is left, with what the run did not make: %s", ns.Name, strings.Join(others, ", "))}
	}
	return r.remove(ctx, ns)
}

// others lists what others have made in the run's namespace.
func (r *run) others(ctx context.Context) (names []string, err error) {
	streams, err := r.streams(ctx)
	// A cluster without image streams has none of others.
	if err != nil && !meta.IsNoMatchError(err) {
		return nil, err
	}
	for _, is := range streams {
		if is.Labels[LabelRun] != r.Run {
			names = append(names, "imagestreams["+is.Name+"]")
		}
	}
	var maps corev1.ConfigMapList
	err = r.try(ctx, func(ctx context.Context) error {
		return r.client.List(ctx, &maps, client.InNamespace(r.namespace))
	})
	for _, m := range maps.Items {
		// These two are in every namespace.
		if m.Labels[LabelRun] != r.Run && m.Name != "kube-root-ca.crt" && m.Name != "openshift-service-ca.crt" {
			names = append(names, "configmaps["+m.Name+"]")
		}
	}
	return names, err
}
