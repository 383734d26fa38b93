package main

import (
	"context"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// offAndOn switches between one cron as written and one per architecture.
func (c *bootSourceChapter) offAndOn(ctx context.Context) {
	c.w.step("Multiple architectures off, and on again", func(s *step) error {
		if err := c.write(ctx, false, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "off: one cron as written", c.crons, "rhel10-image-cron → rhel10")
		s.eventually(ctx, "decided by", c.outcomes, "rhel10-image-cron "+string(dictexpand.ReasonMultiArchOff))
		s.eventually(ctx, "off: CDI takes over; until it has imported, all boots", c.dataSources, "rhel10 → rhel10-amd64 (of rhel10-image-cron)")
		if err := c.write(ctx, true, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "on: no cron is left over", c.crons, bothCrons)
		s.eventually(ctx, "decided by", c.outcomes, perArchitecture)
		s.eventually(ctx, "on: nor a label", c.dataSources, "rhel10 → rhel10-amd64")
		s.eventually(ctx, "condition", c.condition, asExpected)
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
		s.eventually(ctx, "what etcd saw: delete, create", func(ctx context.Context) (any, error) {
			return c.w.history(ctx, cron, since, schedules)
		}, []string{"deleted", "0 0 * * *"})
		s.eventually(ctx, "crons", c.crons, bothCrons)
		before, err := c.w.stored(ctx, cron)
		if err != nil {
			return err
		}
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		s.expect("and then nothing more is written", c.w.mustStored(ctx, s, cron).Revision, before.Revision)
		return nil
	})
}
