package server

import (
	"fmt"
	"os"

	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// readConfig reads the file that the openshift-apiserver operator writes. A
// field that the type does not have is an error: the misspelled name of a policy
// would otherwise be the default policy.
func readConfig(file string) (openshiftcontrolplanev1.OpenShiftAPIServerConfig, error) {
	var config openshiftcontrolplanev1.OpenShiftAPIServerConfig
	if file == "" {
		return config, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return config, fmt.Errorf("--config: %w: give a file that can be read, or leave the flag out", err)
	}
	scheme := runtime.NewScheme()
	if err := openshiftcontrolplanev1.Install(scheme); err != nil {
		return config, err
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	object, _, err := decoder.Decode(content, nil, nil)
	if err != nil {
		return config, fmt.Errorf("--config %s: %w", file, err)
	}
	read, ok := object.(*openshiftcontrolplanev1.OpenShiftAPIServerConfig)
	if !ok {
		return config, fmt.Errorf("--config %s: kind is %s, want OpenShiftAPIServerConfig", file, object.GetObjectKind().GroupVersionKind().Kind)
	}
	return *read, nil
}
