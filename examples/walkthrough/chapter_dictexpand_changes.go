package main

import (
	"context"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// offAndOn switches between one cron as written and one per architecture.
func (c *bootSourceChapter) offAndOn(ctx context.Context) {
	c.w.step("Multiple architectures off while CDI cannot import, and on again", func(s *step) error {
		watch := c.watchBoots(ctx, "rhel10")
		defer watch.stop()
		if err := c.imports(ctx, ""); err != nil {
			return err
		}
		if err := c.write(ctx, false, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "off: the cron whose image is in use stays", c.crons(story), "as written, amd64")
		s.eventually(ctx, "decided by", c.outcomes, story+" "+string(dictexpand.ReasonMultiArchOff))
		s.eventually(ctx, "off: until there is another one, boots", c.boots("rhel10"), "rhel10-amd64-1111")
		if err := c.imports(ctx, "1111"); err != nil {
			return err
		}
		s.note("CDI can import again")
		s.eventually(ctx, "off: boots", c.boots("rhel10"), "rhel10-1111")
		s.eventually(ctx, "off: one cron as written", c.crons(story), "as written")
		if err := c.write(ctx, true, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "on: no other cron is left over", c.crons(story), both)
		s.eventually(ctx, "decided by", c.outcomes, perArchitecture)
		s.eventually(ctx, "on: boots", c.boots("rhel10"), "rhel10-amd64-1111")
		s.eventually(ctx, "condition", c.condition, asExpected)
		s.expect("moments at which nothing could be booted from", watch.end(), "none")
		c.steps(s)
		return nil
	})
}

// scheduleChanged makes a change that takes a new cron.
func (c *bootSourceChapter) scheduleChanged(ctx context.Context) {
	c.w.step("The schedule changes, and CDI admits no change of a spec", func(s *step) error {
		cron := key(cdiv1beta1.SchemeGroupVersion.Group, "dataimportcrons", ssp.GoldenImages, "rhel10-image-cron-amd64")
		since := c.w.mustStored(ctx, s, cron).Revision
		daily := rhel10("amd64,arm64")
		daily.Spec.Schedule = "0 0 * * *"
		if err := c.write(ctx, true, daily); err != nil {
			return err
		}
		s.eventually(ctx, "what etcd saw", func(ctx context.Context) (any, error) {
			return c.w.history(ctx, cron, since, schedules)
		}, []string{"0 */12 * * *", "deleted", "0 0 * * *"})
		s.eventually(ctx, "crons", c.crons(story), both)
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		before, err := c.w.stored(ctx, cron)
		if err != nil {
			return err
		}
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		s.expect("and then nothing more is written", c.w.mustStored(ctx, s, cron).Revision == before.Revision, true)
		c.steps(s)
		return nil
	})
}
