package main

import (
	"context"
	"strings"

	"github.com/polyarch/polyarch/osimagestream"
)

// streamAdded offers what OKD, with one stream, does not take.
func (c *okdChapter) streamAdded(ctx context.Context) {
	c.w.step("The next payload has two streams, and the registry refuses one of its images", func(s *step) error {
		centos11, err := c.push("stream-coreos", "centos-11", "5.0.3")
		if err != nil {
			return err
		}
		centos12, err := c.push("centos-12-coreos", "centos-12", "5.0.3")
		if err != nil {
			return err
		}
		half, err := c.push("centos-13-coreos", "centos-13", "5.0.3")
		if err != nil {
			return err
		}
		delete(half, "centos-13-coreos-extensions")
		if err := c.publish(newOSRelease("5.0.3"), centos11, centos12, half); err != nil {
			return err
		}
		_, digest, _ := strings.Cut(centos11["stream-coreos"], "@")
		c.refused.Store(&digest)
		if err := c.update(ctx, newOSRelease("5.0.3")); err != nil {
			return err
		}
		s.eventually(ctx, "it is reported that not all was seen", c.reported(osimagestream.FindingIncomplete), true)
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "centos-12 does not take its place", c.singleton, "spec centos-11, status centos-11, offers centos-11")
		s.eventually(ctx, "the pools run", c.runs,
			"master centos-11 of 5.0.2 (Default); worker centos-11 of 5.0.2 (Default); infra centos-11 of 5.0.2 (Default)")
		return nil
	})
	c.w.step("It hands out the image: a further stream, and a pair that lacks a half", func(s *step) error {
		c.refused.Store(nil)
		s.eventually(ctx, "the pools run", c.runs,
			"master centos-11 of 5.0.3 (Default); worker centos-11 of 5.0.3 (Default); infra centos-11 of 5.0.3 (Default)")
		s.eventually(ctx, "still one stream, the one that spec names", c.singleton, "spec centos-11, status centos-11, offers centos-11")
		s.eventually(ctx, "decided by", c.decided(newOSRelease("5.0.3"), "centos-11"), string(osimagestream.ReasonSpec))
		s.eventually(ctx, "the further stream is reported", c.reported(osimagestream.FindingNotOffered), true)
		s.eventually(ctx, "the incomplete pair is reported", c.reported(osimagestream.FindingIncompletePair), true)
		return nil
	})
}
