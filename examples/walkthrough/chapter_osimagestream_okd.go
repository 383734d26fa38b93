package main

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// An okdChapter is the story of OKD, which has one stream.
type okdChapter struct {
	*osCluster
	since int64 // the revision of the singleton when the cluster was installed
}

// okdStreams tells the parts of the chapter that play on OKD.
func okdStreams(ctx context.Context, w *world) (err error) {
	os, err := newOSCluster(ctx, w, osimagestream.OKD, "5.0.1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.close(ctx)) }()

	c := &okdChapter{osCluster: os}
	c.install(ctx)
	c.streamRenamed(ctx)
	c.streamAdded(ctx)
	c.singletonMissing(ctx)
	return nil
}

// install makes the object, whose status cannot be written with it.
func (c *okdChapter) install(ctx context.Context) {
	c.w.step("OKD is installed: one tuple", func(s *step) error {
		centos10, err := c.push("stream-coreos", "centos-10", "5.0.1")
		if err != nil {
			return err
		}
		if err := c.publish(newOSRelease("5.0.1"), centos10); err != nil {
			return err
		}
		if err := c.update(ctx, newOSRelease("5.0.1")); err != nil {
			return err
		}
		s.eventually(ctx, "the OSImageStream", c.singleton, "spec centos-10, status centos-10, offers centos-10")
		s.eventually(ctx, "decided by", c.decided(newOSRelease("5.0.1"), "centos-10"), string(osimagestream.ReasonSole))
		s.eventually(ctx, "the pools run", c.runs,
			"master centos-10 of 5.0.1 (Default); worker centos-10 of 5.0.1 (Default); infra centos-10 of 5.0.1 (Default)")
		writes, err := c.w.history(ctx, singletonKey, 0, defaults)
		if err != nil {
			return err
		}
		s.expect("writes: the object, its status, its annotations", writes,
			[]string{"spec centos-10, status empty", "spec centos-10, status centos-10", "spec centos-10, status centos-10, build of 5.0.1"})
		c.since = c.w.mustStored(ctx, s, singletonKey).Revision
		return nil
	})
}

// streamRenamed leaves spec naming a stream that the payload does not hold.
func (c *okdChapter) streamRenamed(ctx context.Context) {
	c.w.step("The next payload's only stream has a new name", func(s *step) error {
		centos11, err := c.push("stream-coreos", "centos-11", "5.0.2")
		if err != nil {
			return err
		}
		if err := c.publish(newOSRelease("5.0.2"), centos11); err != nil {
			return err
		}
		if err := c.update(ctx, newOSRelease("5.0.2")); err != nil {
			return err
		}
		s.eventually(ctx, "the OSImageStream", c.singleton, "spec centos-11, status centos-11, offers centos-11")
		s.eventually(ctx, "decided by", c.decided(newOSRelease("5.0.2"), "centos-11"), string(osimagestream.ReasonAdvanced))
		s.eventually(ctx, "the pools run", c.runs,
			"master centos-11 of 5.0.2 (Default); worker centos-11 of 5.0.2 (Default); infra centos-11 of 5.0.2 (Default)")
		writes, err := c.w.history(ctx, singletonKey, c.since, defaults)
		if err != nil {
			return err
		}
		s.expect("writes: status, then spec and annotations", writes, []string{"spec centos-10, status centos-11, build of 5.0.1", "spec centos-11, status centos-11, build of 5.0.2"})
		o := &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}
		err = change(ctx, c.w, o, func(o *mcfgv1.OSImageStream) { o.Spec.DefaultStream = "centos-10" })
		s.expect("a user who wants the old stream back", said(err), "refused")
		return nil
	})
}

// singletonMissing must not deny writes of pools that name no stream.
func (c *okdChapter) singletonMissing(ctx context.Context) {
	c.w.step("The singleton is missing, and nobody makes it anew", func(s *step) error {
		if err := c.stop(); err != nil {
			return err
		}
		c.stop = func() error { return nil }
		if err := c.w.client.Delete(ctx, &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}); err != nil {
			return err
		}
		s.expect("edit of a pool without a stream", said(c.namePool(ctx, "worker", "")), "accepted")
		s.expect("new pool without a stream", said(c.w.client.Create(ctx, pool("another"))), "accepted")
		s.expect("edit that names a stream", said(c.namePool(ctx, "worker", "centos-11")), "refused")
		return client.IgnoreNotFound(c.w.client.Delete(ctx, pool("another")))
	})
}
