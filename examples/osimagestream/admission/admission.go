// Package admission enforces, where users write machine config pools, what
// osimagestream.ValidatePool says of a pool's stream.
package admission

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// Stored returns the OSImageStream as it is stored, nil if there is none.
type Stored func(context.Context) (*mcfgv1.OSImageStream, error)

// PoolStreams is an admission plugin.
type PoolStreams struct {
	*admission.Handler
	stored Stored
}

var _ admission.ValidationInterface = &PoolStreams{}

// New returns the plugin. It reads the OSImageStream only for writes that name a
// stream, so a cluster without one can go on writing pools.
func New(stored Stored) *PoolStreams {
	return &PoolStreams{Handler: admission.NewHandler(admission.Create, admission.Update), stored: stored}
}

// Validate judges a write to a machine config pool, and lets all others pass.
func (p *PoolStreams) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if a.GetResource().GroupResource() != (schema.GroupResource{Group: mcfgv1.GroupName, Resource: "machineconfigpools"}) || a.GetSubresource() != "" {
		return nil
	}
	pool, err := toPool(a.GetObject())
	if err != nil {
		return err
	}
	if pool.Spec.OSImageStream.Name == "" {
		return nil
	}
	var old *mcfgv1.MachineConfigPool
	if a.GetOperation() == admission.Update {
		if old, err = toPool(a.GetOldObject()); err != nil {
			return err
		}
	}
	stored, err := p.stored(ctx)
	if err != nil {
		return fmt.Errorf("reading the OSImageStream: %w", err)
	}
	if problems := osimagestream.ValidatePool(pool, old, stored); len(problems) > 0 {
		return errors.NewInvalid(a.GetKind().GroupKind(), a.GetName(), problems)
	}
	return nil
}

// toPool converts what the handler of custom resources has.
func toPool(o runtime.Object) (*mcfgv1.MachineConfigPool, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("a machine config pool of type %T", o)
	}
	pool := new(mcfgv1.MachineConfigPool)
	return pool, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, pool)
}
