package main

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// singlePayload is a cluster that was never anything but single.
func (c *importModeChapter) singlePayload(ctx context.Context) {
	c.w.step("A cluster is installed with a single-architecture payload", func(s *step) error {
		c.expectHops(ctx, s, allHops, settled(single420, configv1.ImportModeLegacy),
			because(payloadarch.ReasonSettled, importmode.ReasonSinglePayload, importmode.ReasonObserved))
		return nil
	})

	c.w.step("An image stream is made; its manifest names no mode", func(s *step) error {
		return c.w.apply(ctx, s, stream("old", "latest", "v1"), "latest Legacy (ClusterMode), v1 Legacy (ClusterMode)")
	})
}

// ancientStream stores what the migration must not touch.
func (c *importModeChapter) ancientStream(ctx context.Context) {
	c.w.step("A stream is stored with empty modes, as streams were before 4.12", func(s *step) error {
		if err := c.w.client.Create(ctx, stream("ancient", "latest", "v1")); err != nil {
			return err
		}
		err := c.w.rewrite(ctx, ancientKey, withoutModes)
		if err != nil {
			return err
		}
		if c.ancient, err = c.w.stored(ctx, ancientKey); err != nil {
			return err
		}
		return c.ancientAsEver(ctx, s)
	})
}

// ancientAsEver is expected after whatever happens to the cluster.
func (c *importModeChapter) ancientAsEver(ctx context.Context, s *step) error {
	now, err := c.w.stored(ctx, ancientKey)
	if err != nil {
		return err
	}
	s.expect("stream ancient in storage is byte for byte what it was", now == c.ancient, true)
	var is imagev1.ImageStream
	if err := c.w.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "ancient"}, &is); err != nil {
		return err
	}
	s.expect("stream ancient reads", fmt.Sprintf("%s; generation %d", modes(&is), is.Generation), "latest empty, v1 empty; generation 1")
	return nil
}
