package importmode

import (
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// Configure returns the cluster's import mode out of the configuration file of
// openshift-apiserver (kind OpenShiftAPIServerConfig), by rules 19 to 21. Without
// an error, the result is one of the two modes. The error is an
// [*UnknownModeError]: the server must not start and guess.
func Configure(policy openshiftcontrolplanev1.ImagePolicyConfig) (imagev1.ImportModeType, error) {
	switch m := policy.ImageStreamImportMode; m {
	case "":
		return imagev1.ImportModeLegacy, nil
	case openshiftcontrolplanev1.ImportModeLegacy, openshiftcontrolplanev1.ImportModePreserveOriginal:
		return imagev1.ImportModeType(m), nil
	default:
		return "", &UnknownModeError{
			Object: "OpenShiftAPIServerConfig", Field: policyKey + "." + modeKey, Value: string(m), Allowed: allowed(""),
			Consequence: "the server does not start",
		}
	}
}
