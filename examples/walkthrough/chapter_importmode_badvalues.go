package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/apiserver/server"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// unknownModeRefused asks the API to store a value that no component knows.
func (c *importModeChapter) unknownModeRefused(ctx context.Context) {
	c.w.step("An unknown mode is refused where the API is asked", func(s *step) error {
		err := c.w.setSpec(ctx, "Sometimes")
		s.note("%v", err)
		s.expect("the real CRD refuses it", apierrors.IsInvalid(err), true)
		bad := stream("bad", "latest")
		bad.Spec.Tags[0].ImportPolicy.ImportMode = "Sometimes"
		err = c.w.client.Create(ctx, bad)
		s.note("%v", err)
		s.expect("a tag with it is refused, naming the field", apierrors.IsInvalid(err) && strings.Contains(err.Error(), "spec.tags[latest].importPolicy.importMode"), true)
		return nil
	})
}

// unknownModeStored puts such a value where the operators read it.
func (c *importModeChapter) unknownModeStored(ctx context.Context) {
	c.w.step("An unknown mode gets past the CRD, straight into storage", func(s *step) error {
		rollouts := c.rollouts.Load()
		since := c.w.mustStored(ctx, s, imageKey).Revision
		err := c.w.rewrite(ctx, imageKey, func(stored string) string {
			return strings.Replace(stored, `"imageStreamImportMode":""`, `"imageStreamImportMode":"Sometimes"`, 1)
		})
		if err != nil {
			return err
		}
		s.eventually(ctx, "an event tells the administrator", c.w.recorded(func(e corev1.Event) bool { return e.Reason == string(importmode.ReasonInvalidSpec) }), true)
		c.expectHops(ctx, s, "every hop keeps what it had", settled(multi420, configv1.ImportModePreserveOriginal),
			because(payloadarch.ReasonReported, importmode.ReasonInvalidSpec, importmode.ReasonObserved))
		if err := c.w.setSpec(ctx, ""); err != nil {
			return err
		}
		values, err := c.w.history(ctx, imageKey, since, statusMode)
		if err != nil {
			return err
		}
		s.expect("modes that the status held meanwhile", values, []string{"PreserveOriginal"})
		s.expect("rollouts meanwhile", c.rollouts.Load()-rollouts, int64(0))
		return nil
	})
}

// unknownModeConfigured starts an apiserver with such a value.
func (c *importModeChapter) unknownModeConfigured(ctx context.Context) {
	c.w.step("An apiserver whose configuration file holds an unknown mode refuses to start", func(s *step) error {
		file := filepath.Join(c.w.dir, "bad.yaml")
		config := "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\n" +
			"imagePolicyConfig: {imageStreamImportMode: Sometimes}\n"
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			return err
		}
		var out bytes.Buffer
		err := server.Main(ctx, []string{"--data-dir", filepath.Join(c.w.dir, "bad"), "--config", file}, &out, &out)
		s.note("%v", err)
		var unknown *importmode.UnknownModeError
		s.expect("it says which value is wrong", errors.As(err, &unknown) && unknown.Value == "Sometimes", true)
		return nil
	})
}
