package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"
)

// hops is the import mode at every hop, as one line.
type hops struct {
	Architecture   configv1.ClusterVersionArchitecture // ClusterVersion.status.desired.architecture
	History        configv1.UpdateState                // ClusterVersion.status.history[0].state
	Status         configv1.ImportModeType             // Image config, status.imageStreamImportMode
	ObservedConfig string                              // OpenShiftAPIServer, spec.observedConfig
	Serving        string                              // the file that the running apiserver was started with
}

func (h hops) String() string {
	return fmt.Sprintf("architecture %s (%s) → %s → %s → %s",
		orEmpty(h.Architecture), h.History, orEmpty(h.Status), orEmpty(h.ObservedConfig), orEmpty(h.Serving))
}

// settled is what every hop holds when one mode has gone all the way.
func settled(r release, mode configv1.ImportModeType) hops {
	h := hops{History: configv1.CompletedUpdate, Status: mode, ObservedConfig: string(mode), Serving: string(mode)}
	if r.multi {
		h.Architecture = configv1.ClusterVersionArchitectureMulti
	}
	return h
}

func (c *cluster) hops(ctx context.Context) (any, error) {
	var h hops
	cv := &configv1.ClusterVersion{ObjectMeta: named("version")}
	image := &configv1.Image{ObjectMeta: named("cluster")}
	apiserver := &operatorv1.OpenShiftAPIServer{ObjectMeta: named("cluster")}
	for _, obj := range []client.Object{cv, image, apiserver} {
		if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
			return nil, err
		}
	}
	h.Architecture = cv.Status.Desired.Architecture
	if len(cv.Status.History) > 0 {
		h.History = cv.Status.History[0].State
	}
	h.Status = image.Status.ImageStreamImportMode
	var err error
	if h.ObservedConfig, err = configMode(apiserver.Spec.ObservedConfig.Raw); err != nil {
		return nil, err
	}
	if _, err := os.Stat(c.w.configFile + ".pending"); err == nil {
		return nil, errors.New("a rollout is under way")
	}
	file, err := os.ReadFile(c.w.configFile)
	if err != nil {
		return nil, err
	}
	h.Serving, err = configMode(file)
	return h, err
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
	return orEmpty(h.(hops).Architecture) + ", " + string(h.(hops).History), nil
}

// configMode reads imagePolicyConfig.imageStreamImportMode out of a
// configuration in JSON or YAML.
func configMode(config []byte) (string, error) {
	var c struct {
		ImagePolicyConfig struct {
			ImageStreamImportMode string `json:"imageStreamImportMode"`
		} `json:"imagePolicyConfig"`
	}
	err := yaml.Unmarshal(config, &c)
	return c.ImagePolicyConfig.ImageStreamImportMode, err
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
