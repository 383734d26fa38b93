package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
)

const (
	// LabelRun is on everything that a run makes. Its value is the run's id.
	LabelRun = "polyarch.github.io/conformance-run"
	// LabelRecord is on the ConfigMap that holds what a run has changed of others'
	// objects, from before it changes it until it is set back.
	LabelRecord = "polyarch.github.io/conformance-record"

	namespacePrefix = "polyarch-conformance-"
	recordKey       = "changes"
)

// changes are what a run changed of others' objects.
type changes struct {
	ImportMode *importModeChange `json:"imageStreamImportMode,omitempty"`
	Update     *updateChange     `json:"desiredUpdate,omitempty"`
}

// An importModeChange is that of spec.imageStreamImportMode of the image config.
type importModeChange struct {
	Was configv1.ImportModeType `json:"was"`
	Set configv1.ImportModeType `json:"set"`
}

// An updateChange is that of spec.desiredUpdate of the ClusterVersion. Single is
// the release of before, too.
type updateChange struct {
	Was    *configv1.Update `json:"was"`
	Multi  *configv1.Update `json:"multi"`
	Single *configv1.Update `json:"single"`
}

func (r *run) labels() map[string]string { return map[string]string{LabelRun: r.Run} }

func (r *run) recordKey() client.ObjectKey {
	return client.ObjectKey{Namespace: r.namespace, Name: namespacePrefix + r.Run}
}

// prepare makes the run's own namespace, or looks for the one that is given.
func (r *run) prepare(ctx context.Context) error {
	if r.Options.Namespace == "" {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.namespace, Labels: r.labels()}}
		err := r.try(ctx, func(ctx context.Context) error { return r.client.Create(ctx, ns) })
		if apierrors.IsAlreadyExists(err) {
			// It is the run's own if the answer to the first try was lost.
			if own, _ := r.ownNamespace(ctx); own != nil {
				return nil
			}
		}
		if err != nil {
			return fmt.Errorf("a namespace of the run's own: %w", err)
		}
		return nil
	}
	// Who may not look at namespaces may still write in this one.
	err := r.try(ctx, func(ctx context.Context) error {
		return r.client.Get(ctx, client.ObjectKey{Name: r.namespace}, &corev1.Namespace{})
	})
	if apierrors.IsForbidden(err) {
		return nil
	}
	return err
}

// alone refuses to change what another run has changed and not set back.
func (r *run) alone(ctx context.Context) error {
	var records corev1.ConfigMapList
	err := r.try(ctx, func(ctx context.Context) error {
		return r.client.List(ctx, &records, client.HasLabels{LabelRecord})
	})
	if err != nil {
		return fmt.Errorf("whether another run changes the cluster: %w", err)
	}
	for _, record := range records.Items {
		if run := record.Labels[LabelRun]; run != r.Run {
			return missing(fmt.Sprintf("run %s changes this cluster, or ended without setting it back: --cleanup %s does, in namespace %s",
				run, run, record.Namespace))
		}
	}
	return nil
}

// remember stores what is about to be changed. Of two runs that do so at the same
// time, at least one finds the record of the other, forgets its own and changes
// nothing.
func (r *run) remember(ctx context.Context, add func(*changes)) error {
	next := r.changes
	add(&next)
	if err := r.store(ctx, next); err != nil {
		return err
	}
	if err := r.alone(ctx); err != nil {
		return errors.Join(err, r.store(ctx, r.changes))
	}
	r.changes = next
	return nil
}

// forget stores that something has been set back, so that nobody's value is taken
// for the run's own from now on.
func (r *run) forget(ctx context.Context, remove func(*changes)) error {
	remove(&r.changes)
	return r.store(ctx, r.changes)
}

// store writes the record.
func (r *run) store(ctx context.Context, c changes) error {
	if r.noNamespace != nil {
		return r.noNamespace
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	key := r.recordKey()
	record := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name, Labels: map[string]string{LabelRun: r.Run, LabelRecord: "true"}},
		Data:       map[string]string{recordKey: string(data)},
	}
	err = r.try(ctx, func(ctx context.Context) error { return r.client.Create(ctx, record) })
	if apierrors.IsAlreadyExists(err) {
		var stored *corev1.ConfigMap
		if stored, _, err = r.recall(ctx); err == nil && stored != nil {
			stored.Data = record.Data
			err = r.try(ctx, func(ctx context.Context) error { return r.client.Update(ctx, stored) })
		}
	}
	if err != nil {
		return fmt.Errorf("the record of what is to be set back: %w", err)
	}
	return nil
}

// recall reads the record. None is no error.
func (r *run) recall(ctx context.Context) (*corev1.ConfigMap, changes, error) {
	var c changes
	record := &corev1.ConfigMap{}
	err := r.try(ctx, func(ctx context.Context) error { return r.client.Get(ctx, r.recordKey(), record) })
	if apierrors.IsNotFound(err) {
		return nil, c, nil
	}
	if err != nil {
		return nil, c, err
	}
	if record.Labels[LabelRun] != r.Run {
		return nil, c, missing(fmt.Sprintf("configmaps[%s] does not have the label of run %s: it is left alone", record.Name, r.Run))
	}
	if err := json.Unmarshal([]byte(record.Data[recordKey]), &c); err != nil {
		return nil, c, fmt.Errorf("configmaps[%s]: %w", record.Name, err)
	}
	return record, c, nil
}
