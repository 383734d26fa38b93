package controller

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// The ConfigMap that holds the configuration of the hosted openshift-apiserver, as in
// openshift/hypershift, control-plane-operator/controllers/hostedcontrolplane/v2/oapi
// (assets config.yaml, and openshiftAPIServerConfigKey).
const (
	ConfigMapName = "openshift-apiserver"
	ConfigKey     = "config.yaml"
)

// ConfigMapOf is where the ConfigMap of a hosted cluster is: in the namespace of its
// control plane, as HostedControlPlaneNamespace in openshift/hypershift,
// hypershift-operator/controllers/manifests names it.
func ConfigMapOf(hostedCluster types.NamespacedName) types.NamespacedName {
	namespace := hostedCluster.Namespace + "-" + strings.ReplaceAll(hostedCluster.Name, ".", "-")
	return types.NamespacedName{Namespace: namespace, Name: ConfigMapName}
}

// A config is an OpenShiftAPIServerConfig as it is written. Read into its Go type and
// written again it would gain every field that the type has and the text has not, and
// HyperShift rolls out whenever the text changes.
type config map[string]any

// modePath is the one field that this adapter writes.
var modePath = []string{"imagePolicyConfig", "imageStreamImportMode"}

func parseConfig(text string) (config, error) {
	var c config
	if err := yaml.Unmarshal([]byte(text), &c); err != nil {
		return nil, err
	}
	if kind, _ := c["kind"].(string); kind != "OpenShiftAPIServerConfig" {
		return nil, fmt.Errorf("its kind is %q, want OpenShiftAPIServerConfig", kind)
	}
	return c, nil
}

func (c config) mode() (string, error) {
	mode, _, err := unstructured.NestedString(c, modePath...)
	return mode, err
}

// with returns the text of c with that mode.
func (c config) with(mode openshiftcontrolplanev1.ImportModeType) (string, error) {
	if err := unstructured.SetNestedField(c, string(mode), modePath...); err != nil {
		return "", err
	}
	text, err := yaml.Marshal(c)
	return string(text), err
}
