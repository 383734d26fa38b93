package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	corev1 "k8s.io/api/core/v1"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/apiserver/server"
	"github.com/polyarch/polyarch/importmode"
)

// importModes follows the mode from the release payload to the tags of image
// streams, through a migration, an override and bad values.
func importModes(ctx context.Context, w *world) (err error) {
	c := newCluster(w)
	stop, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()

	w.step("A cluster is installed with a single-architecture payload", func(s *step) error {
		s.eventually(ctx, "payload → status → observed config → apiserver", c.hops, settled(single420, configv1.ImportModeLegacy))
		return nil
	})

	oldManifest := stream("old", "latest", "v1")
	w.step("An image stream is made; its manifest names no mode", func(s *step) error {
		if err := w.client.Create(ctx, oldManifest.DeepCopy()); err != nil {
			return err
		}
		return w.expectModes(ctx, s, "old", "latest=Legacy v1=Legacy")
	})

	ancientKey := key("image.openshift.io", "imagestreams", namespace, "ancient")
	var ancient record
	ancientAsEver := func(s *step) error {
		now, err := w.stored(ctx, ancientKey)
		if err != nil {
			return err
		}
		s.expect("stream ancient in storage is byte for byte what it was", now == ancient, true)
		var is imagev1.ImageStream
		if err := w.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "ancient"}, &is); err != nil {
			return err
		}
		s.expect("stream ancient reads: modes, generation", [2]any{modes(&is), is.Generation}, [2]any{"latest= v1=", int64(1)})
		return nil
	}
	w.step("A stream is stored with empty modes, as streams were before 4.12", func(s *step) error {
		if err := w.client.Create(ctx, stream("ancient", "latest", "v1")); err != nil {
			return err
		}
		err := w.rewrite(ctx, ancientKey, func(stored string) string {
			return strings.ReplaceAll(stored, `"importMode":"Legacy"`, "")
		})
		if err != nil {
			return err
		}
		if ancient, err = w.stored(ctx, ancientKey); err != nil {
			return err
		}
		return ancientAsEver(s)
	})

	oldKey := key("image.openshift.io", "imagestreams", namespace, "old")
	w.step("The cluster migrates to the multi payload of the same version", func(s *step) error {
		before, rollouts := w.mustStored(ctx, s, oldKey), c.rollouts.Load()
		if err := c.update(ctx, multi420); err != nil {
			return err
		}
		s.note("the operator of the old release takes up the update; then the new release's own operator starts")
		s.eventually(ctx, "architecture reported", c.architecture, configv1.ClusterVersionArchitectureMulti)
		if err := c.startCVO(ctx, multi420); err != nil {
			return err
		}
		s.eventually(ctx, "payload → status → observed config → apiserver", c.hops, settled(multi420, configv1.ImportModePreserveOriginal))
		s.expect("rollouts of the apiserver because of the migration", c.rollouts.Load()-rollouts, int64(1))
		s.expect("stream old in storage is byte for byte what it was", w.mustStored(ctx, s, oldKey) == before, true)
		return ancientAsEver(s)
	})

	w.step("The manifests of both old streams are applied again, without modes", func(s *step) error {
		before := w.mustStored(ctx, s, oldKey)
		for _, name := range []string{"old", "ancient"} {
			if err := w.client.Update(ctx, stream(name, "latest", "v1")); err != nil {
				return err
			}
		}
		s.expect("stream old in storage is byte for byte what it was", w.mustStored(ctx, s, oldKey) == before, true)
		return ancientAsEver(s)
	})

	w.step("A new stream, and a new tag on the old stream", func(s *step) error {
		if err := w.client.Create(ctx, stream("new", "latest")); err != nil {
			return err
		}
		if err := w.client.Update(ctx, stream("old", "latest", "v1", "v2")); err != nil {
			return err
		}
		if err := w.expectModes(ctx, s, "new", "latest=PreserveOriginal"); err != nil {
			return err
		}
		return w.expectModes(ctx, s, "old", "latest=Legacy v1=Legacy v2=PreserveOriginal")
	})

	w.step("An administrator overrides: spec.imageStreamImportMode: Legacy", func(s *step) error {
		if err := w.setSpec(ctx, configv1.ImportModeLegacy); err != nil {
			return err
		}
		s.eventually(ctx, "payload → status → observed config → apiserver", c.hops, settled(multi420, configv1.ImportModeLegacy))
		s.eventually(ctx, "condition EvaluationConditionsDetected: status, reason", w.evaluation,
			"True "+otherReason+"::"+string(importmode.ReasonEvaluationConditionDetected))
		message, err := w.evaluationMessage(ctx)
		if err != nil {
			return err
		}
		s.expect("its message keeps what the other owner said", strings.Contains(message, otherMessage), true)
		s.expect("its message names the field and its value", strings.Contains(message, "spec.imageStreamImportMode") && strings.Contains(message, `"Legacy"`), true)
		return ancientAsEver(s)
	})

	w.step("The override is removed", func(s *step) error {
		if err := w.setSpec(ctx, ""); err != nil {
			return err
		}
		s.eventually(ctx, "payload → status → observed config → apiserver", c.hops, settled(multi420, configv1.ImportModePreserveOriginal))
		s.eventually(ctx, "condition EvaluationConditionsDetected: status, reason", w.evaluation, "True "+otherReason)
		message, err := w.evaluationMessage(ctx)
		if err != nil {
			return err
		}
		s.expect("its message is the other owner's again", message, otherMessage)
		return ancientAsEver(s)
	})

	w.step("An unknown mode is refused where the API is asked", func(s *step) error {
		err := w.setSpec(ctx, "Sometimes")
		s.note("%v", err)
		s.expect("the real CRD refuses it", apierrors.IsInvalid(err), true)
		bad := stream("bad", "latest")
		bad.Spec.Tags[0].ImportPolicy.ImportMode = "Sometimes"
		err = w.client.Create(ctx, bad)
		s.note("%v", err)
		s.expect("a tag with it is refused, naming the field", apierrors.IsInvalid(err) && strings.Contains(err.Error(), "spec.tags[0].importPolicy.importMode"), true)
		return nil
	})

	imageKey := key("config.openshift.io", "images", "cluster")
	w.step("An unknown mode gets past the CRD, straight into storage", func(s *step) error {
		rollouts := c.rollouts.Load()
		since := w.mustStored(ctx, s, imageKey).Revision
		err := w.rewrite(ctx, imageKey, func(stored string) string {
			return strings.Replace(stored, `"imageStreamImportMode":""`, `"imageStreamImportMode":"Sometimes"`, 1)
		})
		if err != nil {
			return err
		}
		s.eventually(ctx, "an event tells the administrator", w.eventAbout(string(importmode.ReasonInvalidSpec)), true)
		s.eventually(ctx, "every hop keeps what it had", c.hops, settled(multi420, configv1.ImportModePreserveOriginal))
		if err := w.setSpec(ctx, ""); err != nil {
			return err
		}
		values, err := w.history(ctx, imageKey, since, statusMode)
		if err != nil {
			return err
		}
		s.expect("modes that the status held meanwhile", values, []string{"PreserveOriginal"})
		s.expect("rollouts meanwhile", c.rollouts.Load()-rollouts, int64(0))
		return nil
	})

	w.step("An apiserver whose configuration file holds an unknown mode refuses to start", func(s *step) error {
		file := filepath.Join(w.dir, "bad.yaml")
		config := "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\n" +
			"imagePolicyConfig: {imageStreamImportMode: Sometimes}\n"
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			return err
		}
		var out bytes.Buffer
		err := server.Main(ctx, []string{"--data-dir", filepath.Join(w.dir, "bad"), "--config", file}, &out, &out)
		s.note("%v", err)
		var unknown *importmode.UnknownModeError
		s.expect("it says which value is wrong", errors.As(err, &unknown) && unknown.Value == "Sometimes", true)
		return nil
	})

	w.step("The cluster goes back to the single-architecture payload", func(s *step) error {
		rollouts := c.rollouts.Load()
		since := w.mustStored(ctx, s, imageKey).Revision
		if err := c.update(ctx, single420); err != nil {
			return err
		}
		s.eventually(ctx, "the update is under way: architecture, history", c.reported, `"" Partial`)
		s.note("an empty architecture says nothing yet: the mode stays")
		if err := w.settle(ctx); err != nil {
			return err
		}
		at, err := c.hops(ctx)
		if err != nil {
			return err
		}
		s.expect("status while the update is under way", at.(hops).Status, configv1.ImportModePreserveOriginal)
		if err := c.startCVO(ctx, single420); err != nil {
			return err
		}
		s.eventually(ctx, "payload → status → observed config → apiserver", c.hops, settled(single420, configv1.ImportModeLegacy))
		values, err := w.history(ctx, imageKey, since, statusMode)
		if err != nil {
			return err
		}
		s.expect("modes that the status held since", values, []string{"Legacy"})
		s.expect("rollouts of the apiserver", c.rollouts.Load()-rollouts, int64(1))
		if err := w.expectModes(ctx, s, "new", "latest=PreserveOriginal"); err != nil {
			return err
		}
		return ancientAsEver(s)
	})
	return err
}

