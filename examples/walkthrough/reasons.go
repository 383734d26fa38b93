package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	controlplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// because says why each hop holds what it holds.
func because(payload payloadarch.Reason, mode importmode.Reason, observation importmode.ObservationReason) string {
	return fmt.Sprintf("payload %s → mode %s → observation %s", payload, mode, observation)
}

// reasons asks the decisions that the operators take, of what the operators read.
func (c *cluster) reasons(ctx context.Context) (any, error) {
	cv, gates := &configv1.ClusterVersion{ObjectMeta: named("version")}, &configv1.FeatureGate{ObjectMeta: named("cluster")}
	image, apiserver := &configv1.Image{ObjectMeta: named("cluster")}, &operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")}
	for _, obj := range []client.Object{cv, gates, image, apiserver} {
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return nil, err
		}
	}
	var list corev1.NodeList
	if err := c.w.client.List(ctx, &list); err != nil {
		return nil, err
	}
	nodes := nodearch.FromNodes(list.Items)
	payload := payloadarch.FromClusterVersion(cv, gates)
	decision := importmode.Decide(importmode.Input{
		Spec: image.Spec.ImageStreamImportMode, Payload: payload, Current: image.Status.ImageStreamImportMode,
		Nodes: nodes.All, NodesIncomplete: nodes.Incomplete,
	})
	existing := map[string]any{}
	if raw := apiserver.Spec.ObservedConfig.Raw; len(raw) > 0 {
		if err := json.Unmarshal(raw, &existing); err != nil {
			return nil, err
		}
	}
	observed, err := importmode.Observe(image, nil, existing)
	return because(payload.Reason, decision.Reason, observed.Reason), err
}

// expectHops expects what every hop holds, and why.
func (c *cluster) expectHops(ctx context.Context, s *step, what string, want hops, why string) {
	s.eventually(ctx, what, c.hops, want)
	s.eventually(ctx, "decided by", c.reasons, why)
}

// allHops is what expectHops looks at.
const allHops = "payload → status → observed config → apiserver"

// apply writes a manifest that names no modes, as "kubectl create" or "kubectl
// replace" does, and expects the mode and the reason of each of its tags.
func (w *world) apply(ctx context.Context, s *step, manifest *imagev1.ImageStream, want string) error {
	config, err := os.ReadFile(w.configFile)
	if err != nil {
		return err
	}
	mode, err := configMode(config)
	if err != nil {
		return err
	}
	cluster, err := importmode.Configure(controlplanev1.ImagePolicyConfig{ImageStreamImportMode: controlplanev1.ImportModeType(mode)})
	if err != nil {
		return err
	}
	var stored *imagev1.ImageStream
	was := new(imagev1.ImageStream)
	switch err := w.client.Get(ctx, client.ObjectKeyFromObject(manifest), was); {
	case err == nil:
		stored = was
	case !apierrors.IsNotFound(err):
		return err
	}
	decided := importmode.DefaultImageStream(nil, manifest, stored, cluster, importmode.Options{})
	if stored == nil {
		err = w.client.Create(ctx, manifest.DeepCopy())
	} else {
		err = w.replace(ctx, manifest)
	}
	if err != nil {
		return err
	}
	now := new(imagev1.ImageStream)
	if err := w.client.Get(ctx, client.ObjectKeyFromObject(manifest), now); err != nil {
		return err
	}
	var all []string
	for i, tag := range now.Spec.Tags {
		if decided[i].Name != tag.Name {
			return fmt.Errorf("tag %s was decided as %s", tag.Name, decided[i].Name)
		}
		all = append(all, fmt.Sprintf("%s %s (%s)", tag.Name, orEmpty(tag.ImportPolicy.ImportMode), decided[i].Reason))
	}
	s.expect("stream "+manifest.Name+": mode and reason of each tag", strings.Join(all, ", "), want)
	return nil
}
