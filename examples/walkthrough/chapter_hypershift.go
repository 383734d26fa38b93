package main

import (
	"context"
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// A hostedChapter follows the mode into the configuration of a hosted cluster, which
// has no operator that would put it there.
type hostedChapter struct{ *hosted }

// Where the HostedCluster has what the decision rests on.
var (
	payloadArchPath = []string{"status", "payloadArch"}
	overridePath    = []string{"spec", "configuration", "image", "imageStreamImportMode"}
)

// hostedImportModes tells the parts of the chapter in their order.
func hostedImportModes(ctx context.Context, w *world) (err error) {
	h, stop, err := newHosted(ctx, w)
	if stop != nil {
		defer func() { err = errors.Join(err, stop()) }()
	}
	if err != nil {
		return err
	}
	c := &hostedChapter{h}
	c.asGenerated(ctx)
	c.inspected(ctx)
	c.byHostedVersion(ctx)
	c.override(ctx)
	return nil
}

// asGenerated is what every hosted cluster is today, whatever its payload.
func (c *hostedChapter) asGenerated(ctx context.Context) {
	c.w.step("A hosted API server starts with the configuration that HyperShift generates", func(s *step) error {
		s.eventually(ctx, "mode that it was started with", c.serving, "")
		modes, err := c.newStream(ctx, "before")
		if err != nil {
			return err
		}
		s.expect("stream before: modes of its tags", modes, "latest Legacy")
		return nil
	})
}

// inspected tells the kind of the payload in the management cluster.
func (c *hostedChapter) inspected(ctx context.Context) {
	c.w.step("HyperShift inspects the release image: status.payloadArch is Multi", func(s *step) error {
		if err := c.setField(ctx, "Multi", payloadArchPath...); err != nil {
			return err
		}
		c.rolledOut(ctx, s, importmode.ReasonMultiPayload, "PreserveOriginal")
		modes, err := c.newStream(ctx, "after")
		if err != nil {
			return err
		}
		s.expect("stream after: modes of its tags", modes, "latest PreserveOriginal")
		if modes, err = c.modes(ctx, "before"); err != nil {
			return err
		}
		s.expect("stream before: modes of its tags", modes, "latest Legacy")
		return nil
	})
}

// byHostedVersion goes without the HostedCluster's status.
func (c *hostedChapter) byHostedVersion(ctx context.Context) {
	c.w.step("The status is gone; the hosted cluster's own ClusterVersion says Multi", func(s *step) error {
		version := &configv1.ClusterVersion{ObjectMeta: named("version"), Spec: configv1.ClusterVersionSpec{ClusterID: "3f0a7e1c-2222-4a2b-9c3d-0123456789ab"}}
		if err := c.client.Create(ctx, version); err != nil {
			return err
		}
		version.Status.Desired = configv1.Release{Version: "4.20.0", Image: "registry.example.com/release:multi", Architecture: configv1.ClusterVersionArchitectureMulti}
		version.Status.VersionHash = "hosted"
		if err := c.client.Status().Update(ctx, version); err != nil {
			return err
		}
		if err := c.setField(ctx, nil, payloadArchPath...); err != nil {
			return err
		}
		s.eventually(ctx, "a finding tells on what the mode rests", c.w.recorded(func(e corev1.Event) bool {
			return e.InvolvedObject.Kind == "HostedCluster" && e.Reason == string(payloadarch.FindingHostedClusterVersion)
		}), true)
		s.eventually(ctx, "mode that it serves with", c.serving, "PreserveOriginal")
		return c.setField(ctx, "Multi", payloadArchPath...)
	})
}

// override is what an administrator of the management cluster wants.
func (c *hostedChapter) override(ctx context.Context) {
	c.w.step("The image configuration in the HostedCluster asks for Legacy", func(s *step) error {
		if err := c.setField(ctx, "Legacy", overridePath...); err != nil {
			return err
		}
		c.rolledOut(ctx, s, importmode.ReasonSpecOverride, "Legacy")
		return nil
	})
	c.w.step("It asks for nothing any more", func(s *step) error {
		if err := c.setField(ctx, nil, overridePath...); err != nil {
			return err
		}
		c.rolledOut(ctx, s, importmode.ReasonMultiPayload, "PreserveOriginal")
		return nil
	})
	c.w.step("The HostedCluster takes no payload that HyperShift does not know", func(s *step) error {
		err := c.setField(ctx, "RISCV64", payloadArchPath...)
		s.note("%v", err)
		s.expect("its definition refuses it", err != nil && strings.Contains(err.Error(), "RISCV64"), true)
		return nil
	})
}

// rolledOut waits for the mode, and for the event that gives its reason.
func (c *hostedChapter) rolledOut(ctx context.Context, s *step, reason importmode.Reason, mode string) {
	s.eventually(ctx, "mode that it was started with", c.serving, mode)
	s.eventually(ctx, "reason: "+string(reason)+"; the payload is "+string(payloadarch.ReasonHosted), c.w.recorded(func(e corev1.Event) bool {
		return e.InvolvedObject.Kind == "HostedCluster" && e.Reason == string(reason) &&
			strings.Contains(e.Message, `is now "`+mode+`"`) && strings.Contains(e.Message, "("+string(payloadarch.ReasonHosted)+")")
	}), true)
}
