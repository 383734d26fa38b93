package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/ssp/admission"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
)

// unretained is the template of the story, whose images go with its crons.
func unretained(name string) dictexpand.Template {
	t := dict(name, "rhel10", "amd64,arm64")
	t.Spec.RetentionPolicy = new(cdiv1beta1.DataImportCronRetainNone)
	return t
}

// typo is one that only CDI can see, in a template whose crons run.
func (c *bootSourceChapter) typo(ctx context.Context) {
	c.w.step("A typo in a live template whose images go with its crons", func(s *step) error {
		if err := c.write(ctx, true, unretained(story)); err != nil {
			return err
		}
		s.eventually(ctx, "the images go with the crons from now on", c.retained, "None")
		s.eventually(ctx, "boots", c.boots("rhel10"), "rhel10-amd64-1111")
		s.eventually(ctx, "condition", c.condition, asExpected)
		before, err := c.uid(ctx, "rhel10-image-cron-amd64")
		if err != nil {
			return err
		}
		c.steps(s)

		typo := unretained(story)
		typo.Spec.Schedule = "TZ=Europe/Atlantis 0 0 * * *"
		s.note("the schedule is %q now", typo.Spec.Schedule)
		if err := c.write(ctx, true, typo); err != nil {
			return err
		}
		s.eventually(ctx, "condition", c.condition, "False "+ssp.ReasonRefused)
		s.eventually(ctx, "an event says that CDI refused it in the dry run", c.told("FieldValueForbidden", admission.Webhook), true)
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		now, err := c.uid(ctx, "rhel10-image-cron-amd64")
		s.expect("the cron that runs is the same object", now == before, true)
		s.eventually(ctx, "and its image is there", c.boots("rhel10"), "rhel10-amd64-1111")
		c.steps(s)
		return err
	})
}

// rename gives the template another name, so that other crons take over its
// DataSources.
func (c *bootSourceChapter) rename(ctx context.Context) {
	c.w.step("The template is renamed, and its images go with its crons", func(s *step) error {
		watch := c.watchBoots(ctx, "rhel10")
		defer watch.stop()
		if err := c.write(ctx, true, unretained("rhel10-import")); err != nil {
			return err
		}
		s.eventually(ctx, "new crons", c.crons("rhel10-import"), both)
		s.eventually(ctx, "who updates the DataSource", c.updatedBy("rhel10-amd64"), "rhel10-import-amd64")
		s.eventually(ctx, "old crons, as long as the only image is theirs", c.crons(story), both)
		if err := c.imports(ctx, "2222"); err != nil {
			return err
		}
		s.note("there is a new image")
		s.eventually(ctx, "boots", c.boots("rhel10"), "rhel10-amd64-2222")
		s.eventually(ctx, "old crons", c.crons(story), "none")
		s.eventually(ctx, "condition", c.condition, asExpected)
		s.expect("moments at which nothing could be booted from", watch.end(), "none")
		c.steps(s)
		return nil
	})
}

// sspDeleted deletes the SSP object, and with it what was made for it.
func (c *bootSourceChapter) sspDeleted(ctx context.Context) {
	c.w.step("The SSP object is deleted", func(s *step) error {
		if err := c.w.client.Delete(ctx, c.ssp()); err != nil {
			return err
		}
		if err := c.gone(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "crons, when it is gone", c.crons("rhel10-import"), "none")
		s.eventually(ctx, "boots", c.boots("rhel10"), nothing)
		c.steps(s)
		return nil
	})
}

// retained is the retention policy of the crons.
func (c *bootSourceChapter) retained(ctx context.Context) (any, error) {
	var cron cdiv1beta1.DataImportCron
	err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: "rhel10-image-cron-amd64"}, &cron)
	if err != nil || cron.Spec.RetentionPolicy == nil {
		return "All", err
	}
	return string(*cron.Spec.RetentionPolicy), nil
}
