package main

import (
	"context"
	"errors"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// upgradeRace replays how a cluster with a multi payload is upgraded to the
// first version that reports it: the feature gate is known before the operator
// that reports is there.
func upgradeRace(ctx context.Context, w *world) (err error) {
	c := newCluster(w)
	if err := c.remove(ctx); err != nil {
		return err
	}
	stop, err := c.install(ctx, multi419, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	imageKey := key("config.openshift.io", "images", "cluster")
	observedKey := key("operator.openshift.io", "openshiftapiservers", "cluster")

	var since int64
	w.step("A multi payload of a version whose gate is off", func(s *step) error {
		s.eventually(ctx, "the operator may not report: architecture, history", c.reported, "empty, Completed")
		s.eventually(ctx, "decided by", c.reasons,
			because(payloadarch.ReasonGateDisabled, importmode.ReasonPayloadUnknown, importmode.ReasonStatusEmpty))
		if err := w.settle(ctx); err != nil {
			return err
		}
		at, err := c.hops(ctx)
		if err != nil {
			return err
		}
		s.expect("nothing is known, so nothing is written", at.(hops).Status, configv1.ImportModeType(""))
		s.expect("rollouts of the apiserver", c.rollouts.Load(), int64(0))
		since = w.mustStored(ctx, s, observedKey).Revision
		return nil
	})
	w.step("Upgrade to a version whose gate is on: the gate appears first", func(s *step) error {
		if err := c.update(ctx, multi420); err != nil {
			return err
		}
		s.eventually(ctx, "the old operator takes up the update: architecture, history", c.reported, "empty, Partial")
		err := changeStatus(ctx, w, &configv1.FeatureGate{ObjectMeta: named("cluster")}, func(fg *configv1.FeatureGate) {
			fg.Status.FeatureGates = append(fg.Status.FeatureGates, configv1.FeatureGateDetails{
				Version:  multi420.version,
				Enabled:  []configv1.FeatureGateAttributes{{Name: payloadarch.Gate}},
				Disabled: []configv1.FeatureGateAttributes{},
			})
		})
		if err != nil {
			return err
		}
		s.note("the FeatureGate enables the gate for %s; the operator that runs learned its gates before", multi420.version)
		if err := w.settle(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "still nothing reported: architecture, history", c.reported, "empty, Partial")
		s.eventually(ctx, "decided by", c.reasons,
			because(payloadarch.ReasonUpdating, importmode.ReasonPayloadUnknown, importmode.ReasonStatusEmpty))
		at, err := c.hops(ctx)
		if err != nil {
			return err
		}
		s.expect("an empty architecture is not taken for a single one", at.(hops).Status, configv1.ImportModeType(""))
		return nil
	})
	w.step("The new release's operator starts and reports Multi", func(s *step) error {
		if err := c.startCVO(ctx, multi420); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(multi420, configv1.ImportModePreserveOriginal),
			because(payloadarch.ReasonReported, importmode.ReasonMultiPayload, importmode.ReasonObserved))
		if err := w.settle(ctx); err != nil {
			return err
		}
		statuses, err := w.history(ctx, imageKey, since, statusMode)
		if err != nil {
			return err
		}
		s.expect("modes that the status held since: no flapping", statuses, []string{"PreserveOriginal"})
		observed, err := w.history(ctx, observedKey, since, observedMode)
		if err != nil {
			return err
		}
		s.expect("modes that were observed since", observed, []string{"PreserveOriginal"})
		s.expect("rollouts of the apiserver for the whole upgrade", c.rollouts.Load(), int64(1))
		return nil
	})
	return err
}
