package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"
)

// scheduled pushes an image anew under the tag that a scheduled one is from.
func (c *importsChapter) scheduled(ctx context.Context) {
	c.w.step("A scheduled tag picks up a new push", func(s *step) error {
		first, err := c.publish(ctx, "app", "nightly", "Monday", "amd64", "arm64")
		if err != nil {
			return err
		}
		tag := c.tag("app", "nightly", "nightly")
		tag.ImportPolicy.Scheduled = true
		if err := c.addTag(ctx, "app", tag); err != nil {
			return err
		}
		s.eventually(ctx, "app:nightly", c.holds("app:nightly"), "a list for amd64, arm64; runs on amd64, arm64")
		s.eventually(ctx, "its events, newest first", c.events("nightly"), []string{first})
		second, err := c.publish(ctx, "app", "nightly", "Tuesday", "amd64", "arm64")
		if err != nil {
			return err
		}
		s.note("nobody asks for an import")
		s.eventually(ctx, "its events, newest first", c.events("nightly"), []string{second, first})
		return nil
	})
}

// registryOutage takes the registry away and gives it back.
func (c *importsChapter) registryOutage(ctx context.Context) {
	if _, err := c.publish(ctx, "app", "late", "late", "amd64", "arm64"); err != nil {
		c.w.step("An image is pushed", func(*step) error { return err })
		return
	}
	var before any
	c.w.step("The registry is out of order: imports fail, and no image is lost", func(s *step) (err error) {
		if before, err = c.events("nightly")(ctx); err != nil {
			return err
		}
		c.down.Store(true)
		if err := c.addTag(ctx, "app", c.tag("app", "late", "late")); err != nil {
			return err
		}
		s.eventually(ctx, "app:late, which is new: condition", c.failure("late"), "InternalError")
		s.eventually(ctx, "app:nightly, which is scheduled: condition", c.failure("nightly"), "InternalError")
		after, err := c.events("nightly")(ctx)
		if err != nil {
			return err
		}
		s.expect("app:nightly keeps its events", after, before)
		s.eventually(ctx, "app:nightly", c.holds("app:nightly"), "a list for amd64, arm64; runs on amd64, arm64")
		return nil
	})
	c.w.step("The registry is back: what is scheduled recovers, the rest is asked for", func(s *step) error {
		c.down.Store(false)
		s.eventually(ctx, "app:nightly: condition", c.failure("nightly"), "none")
		late, err := c.failure("late")(ctx)
		if err != nil {
			return err
		}
		s.expect("app:late: condition, as a failure is tried once", late, any("InternalError"))
		s.note("oc tag asks for the import of app:late once more")
		err = change(ctx, c.w, &imagev1.ImageStream{ObjectMeta: inNamespace("app")}, func(is *imagev1.ImageStream) {
			for i := range is.Spec.Tags {
				if is.Spec.Tags[i].Name == "late" {
					is.Spec.Tags[i].Generation = new(int64(0))
				}
			}
		})
		if err != nil {
			return err
		}
		s.eventually(ctx, "app:late", c.holds("app:late"), "a list for amd64, arm64; runs on amd64, arm64")
		s.eventually(ctx, "app:late: condition", c.failure("late"), "none")
		return nil
	})
}

func inNamespace(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}
