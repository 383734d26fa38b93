package importmode_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/importmode"
)

func TestConfigureError(t *testing.T) {
	for _, tt := range []struct {
		name  string
		value openshiftcontrolplanev1.ImportModeType
	}{
		{"21: another word", "Whole"},
		{"21: another case", "preserveOriginal"},
		{"21: a blank", " "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := importmode.Configure(openshiftcontrolplanev1.ImagePolicyConfig{ImageStreamImportMode: tt.value})
			var unknown *importmode.UnknownModeError
			if !errors.As(err, &unknown) || got != "" {
				t.Fatalf("Configure(%q) = %q, %v; want an UnknownModeError and nothing", tt.value, got, err)
			}
			want := importmode.UnknownModeError{
				Object:  "OpenShiftAPIServerConfig",
				Field:   "imagePolicyConfig.imageStreamImportMode",
				Value:   string(tt.value),
				Allowed: []string{"", "Legacy", "PreserveOriginal"}, Consequence: "the server does not start",
			}
			if diff := cmp.Diff(want, *unknown); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
