package main

import (
	"context"
	"strings"

	"github.com/polyarch/polyarch/dictexpand"
)

// nameTooLong blocks one template, and that one only.
func (c *bootSourceChapter) nameTooLong(ctx context.Context) {
	c.w.step("A template with a name of 60 characters beside it", func(s *step) error {
		long := strings.Repeat("long-", 12)[:59] + "r"
		if err := c.write(ctx, true, rhel10("amd64,arm64"), dict(long, "centos", "amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "the other template's crons", c.crons(story), both)
		s.eventually(ctx, "decided by", c.outcomes, perArchitecture+", "+long+" "+string(dictexpand.ReasonInvalid))
		s.eventually(ctx, "condition", c.condition, "False TemplatesBlocked")
		s.eventually(ctx, "an event says how long it may be", c.told("FieldValueTooLong", "57 bytes"), true)
		c.steps(s)
		return nil
	})
}

// fight is between two templates, of which none may lose what it has.
func (c *bootSourceChapter) fight(ctx context.Context) {
	c.w.step("Two templates fight for one DataSource", func(s *step) error {
		first, err := c.uid(ctx, "rhel10-image-cron-amd64")
		if err != nil {
			return err
		}
		if err := c.write(ctx, true, rhel10("amd64,arm64"), dict("mine", "rhel10", "amd64"), dict("fedora", "fedora", "arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "a third one beside them is made", c.crons("fedora"), "arm64")
		s.eventually(ctx, "nothing of the second", c.crons("mine"), "none")
		s.eventually(ctx, "nothing of the first is lost", c.crons(story), both)
		s.eventually(ctx, "decided by", c.outcomes, story+" Conflict, mine Conflict, fedora PerArchitecture")
		s.eventually(ctx, "condition", c.condition, "False TemplatesBlocked")
		s.eventually(ctx, "an event names the one", c.told("FieldValueDuplicate", `"mine"`), true)
		s.eventually(ctx, "and the other", c.told("FieldValueDuplicate", `"rhel10-image-cron"`), true)
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		now, err := c.uid(ctx, "rhel10-image-cron-amd64")
		s.expect("the live cron of the first is the same object", now == first, true)
		c.steps(s)
		return err
	})
}
