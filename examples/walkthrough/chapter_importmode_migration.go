package main

import (
	"context"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// migration changes the payload, and no image stream.
func (c *importModeChapter) migration(ctx context.Context) {
	c.w.step("The cluster migrates to the multi payload of the same version", func(s *step) error {
		before, rollouts := c.w.mustStored(ctx, s, oldKey), c.rollouts.Load()
		if err := c.migrate(ctx); err != nil {
			return err
		}
		s.note("the operator of the old release takes up the update; then the new release's own operator starts")
		s.eventually(ctx, "architecture reported", c.architecture, configv1.ClusterVersionArchitectureMulti)
		if err := c.startCVO(ctx, multi420); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(multi420, configv1.ImportModePreserveOriginal),
			because(payloadarch.ReasonReported, importmode.ReasonMultiPayload, importmode.ReasonObserved))
		s.expect("rollouts of the apiserver because of the migration", c.rollouts.Load()-rollouts, int64(1))
		s.expect("stream old in storage is byte for byte what it was", c.w.mustStored(ctx, s, oldKey) == before, true)
		return c.ancientAsEver(ctx, s)
	})
}

// streamsAfterMigration writes old and new streams with and without new tags.
func (c *importModeChapter) streamsAfterMigration(ctx context.Context) {
	c.w.step("The manifests of both old streams are applied again, without modes", func(s *step) error {
		before := c.w.mustStored(ctx, s, oldKey)
		if err := c.w.apply(ctx, s, stream("old", "latest", "v1"), "latest Legacy (Stored), v1 Legacy (Stored)"); err != nil {
			return err
		}
		if err := c.w.apply(ctx, s, stream("ancient", "latest", "v1"), "latest empty (StoredEmpty), v1 empty (StoredEmpty)"); err != nil {
			return err
		}
		s.expect("stream old in storage is byte for byte what it was", c.w.mustStored(ctx, s, oldKey) == before, true)
		return c.ancientAsEver(ctx, s)
	})

	c.w.step("A new stream, and a new tag on the old stream", func(s *step) error {
		if err := c.w.apply(ctx, s, stream("new", "latest"), "latest PreserveOriginal (ClusterMode)"); err != nil {
			return err
		}
		return c.w.apply(ctx, s, stream("old", "latest", "v1", "v2"),
			"latest Legacy (Stored), v1 Legacy (Stored), v2 PreserveOriginal (ClusterMode)")
	})
}

// wayBack migrates back, which is harder to tell from a payload not yet known.
func (c *importModeChapter) wayBack(ctx context.Context) {
	c.w.step("The cluster goes back to the single-architecture payload", func(s *step) error {
		rollouts := c.rollouts.Load()
		since := c.w.mustStored(ctx, s, imageKey).Revision
		if err := c.update(ctx, single420); err != nil {
			return err
		}
		s.eventually(ctx, "the update is under way: architecture, history", c.reported, "empty, Partial")
		s.note("an empty architecture says nothing yet: the mode stays")
		s.eventually(ctx, "decided by", c.reasons,
			because(payloadarch.ReasonUpdating, importmode.ReasonPayloadUnknown, importmode.ReasonObserved))
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		at, err := c.hops(ctx)
		if err != nil {
			return err
		}
		s.expect("status while the update is under way", at.(hops).Status, configv1.ImportModePreserveOriginal)
		if err := c.startCVO(ctx, single420); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(single420, configv1.ImportModeLegacy),
			because(payloadarch.ReasonSettled, importmode.ReasonSinglePayload, importmode.ReasonObserved))
		values, err := c.w.history(ctx, imageKey, since, statusMode)
		if err != nil {
			return err
		}
		s.expect("modes that the status held since", values, []string{"Legacy"})
		s.expect("rollouts of the apiserver", c.rollouts.Load()-rollouts, int64(1))
		if err := c.w.expectModes(ctx, s, "new", "latest PreserveOriginal"); err != nil {
			return err
		}
		return c.ancientAsEver(ctx, s)
	})
}