// stream is a manifest that names no mode.
func stream(name string, tags ...string) *imagev1.ImageStream {
	is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	for _, tag := range tags {
		is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{
			Name: tag,
			From: &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/demo/" + name + ":" + tag},
		})
	}
	return is
}

// modes is the mode of each tag, as "tag=mode tag=mode".
func modes(is *imagev1.ImageStream) string {
	var all []string
	for _, tag := range is.Spec.Tags {
		all = append(all, tag.Name+"="+string(tag.ImportPolicy.ImportMode))
	}
	return strings.Join(all, " ")
}

func (w *world) expectModes(ctx context.Context, s *step, name, want string) error {
	var is imagev1.ImageStream
	if err := w.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &is); err != nil {
		return err
	}
	s.expect("stream "+name+": modes of its tags", modes(&is), want)
	return nil
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

// eventAbout reads whether an event with that reason was recorded.
func (w *world) eventAbout(reason string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var events corev1.EventList
		if err := w.client.List(ctx, &events); err != nil {
			return false, err
		}
		for _, e := range events.Items {
			if e.Reason == reason {
				return true, nil
			}
		}
		return false, nil
	}
}

func (c *cluster) architecture(ctx context.Context) (any, error) {
	cv := &configv1.ClusterVersion{ObjectMeta: named("version")}
	err := c.w.client.Get(ctx, client.ObjectKeyFromObject(cv), cv)
	return cv.Status.Desired.Architecture, err
}

func (c *cluster) reported(ctx context.Context) (any, error) {
	h, err := c.hops(ctx)
	if err != nil {
		return nil, err
	}
	return show(string(h.(hops).Architecture)) + " " + string(h.(hops).History), nil
}

// mustStored is stored within a step; a failure makes the step not as expected.
func (w *world) mustStored(ctx context.Context, s *step, key string) record {
	r, err := w.stored(ctx, key)
	if err != nil {
		s.ok = false
		s.note("%v", err)
	}
	return r
}

// statusMode and observedMode read the import mode out of stored objects.
func statusMode(stored []byte) (string, error) {
	var image configv1.Image
	err := json.Unmarshal(stored, &image)
	return string(image.Status.ImageStreamImportMode), err
}

func observedMode(stored []byte) (string, error) {
	var apiserver operatorv1.OpenShiftAPIServer
	if err := json.Unmarshal(stored, &apiserver); err != nil {
		return "", err
	}
	return configMode(apiserver.Spec.ObservedConfig.Raw)
}
