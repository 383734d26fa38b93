package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// osImageStreams installs an OKD cluster, which has one stream, and an OCP
// cluster, which has two, and leads both over releases that lack a stream.
func osImageStreams(ctx context.Context, w *world) error {
	return errors.Join(okdStreams(ctx, w), ocpStreams(ctx, w))
}

// namePool writes a pool's stream as a user would, with another edit beside it.
func (c *osCluster) namePool(ctx context.Context, name, stream string) error {
	return change(ctx, c.w, pool(name), func(p *mcfgv1.MachineConfigPool) {
		p.Spec.OSImageStream.Name = stream
		p.Spec.Paused = !p.Spec.Paused
	})
}

// said is how a write was answered.
func said(err error) string {
	switch {
	case err == nil:
		return "accepted"
	case apierrors.IsInvalid(err):
		return "refused"
	}
	return err.Error()
}

// defaults reads "spec / status" out of a stored OSImageStream.
func defaults(stored []byte) (string, error) {
	var o mcfgv1.OSImageStream
	err := json.Unmarshal(stored, &o)
	return fmt.Sprintf("%s / %s", o.Spec.DefaultStream, o.Status.DefaultStream), err
}

func okdStreams(ctx context.Context, w *world) (err error) {
	c, err := newOSCluster(ctx, w, osimagestream.OKD, "5.0.1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close(ctx)) }()
	singletonKey := key(mcfgv1.GroupName, "osimagestreams", osimagestream.Name)
	okd1, okd2, okd3 := newOSRelease("5.0.1"), newOSRelease("5.0.2"), newOSRelease("5.0.3")
	var since int64

	w.step("OKD is installed: one tuple", func(s *step) error {
		centos10, err := c.push("stream-coreos", "centos-10", "5.0.1")
		if err != nil {
			return err
		}
		if err := c.publish(okd1, centos10); err != nil {
			return err
		}
		if err := c.update(ctx, okd1); err != nil {
			return err
		}
		s.eventually(ctx, "spec / status: offered", c.singleton, "centos-10 / centos-10: centos-10")
		s.eventually(ctx, "master, worker, infra run", c.runs, "centos-10 of 5.0.1, centos-10 of 5.0.1, centos-10 of 5.0.1")
		writes, err := w.history(ctx, singletonKey, 0, defaults)
		if err != nil {
			return err
		}
		s.expect("writes: the object, then its status", writes, []string{"centos-10 / ", "centos-10 / centos-10"})
		since = w.mustStored(ctx, s, singletonKey).Revision
		return nil
	})
	w.step("The next payload's only stream has a new name", func(s *step) error {
		centos11, err := c.push("stream-coreos", "centos-11", "5.0.2")
		if err != nil {
			return err
		}
		if err := c.publish(okd2, centos11); err != nil {
			return err
		}
		if err := c.update(ctx, okd2); err != nil {
			return err
		}
		s.eventually(ctx, "spec / status: offered", c.singleton, "centos-11 / centos-11: centos-11")
		s.eventually(ctx, "master, worker, infra run", c.runs, "centos-11 of 5.0.2, centos-11 of 5.0.2, centos-11 of 5.0.2")
		writes, err := w.history(ctx, singletonKey, since, defaults)
		if err != nil {
			return err
		}
		s.expect("writes: status, then spec", writes, []string{"centos-10 / centos-11", "centos-11 / centos-11"})
		o := &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}
		err = change(ctx, w, o, func(o *mcfgv1.OSImageStream) { o.Spec.DefaultStream = "centos-10" })
		s.expect("a user who wants the old stream back", said(err), "refused")
		return nil
	})
	w.step("A payload holds a further stream, and a pair that lacks a half", func(s *step) error {
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
		if err := c.publish(okd3, centos11, centos12, half); err != nil {
			return err
		}
		if err := c.update(ctx, okd3); err != nil {
			return err
		}
		s.eventually(ctx, "master, worker, infra run", c.runs, "centos-11 of 5.0.3, centos-11 of 5.0.3, centos-11 of 5.0.3")
		s.eventually(ctx, "still one stream, the one that spec names", c.singleton, "centos-11 / centos-11: centos-11")
		s.eventually(ctx, "the further stream is reported", c.reported(osimagestream.FindingNotOffered), true)
		s.eventually(ctx, "the incomplete pair is reported", c.reported(osimagestream.FindingIncompletePair), true)
		return nil
	})
	w.step("The singleton is missing, and nobody makes it anew", func(s *step) error {
		if err := c.stop(); err != nil {
			return err
		}
		c.stop = func() error { return nil }
		if err := w.client.Delete(ctx, &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}); err != nil {
			return err
		}
		s.expect("edit of a pool without a stream", said(c.namePool(ctx, "worker", "")), "accepted")
		s.expect("new pool without a stream", said(w.client.Create(ctx, pool("another"))), "accepted")
		s.expect("edit that names a stream", said(c.namePool(ctx, "worker", "centos-11")), "refused")
		return client.IgnoreNotFound(w.client.Delete(ctx, pool("another")))
	})
	return err
}

