package main

import (
	"context"
	"errors"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// override sets the mode by hand, which the operator reports.
func (c *importModeChapter) override(ctx context.Context) {
	c.w.step("An administrator overrides: spec.imageStreamImportMode: Legacy", func(s *step) error {
		if err := c.w.setSpec(ctx, configv1.ImportModeLegacy); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(multi420, configv1.ImportModeLegacy),
			because(payloadarch.ReasonReported, importmode.ReasonSpecOverride, importmode.ReasonObserved))
		s.eventually(ctx, "condition EvaluationConditionsDetected: status, reason", c.w.evaluation,
			"True "+otherReason+"::"+string(importmode.ReasonEvaluationConditionDetected))
		message, err := c.w.evaluationMessage(ctx)
		if err != nil {
			return err
		}
		s.expect("its message keeps what the other owner said", strings.Contains(message, otherMessage), true)
		s.expect("its message names the field and its value", strings.Contains(message, "spec.imageStreamImportMode") && strings.Contains(message, `"Legacy"`), true)
		return c.ancientAsEver(ctx, s)
	})
}

// overrideRemoved must leave what another owner reports in the same condition.
func (c *importModeChapter) overrideRemoved(ctx context.Context) {
	c.w.step("The override is removed", func(s *step) error {
		if err := c.w.setSpec(ctx, ""); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(multi420, configv1.ImportModePreserveOriginal),
			because(payloadarch.ReasonReported, importmode.ReasonMultiPayload, importmode.ReasonObserved))
		s.eventually(ctx, "condition EvaluationConditionsDetected: status, reason", c.w.evaluation, "True "+otherReason)
		message, err := c.w.evaluationMessage(ctx)
		if err != nil {
			return err
		}
		s.expect("its message is the other owner's again", message, otherMessage)
		return c.ancientAsEver(ctx, s)
	})
}

func (w *world) setSpec(ctx context.Context, mode configv1.ImportModeType) error {
	return change(ctx, w, &configv1.Image{ObjectMeta: named("cluster")}, func(image *configv1.Image) {
		image.Spec.ImageStreamImportMode = mode
	})
}

func (w *world) condition(ctx context.Context) (configv1.ClusterOperatorStatusCondition, error) {
	co := &configv1.ClusterOperator{ObjectMeta: named("image-registry")}
	if err := w.client.Get(ctx, client.ObjectKeyFromObject(co), co); err != nil {
		return configv1.ClusterOperatorStatusCondition{}, err
	}
	for _, c := range co.Status.Conditions {
		if c.Type == configv1.EvaluationConditionsDetected {
			return c, nil
		}
	}
	return configv1.ClusterOperatorStatusCondition{}, errors.New("the ClusterOperator has no such condition")
}

func (w *world) evaluation(ctx context.Context) (any, error) {
	c, err := w.condition(ctx)
	return string(c.Status) + " " + c.Reason, err
}

func (w *world) evaluationMessage(ctx context.Context) (string, error) {
	c, err := w.condition(ctx)
	return c.Message, err
}
