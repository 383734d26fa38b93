package embedding_test

import (
	"fmt"

	configv1 "github.com/openshift/api/config/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// HostedControlPlane stands for HyperShift's type, with what the decision looks at.
type HostedControlPlane struct {
	Image       *configv1.ImageSpec // spec.configuration.image
	PayloadArch string              // status.payloadArch of the HostedCluster; new
}

// adaptImportMode belongs into adaptConfig. cfg is rendered from HyperShift's own
// manifest, which holds no mode; existing is what the ConfigMap of the control plane
// holds now.
func adaptImportMode(cfg, existing *openshiftcontrolplanev1.OpenShiftAPIServerConfig, hcp *HostedControlPlane) error {
	var spec configv1.ImportModeType
	if hcp.Image != nil {
		spec = hcp.Image.ImageStreamImportMode
	}
	payload := payloadarch.FromHosted(hcp.PayloadArch, nil, nil)
	decision := importmode.Decide(importmode.Input{
		Spec:    spec,
		Payload: payload,
		Current: configv1.ImportModeType(existing.ImagePolicyConfig.ImageStreamImportMode),
	})
	mode, err := importmode.Convert[openshiftcontrolplanev1.ImportModeType](decision.Mode)
	if err != nil {
		return err
	}
	cfg.ImagePolicyConfig.ImageStreamImportMode = mode
	degraded(append(payload.Problems, decision.Problems...))
	return nil
}

// A hosted cluster from its first rendering on. While the release image is not
// inspected, what is there stays.
func Example_hyperShift() {
	existing := &openshiftcontrolplanev1.OpenShiftAPIServerConfig{}
	hcp := &HostedControlPlane{Image: &configv1.ImageSpec{}}
	render := func(when string) {
		cfg := &openshiftcontrolplanev1.OpenShiftAPIServerConfig{}
		if err := adaptImportMode(cfg, existing, hcp); err != nil {
			fmt.Println(err)
		}
		existing = cfg
		fmt.Printf("%s: %q\n", when, cfg.ImagePolicyConfig.ImageStreamImportMode)
	}

	render("not inspected yet")
	hcp.PayloadArch = "Multi"
	render("a multi payload")
	hcp.PayloadArch = ""
	render("not inspected, for a moment")
	hcp.Image.ImageStreamImportMode = configv1.ImportModeLegacy
	render("overridden")
	hcp.Image.ImageStreamImportMode, hcp.PayloadArch = "", "RISCV64"
	render("a payload that is not known")
	// Output:
	// not inspected yet: ""
	// a multi payload: "PreserveOriginal"
	// not inspected, for a moment: "PreserveOriginal"
	// overridden: "Legacy"
	// degraded: status.payloadArch Unsupported value
	// a payload that is not known: "Legacy"
}