func ocpStreams(ctx context.Context, w *world) (err error) {
	c, err := newOSCluster(ctx, w, osimagestream.OCP, "4.18.0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close(ctx)) }()
	ocp1, ocp2 := newOSRelease("5.0.1"), newOSRelease("5.0.2")

	w.step("OCP, installed as 4.18, gets its first release of two streams", func(s *step) error {
		rhel9, err := c.push("rhel-coreos", "rhel-9", "5.0.1")
		if err != nil {
			return err
		}
		rhel10, err := c.push("rhel-coreos-10", "rhel-10", "5.0.1")
		if err != nil {
			return err
		}
		if err := c.publish(ocp1, rhel9, rhel10); err != nil {
			return err
		}
		if err := c.update(ctx, ocp1); err != nil {
			return err
		}
		s.eventually(ctx, "spec / status: offered", c.singleton, "rhel-9 / rhel-9: rhel-10 rhel-9")
		s.eventually(ctx, "master, worker, infra run", c.runs, "rhel-9 of 5.0.1, rhel-9 of 5.0.1, rhel-9 of 5.0.1")
		return nil
	})
	w.step("The worker pool names the other stream", func(s *step) error {
		s.expect("edit of the pool", said(c.namePool(ctx, "worker", "rhel-10")), "accepted")
		s.eventually(ctx, "the custom pool infra inherits, master does not", c.runs, "rhel-9 of 5.0.1, rhel-10 of 5.0.1, rhel-10 of 5.0.1")
		s.expect("edit that names a stream which is not offered", said(c.namePool(ctx, "worker", "rhel-8")), "refused")
		s.expect("infra names its own", said(c.namePool(ctx, "infra", "rhel-9")), "accepted")
		s.eventually(ctx, "own before the worker's", c.runs, "rhel-9 of 5.0.1, rhel-10 of 5.0.1, rhel-9 of 5.0.1")
		return nil
	})
	w.step("The next release has no rhel-9, which is the default", func(s *step) error {
		rhel10, err := c.push("rhel-coreos-10", "rhel-10", "5.0.2")
		if err != nil {
			return err
		}
		rhel11, err := c.push("rhel-coreos-11", "rhel-11", "5.0.2")
		if err != nil {
			return err
		}
		if err := c.publish(ocp2, rhel10, rhel11); err != nil {
			return err
		}
		if err := c.update(ctx, ocp2); err != nil {
			return err
		}
		s.eventually(ctx, "the choices are there, the default is as it was", c.singleton, "rhel-9 / rhel-9: rhel-10 rhel-11 rhel-9")
		s.eventually(ctx, "that is reported", c.reported(osimagestream.FindingRetiredKept), true)
		if err := w.settle(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "nothing moves before somebody chooses", c.runs, "rhel-9 of 5.0.1, rhel-10 of 5.0.1, rhel-9 of 5.0.1")
		return nil
	})
	w.step("A user chooses rhel-10 as the default", func(s *step) error {
		o := &mcfgv1.OSImageStream{ObjectMeta: named(osimagestream.Name)}
		err := change(ctx, w, o, func(o *mcfgv1.OSImageStream) { o.Spec.DefaultStream = "rhel-10" })
		s.expect("edit of spec.defaultStream", said(err), "accepted")
		s.eventually(ctx, "spec / status: offered", c.singleton, "rhel-10 / rhel-10: rhel-10 rhel-11")
		s.eventually(ctx, "infra names a retired stream: no other takes its place", c.runs,
			"rhel-10 of 5.0.2, rhel-10 of 5.0.2, rhel-9 of 5.0.1 (degraded)")
		return nil
	})
	w.step("The pool that names a retired stream is edited", func(s *step) error {
		s.expect("an edit of something else", said(c.namePool(ctx, "infra", "rhel-9")), "accepted")
		s.expect("an edit to another retired stream", said(c.namePool(ctx, "infra", "rhel-8")), "refused")
		s.expect("an edit to a stream that is offered", said(c.namePool(ctx, "infra", "rhel-11")), "accepted")
		s.eventually(ctx, "master, worker, infra run", c.runs, "rhel-10 of 5.0.2, rhel-10 of 5.0.2, rhel-11 of 5.0.2")
		return nil
	})
	return err
}
