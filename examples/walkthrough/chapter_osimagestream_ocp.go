package main

import (
	"context"
	"errors"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// An ocpChapter is the story of OCP, which has several streams.
type ocpChapter struct{ *osCluster }

// ocpStreams tells the parts of the chapter that play on OCP.
func ocpStreams(ctx context.Context, w *world) (err error) {
	os, err := newOSCluster(ctx, w, osimagestream.OCP, "4.18.0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.close(ctx)) }()

	c := &ocpChapter{os}
	c.firstStreams(ctx)
	c.poolChooses(ctx)
	c.defaultRetired(ctx)
	c.userChooses(ctx)
	c.poolOfRetiredStream(ctx)
	return nil
}

// firstStreams takes the default from the version the cluster was installed with.
func (c *ocpChapter) firstStreams(ctx context.Context) {
	c.w.step("OCP, installed as 4.18, gets its first release of two streams", func(s *step) error {
		rhel9, err := c.push("rhel-coreos", "rhel-9", "5.0.1")
		if err != nil {
			return err
		}
		rhel10, err := c.push("rhel-coreos-10", "rhel-10", "5.0.1")
		if err != nil {
			return err
		}
		if err := c.publish(newOSRelease("5.0.1"), rhel9, rhel10); err != nil {
			return err
		}
		if err := c.update(ctx, newOSRelease("5.0.1")); err != nil {
			return err
		}
		s.eventually(ctx, "the OSImageStream", c.singleton, "spec rhel-9, status rhel-9, offers rhel-10 rhel-9")
		s.eventually(ctx, "decided by", c.decided(newOSRelease("5.0.1"), "rhel-9"), string(osimagestream.ReasonBuiltIn))
		s.eventually(ctx, "the pools run", c.runs,
			"master rhel-9 of 5.0.1 (Default); worker rhel-9 of 5.0.1 (Default); infra rhel-9 of 5.0.1 (Default)")
		return nil
	})
}

// poolChooses names streams in pools, and the custom pool inherits.
func (c *ocpChapter) poolChooses(ctx context.Context) {
	c.w.step("The worker pool names the other stream", func(s *step) error {
		s.expect("edit of the pool", said(c.namePool(ctx, "worker", "rhel-10")), "accepted")
		s.eventually(ctx, "the custom pool infra inherits, master does not", c.runs,
			"master rhel-9 of 5.0.1 (Default); worker rhel-10 of 5.0.1 (Own); infra rhel-10 of 5.0.1 (Worker)")
		s.expect("edit that names a stream which is not offered", said(c.namePool(ctx, "worker", "rhel-8")), "refused")
		s.expect("infra names its own", said(c.namePool(ctx, "infra", "rhel-9")), "accepted")
		s.eventually(ctx, "own before the worker's", c.runs,
			"master rhel-9 of 5.0.1 (Default); worker rhel-10 of 5.0.1 (Own); infra rhel-9 of 5.0.1 (Own)")
		return nil
	})
}

// defaultRetired takes the default out of the payload.
func (c *ocpChapter) defaultRetired(ctx context.Context) {
	c.w.step("The next release has no rhel-9, which is the default", func(s *step) error {
		rhel10, err := c.push("rhel-coreos-10", "rhel-10", "5.0.2")
		if err != nil {
			return err
		}
		rhel11, err := c.push("rhel-coreos-11", "rhel-11", "5.0.2")
		if err != nil {
			return err
		}
		if err := c.publish(newOSRelease("5.0.2"), rhel10, rhel11); err != nil {
			return err
		}
		if err := c.update(ctx, newOSRelease("5.0.2")); err != nil {
			return err
		}
		s.eventually(ctx, "the choices are there, the default is as it was", c.singleton, "spec rhel-9, status rhel-9, offers rhel-10 rhel-11 rhel-9")
		s.eventually(ctx, "decided by", c.decided(newOSRelease("5.0.2"), ""), string(osimagestream.ReasonNotOffered))
		s.eventually(ctx, "that is reported", c.reported(osimagestream.FindingRetiredKept), true)
		if err := c.w.settle(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "nothing moves before somebody chooses", c.runs,
			"master rhel-9 of 5.0.1 (Default); worker rhel-10 of 5.0.1 (Own); infra rhel-9 of 5.0.1 (Own)")
		return nil
	})
}

// userChooses another default, which ends the waiting.
func (c *ocpChapter) userChooses(ctx context.Context) {
	c.w.step("A user chooses rhel-10 as the default", func(s *step) error {
		o := &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}
		err := change(ctx, c.w, o, func(o *mcfgv1.OSImageStream) { o.Spec.DefaultStream = "rhel-10" })
		s.expect("edit of spec.defaultStream", said(err), "accepted")
		s.eventually(ctx, "the OSImageStream", c.singleton, "spec rhel-10, status rhel-10, offers rhel-10 rhel-11")
		s.eventually(ctx, "decided by", c.decided(newOSRelease("5.0.2"), "rhel-10"), string(osimagestream.ReasonSpec))
		s.eventually(ctx, "infra names a retired stream: no other takes its place", c.runs,
			"master rhel-10 of 5.0.2 (Default); worker rhel-10 of 5.0.2 (Own); infra rhel-9 of 5.0.1 (Own, degraded: StreamNotOffered)")
		return nil
	})
}

// poolOfRetiredStream can still be edited, and moved.
func (c *ocpChapter) poolOfRetiredStream(ctx context.Context) {
	c.w.step("The pool that names a retired stream is edited", func(s *step) error {
		s.expect("an edit of something else", said(c.namePool(ctx, "infra", "rhel-9")), "accepted")
		s.expect("an edit to another retired stream", said(c.namePool(ctx, "infra", "rhel-8")), "refused")
		s.expect("an edit to a stream that is offered", said(c.namePool(ctx, "infra", "rhel-11")), "accepted")
		s.eventually(ctx, "the pools run", c.runs,
			"master rhel-10 of 5.0.2 (Default); worker rhel-10 of 5.0.2 (Own); infra rhel-11 of 5.0.2 (Own)")
		return nil
	})
}
