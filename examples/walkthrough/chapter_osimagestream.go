package main

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// singletonKey is where the OSImageStream is stored.
var singletonKey = key(mcfgv1.GroupName, "osimagestreams", osimagestream.Name)

// osImageStreams installs an OKD cluster, which has one stream, and an OCP
// cluster, which has two, and leads both over releases that lack a stream.
func osImageStreams(ctx context.Context, w *world) error {
	return errors.Join(okdStreams(ctx, w), ocpStreams(ctx, w))
}

// namePool writes a pool's stream as a user would, with another edit beside it.
func (c *osCluster) namePool(ctx context.Context, name, stream string) error {
	return change(ctx, c.w, pool(name), func(p *mcfgv1.MachineConfigPool) {
		p.Spec.OSImageStream.Name = stream
		p.Spec.Paused = !p.Spec.Paused
	})
}

// said is how a write was answered.
func said(err error) string {
	switch {
	case err == nil:
		return "accepted"
	case apierrors.IsInvalid(err):
		return "refused"
	}
	return err.Error()
}
