package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// nothing is what a machine boots from that finds no image.
const nothing = "nothing"

// boots is the image that a machine finds under the name of a DataSource.
func (c *virtCluster) boots(name string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		found, _, err := c.image(ctx, name)
		return found, err
	}
}

// updatedBy is the cron that CDI lets update a DataSource.
func (c *virtCluster) updatedBy(name string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var ds cdiv1beta1.DataSource
		err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: name}, &ds)
		return ds.Labels[dictexpand.LabelDataImportCron], err
	}
}

// image follows a DataSource to its image. way is every version that it came by.
func (c *virtCluster) image(ctx context.Context, name string) (found, way string, err error) {
	for range 2 {
		var ds cdiv1beta1.DataSource
		if err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: name}, &ds); err != nil {
			return nothing, way, client.IgnoreNotFound(err)
		}
		way += name + "@" + ds.ResourceVersion + " "
		if to := ds.Spec.Source.DataSource; to != nil {
			name = to.Name
			continue
		}
		if ds.Spec.Source.PVC == nil {
			return nothing, way, nil
		}
		var claim corev1.PersistentVolumeClaim
		err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: ds.Spec.Source.PVC.Name}, &claim)
		if apierrors.IsNotFound(err) {
			return nothing, way, nil
		}
		return claim.Name, way, err
	}
	return nothing, way, nil
}

// A bootWatch looks all the time whether an image is to be found.
type bootWatch struct {
	stop   context.CancelFunc
	missed chan string
}

// watchBoots begins to look.
func (c *virtCluster) watchBoots(ctx context.Context, name string) *bootWatch {
	ctx, cancel := context.WithCancel(ctx)
	b := &bootWatch{cancel, make(chan string, 1)}
	go func() {
		missed, last := "", ""
		for ctx.Err() == nil && missed == "" {
			found, way, err := c.image(ctx, name)
			switch {
			case errors.Is(err, context.Canceled):
			case err != nil:
				missed = err.Error()
			case found != nothing:
				last = ""
			case way == last: // seen twice, so it did not change under our eyes
				missed = name + " leads nowhere, by " + way
			default:
				last = way
			}
			time.Sleep(2 * time.Millisecond)
		}
		b.missed <- missed
	}()
	return b
}

// end returns what was missed, "none" if an image was there all the time.
func (b *bootWatch) end() string {
	b.stop()
	return cmp.Or(<-b.missed, "none")
}
